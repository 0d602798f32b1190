/** The releases whose catalogs are asked, the newest first. Both have the same shapes there. */
export const catalogReleases = ['2026-08-25', '2026-04-08'] as const

/** Where and how a catalog is asked. */
export type CatalogEndpoint = {
  /** Without a slash at its end. */
  readonly endpoint: string
  readonly transport: 'rest' | 'mcp'
  readonly version: string
}

/** What a catalog is asked. */
export type CatalogQuestion =
  | { readonly kind: 'search'; readonly body: object }
  | { readonly kind: 'lookup'; readonly body: { readonly ids: readonly string[] } }
  | { readonly kind: 'product'; readonly body: { readonly id: string } }

type Asker = {
  /** The address of our own service, where our profile is. */
  readonly publicUrl: string
  readonly requestId: string
}

type HttpQuestion = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const names = {
  search: { path: '/catalog/search', tool: 'search_catalog' },
  lookup: { path: '/catalog/lookup', tool: 'lookup_catalog' },
  product: { path: '/catalog/product', tool: 'get_product' },
} as const

/** The question as a request, over REST or as a call of a tool. */
export function catalogRequest(to: CatalogEndpoint, question: CatalogQuestion, asker: Asker): HttpQuestion {
  const profile = profileFor(to.version, asker.publicUrl)
  const { path, tool } = names[question.kind]
  const headers = {
    'content-type': 'application/json',
    'ucp-agent': `profile="${profile}"`,
    'request-id': asker.requestId,
  }
  if (to.transport === 'rest')
    return {
      url: `${to.endpoint}${path}`,
      headers: { ...headers, accept: 'application/json' },
      body: JSON.stringify(question.body),
    }
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: tool, arguments: { meta: { 'ucp-agent': { profile } }, catalog: question.body } },
  }
  return {
    url: to.endpoint,
    headers: { ...headers, accept: 'application/json, text/event-stream' },
    body: JSON.stringify(call),
  }
}

/** Our profile of the release that the other side speaks: the newest one stands at the well-known place itself. */
function profileFor(version: string, publicUrl: string): string {
  const newest = `${publicUrl}/.well-known/ucp`
  return version === catalogReleases[0] ? newest : `${newest}/${version}`
}
