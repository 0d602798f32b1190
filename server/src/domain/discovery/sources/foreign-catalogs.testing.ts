import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createEgress, type EgressOptions } from '../../../platform/egress/egress.ts'
import { type CatalogSourcesOptions, createCatalogSources, type GlobalCatalog } from './catalog-sources.ts'
import type { CatalogSources, UcpCatalog } from './port.ts'

/** What a catalog was asked, over REST or as a tool. */
type AskedOf = {
  shop: string
  path: string
  headers: IncomingMessage['headers']
  kind: 'search' | 'lookup' | 'product'
  // biome-ignore lint/suspicious/noExplicitAny: tests look at the fields they send
  body: any
  // biome-ignore lint/suspicious/noExplicitAny: tests look at the fields they send
  meta: any
}

type Respond = (asked: AskedOf, response: ServerResponse) => void

type ShopFacts = Partial<Omit<UcpCatalog, 'id' | 'endpoint' | 'merchant'>> &
  Partial<UcpCatalog['merchant']> & { respond: Respond }

/** Catalogs of strangers on this machine, and the sources that ask them. They are in the order in which they were opened. */
export type ForeignCatalogs = {
  readonly sources: CatalogSources
  readonly asked: AskedOf[]
  readonly catalogs: UcpCatalog[]
  open(domain: string, facts: ShopFacts): Promise<UcpCatalog>
  openGlobal(respond: Respond, given?: Partial<GlobalCatalog>): Promise<GlobalCatalog>
  close(): Promise<void>
}

export function foreignCatalogs(
  given: Partial<CatalogSourcesOptions> = {},
  egressOptions: Partial<EgressOptions> = {},
): ForeignCatalogs {
  const catalogs: UcpCatalog[] = []
  const asked: AskedOf[] = []
  const stops: (() => Promise<unknown>)[] = []
  const globalCatalogs: { test: GlobalCatalog | null; live: GlobalCatalog | null } = {
    test: null,
    live: null,
  }
  const trustedOrigins: string[] = []
  const listen = async (shop: string, respond: Respond) => {
    const { origin, stop } = await startServer(async (request, response) => {
      const one = await readAsked(shop, request)
      asked.push(one)
      respond(one, response)
    })
    stops.push(stop)
    return origin
  }
  let sources: CatalogSources | null = null
  const open = () => {
    const egress = createEgress({
      allowLoopback: (mode) => mode === 'test',
      trustedOrigins,
      ...egressOptions,
    })
    stops.push(() => egress.close())
    return createCatalogSources({
      egress,
      publicUrl: 'https://prokura.example',
      newRequestId: randomUUID,
      readCatalogs: async (mode) => (mode === 'test' ? catalogs : []),
      globalCatalogs,
      sourcesMax: 20,
      isBoughtElsewhere: () => false,
      ...given,
    })
  }
  const opened = (): CatalogSources => {
    sources ??= open()
    return sources
  }
  return {
    // Opened with the first question, when all servers are known.
    sources: {
      named: (...args) => opened().named(...args),
      chosen: (...args) => opened().chosen(...args),
      search: (...args) => opened().search(...args),
      lookup: (...args) => opened().lookup(...args),
      product: (...args) => opened().product(...args),
    },
    asked,
    catalogs,
    async open(domain, { respond, ...facts }) {
      const origin = await listen(domain, respond)
      const catalog: UcpCatalog = {
        id: `rge_${domain.replaceAll('.', '_')}`,
        endpoint: `${origin}/ucp`,
        transport: facts.transport ?? 'rest',
        version: facts.version ?? '2026-08-25',
        merchant: {
          name: facts.name ?? domain,
          slug: facts.slug ?? null,
          domain,
          country: facts.country ?? null,
          verified: facts.verified ?? true,
        },
        categories: facts.categories ?? [],
        hasCheckout: facts.hasCheckout ?? true,
      }
      catalogs.push(catalog)
      return catalog
    },
    async openGlobal(respond, more = {}) {
      const origin = await listen('global', respond)
      trustedOrigins.push(origin)
      const catalog: GlobalCatalog = {
        endpoint: origin,
        transport: 'rest',
        version: '2026-08-25',
        token: null,
        ...more,
      }
      globalCatalogs.test = catalog
      return catalog
    },
    async close() {
      for (const stop of stops.splice(0).reverse()) await stop()
    },
  }
}

