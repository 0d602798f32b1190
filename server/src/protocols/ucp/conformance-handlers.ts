import { conformanceRelease } from './releases.ts'

export const mockHandler = 'mock_payment_handler'

/**
 * The payment handlers that the official suite looks for at a business of the first release. Only the mock handler pays: wallets have no
 * credential in test mode. `base`: the address of the business, which has the documents.
 */
export function conformanceHandlers(base: string) {
  const handler = (id: string, name: string, config: object) => ({
    id,
    name,
    version: conformanceRelease,
    spec: `${base}/documents/${id}.json`,
    config_schema: `${base}/documents/${id}.json`,
    instrument_schemas: [`${base}/documents/${id}.json`],
    config,
  })
  return [
    handler('google_pay', 'google.pay', {}),
    handler(mockHandler, 'dev.ucp.mock_payment', {}),
    handler('shop_pay', 'com.shopify.shop_pay', { shop_id: 'conformance' }),
  ]
}
