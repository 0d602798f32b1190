import type { Mode } from '../../contract/context.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Mpp, PaidMethod } from './mpp-parts.ts'

type Described = {
  readonly id: string
  readonly name: string
  readonly description: string
  /** Of the documents and the operations. A template where it holds `{slug}`. */
  readonly base: string
  /** Where the OpenAPI document is. */
  readonly openApi: string
  readonly mode: Mode
}

/**
 * What a payer reads first. No specification says what it looks like, so it is an entry of the public registry of such services, with more
 * members that say how to shop.
 */
export function manifestOf(mpp: Mpp, { id, name, description, base, openApi, mode }: Described): object {
  const { publicUrl } = mpp.context
  const methods = mpp.methods[mode]
  return {
    manifestVersion: '1',
    protocol: 'mpp',
    id,
    name,
    url: publicUrl,
    serviceUrl: base,
    description,
    categories: ['web'],
    integration: 'first-party',
    tags: ['commerce', 'shopping'],
    status: 'active',
    realm: new URL(base).host,
    docs: {
      homepage: `${publicUrl}/docs`,
      apiReference: `${publicUrl}/docs`,
      openapi: openApi,
    },
    methods: Object.fromEntries(methods.map((method) => [method.name, { intents: ['charge'] }])),
    endpoints: operationsOf(mpp).map((operation) => ({
      method: operation.method,
      path: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      description: operation.summary,
      payment: operation === mpp.offered.create ? paymentOf(methods) : null,
    })),
    paymentMethods: methods.map(({ name: method, instruments }) => ({
      key: `${method}/charge`,
      method,
      intent: 'charge',
      instruments,
      livemode: mode === 'live',
    })),
    commerce: commerceOf(mpp, base),
  }
}

export function operationsOf({ offered }: Pick<Mpp, 'offered'>): readonly Operation[] {
  return [...offered.free, offered.create]
}

function paymentOf([first]: readonly PaidMethod[]) {
  if (!first) return null
  return {
    intent: 'charge',
    method: first.name,
    dynamic: true,
    amountHint: 'The total of the order',
    unitType: 'order',
  }
}

/** Where to do what, as templates of RFC 6570. */
function commerceOf(mpp: Mpp, base: string): object {
  const places = operationsOf(mpp).map((operation): [string, object] => {
    const query = Object.keys(operation.query?.properties ?? {})
    const urlTemplate = `${base}${operation.path}${query.length > 0 ? `{?${query.join(',')}}` : ''}`
    return [
      partOf(operation),
      { method: operation.method, urlTemplate, paid: operation === mpp.offered.create },
    ]
  })
  return {
    ...(base.includes('{slug}')
      ? {
          slugParam: 'slug',
          merchantManifest: `${base}/.well-known/mpp.json`,
          customApis: { urlTemplate: `${base}/.well-known/mpp.json`, member: 'customApis' },
        }
      : {}),
    ...Object.fromEntries(places),
    tools: `${base}/mcp`,
    acceptsIdempotencyKey: true,
    acceptsAttributionToken: 'attribution_token',
  }
}

function partOf({ id }: Operation): string {
  return id.replace('mpp_', '')
}