export async function startServer(
  handle: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
): Promise<{ origin: string; stop(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    Promise.resolve(handle(request, response)).catch(() => response.destroy())
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

const kinds = {
  search_catalog: 'search',
  lookup_catalog: 'lookup',
  get_product: 'product',
} as const

async function readAsked(shop: string, request: IncomingMessage): Promise<AskedOf> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const sent = JSON.parse(Buffer.concat(chunks).toString() || '{}')
  const path = request.url ?? ''
  const { headers } = request
  if (sent.jsonrpc === undefined) {
    const kind = (['search', 'lookup', 'product'] as const).find((one) => path.endsWith(`/catalog/${one}`))
    return { shop, path, headers, kind: kind ?? 'search', body: sent, meta: null }
  }
  const { name, arguments: args } = sent.params
  const kind = kinds[name as keyof typeof kinds] // the tools of a catalog
  return { shop, path, headers, kind, body: args.catalog, meta: args.meta }
}

/** A product as UCP writes it. Without an address it has none. */
export function product(title: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  const { price = 1_000, currency = 'USD', ...fields } = more
  const id = title.toLowerCase().replaceAll(' ', '-')
  return {
    id,
    title,
    description: { plain: `About ${title}.` },
    price_range: { min: { amount: price, currency }, max: { amount: price, currency } },
    variants: [
      {
        id: `${id}-v`,
        title,
        description: { plain: '' },
        price: { amount: price, currency },
        availability: { available: true, status: 'in_stock' },
      },
    ],
    ...fields,
  }
}

export function envelope(version = '2026-08-25') {
  return { version, capabilities: { 'dev.ucp.shopping.catalog.search': [{ version }] } }
}

/** A catalog that behaves: it finds words in titles, and has pages. */
export function goodCatalog(
  products: readonly Record<string, unknown>[],
  how: { pageSize?: number; transport?: 'rest' | 'mcp' | 'sse' } = {},
): Respond {
  const { pageSize = 20, transport = 'rest' } = how
  return ({ kind, body }, response) => {
    if (kind === 'search') {
      const found = products.filter(({ title }) => matches(String(title), body.query))
      const from = Number(body.pagination?.cursor ?? 0)
      const until = from + Math.min(pageSize, body.pagination?.limit ?? 10)
      const hasNext = until < found.length
      const pagination = {
        has_next_page: hasNext,
        ...(hasNext ? { cursor: String(until) } : {}),
        total_count: 7,
      }
      say(response, transport, { ucp: envelope(), products: found.slice(from, until), pagination })
      return
    }
    const ids: unknown[] = kind === 'lookup' ? body.ids : [body.id]
    const found = products.filter((one) => ids.includes(one.id) || ids.includes(variantOf(one)?.id))
    if (kind === 'lookup') say(response, transport, { ucp: envelope(), products: found })
    else if (found[0]) say(response, transport, { ucp: envelope(), product: found[0] })
    else
      say(response, transport, {
        ucp: { ...envelope(), status: 'error' },
        messages: [{ type: 'error', code: 'not_found', content: 'no', severity: 'unrecoverable' }],
      })
  }
}

function matches(title: string, query: string | undefined): boolean {
  return (query ?? '').split(' ').every((word) => title.toLowerCase().includes(word.toLowerCase()))
}

function variantOf({ variants }: Record<string, unknown>): { id: unknown } | undefined {
  return Array.isArray(variants) ? variants[0] : undefined
}

export function say(response: ServerResponse, transport: 'rest' | 'mcp' | 'sse', payload: object): void {
  const text = JSON.stringify(payload)
  if (transport === 'rest') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(text)
    return
  }
  const message = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    result: { structuredContent: payload, content: [{ type: 'text', text }] },
  })
  if (transport === 'mcp') response.writeHead(200, { 'content-type': 'application/json' }).end(message)
  else
    response
      .writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
      .end(
        `: hello\n\nevent: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\n\ndata: ${message}\n\n`,
      )
}
