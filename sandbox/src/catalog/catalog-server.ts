import { BadRequest, type Fields, isObject } from '../fields.ts'
import { type Answer, type Call, json, type Route, type RunningServer, serveJson } from '../json-server.ts'
import { type Behavior, goodBehavior, misbehave, parseBehavior } from './behavior.ts'
import { findProduct, findProducts, lookUpProducts } from './find-products.ts'
import { type CatalogProduct, makeProducts } from './make-products.ts'

/** The releases that it speaks, the newest first. */
const releases = ['2026-08-25', '2026-04-08'] as const
type Release = (typeof releases)[number]

type Catalog = { products: readonly CatalogProduct[]; behavior: Behavior; signal: AbortSignal }

/** A catalog over many shops, as a UCP business over REST and MCP. It remembers nothing but how it was told to behave. */
export async function startCatalog(options: { port: number; controlToken: string }): Promise<RunningServer> {
  const stopping = new AbortController()
  const catalog: Catalog = { products: makeProducts(), behavior: goodBehavior, signal: stopping.signal }
  const server = await serveJson({ ...options, routes: routesOf(catalog), settled: async () => undefined })
  return {
    url: server.url,
    close: async () => {
      stopping.abort()
      await server.close()
    },
  }
}

type Kind = 'search' | 'lookup' | 'product'

function routesOf(catalog: Catalog): Route[] {
  const rest = (kind: Kind) => (call: Call) =>
    misbehave(catalog.behavior, () => answerOverRest(catalog, kind, call), catalog.signal)
  return [
    { method: 'POST', path: '/catalog/search', handle: rest('search') },
    { method: 'POST', path: '/catalog/lookup', handle: rest('lookup') },
    { method: 'POST', path: '/catalog/product', handle: rest('product') },
    {
      method: 'POST',
      path: '/mcp',
      handle: (call) => misbehave(catalog.behavior, () => answerOverMcp(catalog, call), catalog.signal),
    },
    { method: 'GET', path: '/.well-known/ucp', handle: (call) => json(200, profileOf(call)) },
    { method: 'GET', path: '/health', handle: () => json(200, { ok: true, service: 'catalog' }) },
    {
      method: 'POST',
      path: '/control/behavior',
      isControl: true,
      handle: (call) => {
        catalog.behavior = parseBehavior(call.body())
        return json(200, { behavior: catalog.behavior.kind })
      },
    },
  ]
}

function answerOverRest(catalog: Catalog, kind: Kind, call: Call): Answer {
  const agent = /^profile="([^"]+)"/.exec(call.header('ucp-agent') ?? '')?.[1]
  const release = agent === undefined ? undefined : releaseOf(agent)
  if (release === undefined)
    return json(400, { code: 'invalid_profile_url', content: 'Send UCP-Agent with your profile' })
  if (!/^[0-9a-f-]{36}$/.test(call.header('request-id') ?? ''))
    return json(400, { code: 'invalid_request', content: 'Send Request-Id, a UUID' })
  try {
    return json(200, answerOf(catalog, kind, { release, request: call.body() }))
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error
    return json(400, { code: error.code, content: error.message })
  }
}

const tools: Readonly<Record<string, Kind>> = {
  search_catalog: 'search',
  lookup_catalog: 'lookup',
  get_product: 'product',
}

/** Clients that accept events get them: both forms are allowed. */
function answerOverMcp(catalog: Catalog, call: Call): Answer {
  const { id = null, method, params } = call.body()
  const said = { jsonrpc: '2.0', id, ...messageOf(catalog, method, isObject(params) ? params : {}) }
  if (!(call.header('accept') ?? '').includes('text/event-stream')) return json(200, said)
  return {
    kind: 'raw',
    status: 200,
    type: 'text/event-stream',
    chunks: [`event: message\ndata: ${JSON.stringify(said)}\n\n`],
  }
}

function messageOf(catalog: Catalog, method: unknown, params: Fields): Fields {
  switch (method) {
    case 'initialize':
      return {
        result: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'sandbox-catalog', version: '1' },
        },
      }
    case 'tools/list':
      return {
        result: { tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })) },
      }
    case 'tools/call':
      return resultOf(catalog, params)
    default:
      return { error: { code: -32_601, message: 'There is no such method' } }
  }
}

function resultOf(catalog: Catalog, params: Fields): Fields {
  const kind = tools[String(params.name)]
  if (kind === undefined) return { error: { code: -32_602, message: 'There is no such tool' } }
  const { meta, catalog: request } = isObject(params.arguments) ? params.arguments : {}
  const agent = isObject(meta) && isObject(meta['ucp-agent']) ? meta['ucp-agent'].profile : undefined
  const release = typeof agent === 'string' ? releaseOf(agent) : undefined
  if (release === undefined) return { error: { code: -32_001, message: 'Send meta["ucp-agent"].profile' } }
  try {
    const answer = answerOf(catalog, kind, { release, request: isObject(request) ? request : {} })
    return {
      result: { structuredContent: answer, content: [{ type: 'text', text: JSON.stringify(answer) }] },
    }
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error
    return { error: { code: -32_602, message: error.message } }
  }
}

type Question = { release: Release; request: Fields }

function answerOf({ products }: Catalog, kind: Kind, { release, request }: Question): Fields {
  const capability = `dev.ucp.shopping.catalog.${kind === 'search' ? 'search' : 'lookup'}`
  const ucp = { version: release, capabilities: { [capability]: [{ version: release }] } }
  if (kind === 'search') return { ucp, ...findProducts(products, request) }
  if (kind === 'lookup') {
    const { products: found, missing } = lookUpProducts(products, request)
    return {
      ucp,
      products: found,
      messages: missing.map((id) => ({ type: 'info', code: 'not_found', content: id })),
    }
  }
  const product = findProduct(products, request)
  if (product !== undefined)
    return { ucp, product: { ...product, selected: product.variants[0]?.options ?? [] } }
  const missing = {
    type: 'error',
    code: 'not_found',
    content: 'There is no such product',
    severity: 'unrecoverable',
  }
  return { ucp: { version: release, status: 'error' }, messages: [missing] }
}

/** By the place of the profile: the newest release is at the well-known place itself. */
function releaseOf(profile: string): Release | undefined {
  const [, version] = /^https?:\/\/[^/]+\/\.well-known\/ucp(?:\/([0-9-]+))?$/.exec(profile) ?? [
    undefined,
    null,
  ]
  return version === undefined ? releases[0] : releases.find((release) => release === version)
}

function profileOf(call: Call): Fields {
  const [version] = releases
  const base = `http://${call.header('host') ?? '127.0.0.1'}`
  const docs = `https://ucp.dev/${version}`
  const service = (transport: string, endpoint: string, schema: string) => ({
    version,
    transport,
    endpoint,
    spec: `${docs}/specification/overview/`,
    schema: `${docs}/services/shopping/${schema}`,
  })
  const capability = (name: string) => [{ version, schema: `${docs}/schemas/shopping/${name}.json` }]
  return {
    ucp: {
      version,
      services: {
        'dev.ucp.shopping': [
          service('rest', base, 'rest.openapi.json'),
          service('mcp', `${base}/mcp`, 'mcp.openrpc.json'),
        ],
      },
      capabilities: {
        'dev.ucp.shopping.catalog.search': capability('catalog_search'),
        'dev.ucp.shopping.catalog.lookup': capability('catalog_lookup'),
      },
      payment_handlers: {},
    },
    keys: [],
  }
}
