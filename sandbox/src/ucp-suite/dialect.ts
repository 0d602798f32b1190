/** The release that the suite speaks. */
export const suiteRelease = '2026-01-11'

/** The only handler that pays: wallets have no credential in test mode. The suite looks for the others. */
export const mockHandler = 'mock_payment_handler'

const service = 'dev.ucp.shopping'

/** What the shop can do, by the file in which the protocol describes it. */
const capabilities = {
  checkout: {},
  order: {},
  discount: { extends: `${service}.checkout` },
  fulfillment: { extends: `${service}.checkout` },
  buyer_consent: { extends: `${service}.checkout` },
} as const satisfies Readonly<Record<string, { extends?: string }>>

type Capability = keyof typeof capabilities

/** The documents that the profile names, which the suite fetches. They lead to the protocol's own. */
const documents = new Map<string, string>([
  ...Object.keys(capabilities).map((name): [string, string] => [name, `schemas/shopping/${name}.json`]),
  ['service', 'services/shopping/rest.openapi.json'],
  ...['google_pay', mockHandler, 'shop_pay'].map((id): [string, string] => [
    id,
    'schemas/shopping/types/payment_handler.json',
  ]),
])

/** The profile of the shop. `at`: where it is. */
export function profileOf(at: string) {
  const documented = (name: string) => ({ spec: addressOf(at, name), schema: addressOf(at, name) })
  const { spec, schema } = documented('service')
  return {
    ucp: {
      version: suiteRelease,
      services: { [service]: { version: suiteRelease, spec, rest: { schema, endpoint: at } } },
      capabilities: Object.entries(capabilities).map(([name, more]) => ({
        name: `${service}.${name}`,
        version: suiteRelease,
        ...documented(name),
        ...more,
      })),
    },
    payment: { handlers: handlersOf(at) },
  }
}

/** The payment handlers that the suite looks for, which stand inside each checkout too. */
export function handlersOf(at: string) {
  const handler = (id: string, name: string, config: object) => ({
    id,
    name,
    version: suiteRelease,
    spec: addressOf(at, id),
    config_schema: addressOf(at, id),
    instrument_schemas: [addressOf(at, id)],
    config,
  })
  return [
    handler('google_pay', 'google.pay', {}),
    handler(mockHandler, 'dev.ucp.mock_payment', {}),
    handler('shop_pay', 'com.shopify.shop_pay', { shop_id: 'conformance' }),
  ]
}

/** Undefined: the profile names no such document. */
export function documentOf(at: string, file: string): object | undefined {
  const name = file.replace(/\.json$/, '')
  const original = documents.get(name)
  if (original === undefined) return undefined
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: addressOf(at, name),
    title: `A part of UCP ${suiteRelease}`,
    description: 'The protocol describes it in the document that this one refers to.',
    allOf: [{ $ref: `https://ucp.dev/${original}` }],
  }
}

/** What answers of the release begin with: the capabilities are a list there. */
export function metadataOf(names: readonly Capability[]) {
  return {
    version: suiteRelease,
    capabilities: names.map((name) => ({ name: `${service}.${name}`, version: suiteRelease })),
  }
}

function addressOf(at: string, name: string): string {
  return `${at}/documents/${name}.json`
}
