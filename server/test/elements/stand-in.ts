import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type BuiltElements, buildElements } from '../../../elements/build.ts'
import { ceremonyPage, createProofs, type ProofsStandIn } from './stand-in-proofs.ts'

type Answer = { status?: number; body?: unknown; headers?: Record<string, string> }

type Answered = Answer | 'usual' | null

/** How one path answers: in a way of its own, as usual, at once, after a while, or never (null): the connection is cut. */
type Answering = (body: Record<string, unknown>, request: IncomingMessage) => Answered | Promise<Answered>

type Received = {
  readonly path: string
  readonly origin: string | undefined
  readonly authorization: string | undefined
  readonly idempotencyKey: string | undefined
  readonly body: Record<string, unknown>
}

export type ElementsStandIn = {
  readonly elements: string
  readonly vault: string
  /** A page of an integrator. */
  readonly shop: string
  readonly received: Received[]
  /** What other than the usual is answered, by `/path` or by `METHOD /path`. */
  readonly answers: Map<string, Answering>
  /** The cards that the profile has. */
  readonly cards: Record<string, unknown>[]
  /** What each card asks for when it pays or is enrolled. */
  readonly needs: Map<string, string>
  /** What the purchase is. */
  readonly purchase: Record<string, unknown>
  readonly testCards: unknown[]
  /** What the frame's document says of it. */
  readonly facts: { mode: 'test' | 'live' }
  reset(): void
  stop(): Promise<void>
}

/** Plays the elements origin, the vault's public door and a page of an integrator, by the contract between them and the frame. */
export async function startStandIn(): Promise<ElementsStandIn> {
  const built = await buildElements()
  const world = {
    received: [] as Received[],
    answers: new Map<string, Answering>(),
    cards: [] as Record<string, unknown>[],
    purchase: { ...usualPurchase } as Record<string, unknown>,
    testCards: [] as unknown[],
    facts: { mode: 'test' as 'test' | 'live' },
    /** The component of each. */
    bootstraps: new Map<string, string>(),
  }
  const servers = [1, 2, 3].map(() => createServer())
  const [elements = '', vault = '', shop = ''] = await Promise.all(
    servers.map(async (server, place) => {
      await once(server.listen(0, '127.0.0.1'), 'listening')
      const { port } = server.address() as AddressInfo // of a TCP server
      return `http://${['elements', 'vault', 'shop'][place]}.localhost:${port}`
    }),
  )
  const origins = { elements, vault, shop }
  const proofs = createProofs(elements, enrolledCard)
  servers[0]?.on('request', (request, response) => {
    void answerElements(request, response, { world, built, origins, proofs })
  })
  servers[1]?.on('request', (request, response) => void answerVault(request, response, { world, origins }))
  servers[2]?.on('request', (request, response) => answerShop(request, response, origins))
  return {
    ...origins,
    ...world,
    needs: proofs.needs,
    reset() {
      world.received.length = 0
      world.answers.clear()
      world.cards.length = 0
      Object.assign(world.purchase, usualPurchase)
      proofs.reset()
      world.testCards.length = 0
      world.facts.mode = 'test'
    },
    async stop() {
      for (const server of servers) {
        server.close()
        server.closeAllConnections()
      }
      await Promise.all(servers.map((server) => once(server, 'close').catch(() => undefined)))
    },
  }
}

type World = {
  received: Received[]
  answers: Map<string, Answering>
  cards: Record<string, unknown>[]
  purchase: Record<string, unknown>
  testCards: unknown[]
  facts: { mode: 'test' | 'live' }
  bootstraps: Map<string, string>
}
type Origins = { elements: string; vault: string; shop: string }

async function answerElements(
  request: IncomingMessage,
  response: ServerResponse,
  {
    world,
    built,
    origins,
    proofs,
  }: { world: World; built: BuiltElements; origins: Origins; proofs: ProofsStandIn },
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', origins.elements)
  const file = pathname.replace('/assets/hash/', '')
  if (pathname.startsWith('/assets/')) {
    const answering = world.answers.get(file.replace(/-[A-Z0-9]{8}\.js$/, ''))
    if (answering !== undefined && (await answering({}, request)) === null)
      return void request.socket.destroy()
    return sendAsset(response, file, built)
  }
  if (pathname.startsWith('/elements/v1/frames/')) {
    const answering = world.answers.get('/elements/v1/frames')
    const answer = answering === undefined ? {} : await answering({}, request)
    if (answer === null) return void request.socket.destroy()
    const bootstrap = pathname.slice('/elements/v1/frames/'.length)
    const { assets = 'hash' } = (answer === 'usual' ? {} : (answer.body ?? {})) as { assets?: string }
    const isIsolated = searchParams.has('isolated')
    return sendFrame(response, { bootstrap, isIsolated, assets }, { world, origins })
  }
  const own = ownPages.find((name) => pathname === ownPagePath(name))
  if (own !== undefined) return sendOwnPage(response, own, origins.elements)
  if (pathname === '/elements/v1/ceremony')
    return void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(ceremonyPage)
  await answerCall(request, response, {
    world,
    allowed: pathname === '/elements/v1/bootstraps' ? (request.headers.origin ?? '') : origins.elements,
    usual: (body) =>
      proofs.answer(request.method, pathname, body) ??
      usualAnswer({ method: request.method, path: pathname, body }, world, origins),
  })
}

async function answerVault(
  request: IncomingMessage,
  response: ServerResponse,
  { world, origins }: { world: World; origins: Origins },
): Promise<void> {
  await answerCall(request, response, {
    world,
    allowed: origins.elements,
    usual: ({ number }) => ({
      status: 201,
      body: {
        vault_token_id: `pr_vt_test_${'a'.repeat(33)}`,
        // Of a new card, or typed again for one that is known.
        temporary_cvc_token_id: number === undefined ? 'pr_cvc_test_again' : 'pr_cvc_test_1',
        card_brand: 'visa',
        card_last4: String(number).slice(-4),
      },
    }),
  })
}

async function answerCall(
  request: IncomingMessage,
  response: ServerResponse,
  {
    world,
    allowed,
    usual,
  }: { world: World; allowed: string; usual: (body: Record<string, unknown>) => Answer },
): Promise<void> {
  const cors = {
    'access-control-allow-origin': allowed,
    'access-control-allow-headers': 'content-type, authorization, idempotency-key',
    'access-control-allow-methods': 'GET, POST',
    'access-control-expose-headers': 'retry-after',
  }
  if (request.method === 'OPTIONS') return void response.writeHead(204, cors).end()
  const [path = ''] = (request.url ?? '').split('?')
  const { origin, authorization } = request.headers
  const idempotencyKey = request.headers['idempotency-key']?.toString()
  const body = JSON.parse((await textOf(request)) || '{}')
  world.received.push({ path, origin, authorization, idempotencyKey, body })
  const named = `${request.method} ${path}`
  const key = world.answers.has(named) ? named : path
  const own = (await world.answers.get(key)?.(body, request)) ?? (world.answers.has(key) ? null : 'usual')
  const answer = own === 'usual' ? usual(body) : own
  if (answer === null) return void request.socket.destroy()
  response.writeHead(answer.status ?? 200, { ...cors, 'content-type': 'application/json', ...answer.headers })
  response.end(JSON.stringify(answer.body ?? {}))
}

type Call = { method: string | undefined; path: string; body: Record<string, unknown> }

function usualAnswer({ method, path, body }: Call, world: World, { elements, vault }: Origins): Answer {
  const { component } = body
  if (path === '/elements/v1/bootstraps') {
    const bootstrap = `pr_eb_test_${world.bootstraps.size + 1}`
    world.bootstraps.set(bootstrap, String(component))
    const frame_url = `${elements}/elements/v1/frames/${bootstrap}`
    return { status: 201, body: { bootstrap, frame_url, expires_at: '2030-01-01T00:00:00Z' } }
  }
  if (path === '/elements/v1/sessions') {
    const may = component === 'AddOrSelectPaymentMethod' ? ['write', 'read'] : ['write']
    return { status: 201, body: { session: 'pr_es_test_1', vault_url: vault, may, mode: 'test' } }
  }
  if (path === '/elements/v1/billing_addresses') return { status: 201, body: { id: 'addr_1' } }
  if (path === '/elements/v1/purchase_intent') return { body: world.purchase }
  if (path === '/elements/v1/payment_methods' && method === 'GET')
    return { body: { object: 'list', data: world.cards } }
  return { status: path === '/elements/v1/payment_methods' ? 201 : 200, body: addedCard() }
}

const usualPurchase = {
  id: 'pi_1',
  object: 'purchase_intent',
  profile_payment_method_id: null,
  currency_code: 'USD',
  max_allowed_amount: 3360,
  items: [
    { id: 'item_1', url: 'https://mugs.example/items/blue-mug', quantity: 2, expected_amount: 1250 },
    { id: 'item_2', url: 'https://tea.example/', quantity: 1, expected_amount: 300 },
  ],
  next_action: { type: 'approve', element: 'AddOrSelectPaymentMethod' },
}

/** A card that the profile has. */
export function savedCard(
  id: string,
  { brand = 'visa', last4 = '4242', year = 2035, ...more }: Record<string, unknown> = {},
): Record<string, unknown> {
  const card = { card_brand: brand, card_last4: last4, card_exp_month: 1, card_exp_year: year }
  return addedCard({
    id,
    is_default: false,
    card: { ...card, agentic_credentials_status: 'active' },
    ...more,
  })
}

export function addedCard(change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: 'pm_1',
    object: 'payment_method',
    type: 'card',
    card: {
      card_brand: 'visa',
      card_last4: '4242',
      card_exp_month: 1,
      card_exp_year: 2030,
      agentic_credentials_status: 'not_requested',
    },
    next_action: null,
    ...change,
  }
}

function enrolledCard(id: string): Record<string, unknown> {
  const { card, ...method } = addedCard({ id })
  return { ...method, card: { ...(card as object), agentic_credentials_status: 'active' } }
}

export function refusal(status: number, code: string, more: Record<string, unknown> = {}): Answer {
  const message = `The server says ${code}.`
  return {
    status,
    body: { detail: { code, message, param: null, request_id: 'req_1', retryable: false, ...more } },
  }
}

function sendAsset(response: ServerResponse, name: string, built: BuiltElements): void {
  const pages = (['frame', 'approval', 'ceremony'] as const).flatMap((page) => {
    const { js, css, more } = built[page]
    return Object.entries({ [`${page}.js`]: js, [`${page}.css`]: css, ...more })
  })
  const bytes = new Map<string, Uint8Array>([['prokura.js', built.loader], ...pages]).get(name)
  if (bytes === undefined) return void response.writeHead(404).end()
  const type = name.endsWith('.css') ? 'text/css' : 'text/javascript'
  response.writeHead(200, {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'max-age=3600',
    // A page that isolates itself loads nothing else.
    'cross-origin-resource-policy': 'cross-origin',
  })
  response.end(bytes)
}

function sendFrame(
  response: ServerResponse,
  { bootstrap, isIsolated, ...of }: { bootstrap: string; isIsolated: boolean; assets: string },
  { world, origins }: { world: World; origins: Origins },
): void {
  const { elements, vault, shop } = origins
  const assets = `${elements}/assets/${of.assets}/`
  const facts = {
    component: world.bootstraps.get(bootstrap) ?? 'AddPaymentMethod',
    host_origin: shop,
    bootstrap,
    ...world.facts,
    ...(world.testCards.length === 0 ? {} : { test_cards: world.testCards }),
  }
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; script-src ${assets}; style-src ${assets}; connect-src 'self' ${vault}; frame-ancestors ${shop}; base-uri 'none'; form-action 'none'`,
    'referrer-policy': 'no-referrer',
    ...(isIsolated
      ? { 'cross-origin-resource-policy': 'cross-origin', 'cross-origin-embedder-policy': 'require-corp' }
      : {}),
  })
  response.end(`<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Prokura</title>
<link rel="stylesheet" href="${assets}frame.css"><script type="module" src="${assets}frame.js"></script></head>
<body><div id="root"></div><script type="application/json" id="facts">${JSON.stringify(facts)}</script></body></html>`)
}

const ownPages = ['approval', 'ceremony'] as const

/** Where the stand-in has the pages of the product that stand in no frame: its own window plays a person. */
export function ownPagePath(name: (typeof ownPages)[number]): string {
  return `/pages/${name}`
}

function sendOwnPage(response: ServerResponse, name: string, elements: string): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  response.end(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Prokura</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="${elements}/assets/hash/${name}.css"><script type="module" src="${elements}/assets/hash/${name}.js"></script></head>
<body><main id="root"></main></body></html>`)
}

/** The page writes down everything that anybody says to it. */
function answerShop(request: IncomingMessage, response: ServerResponse, { elements }: Origins): void {
  const isIsolated = request.url?.includes('isolated') === true
  const isStrict = request.url?.includes('strict') === true
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    ...(isIsolated
      ? { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' }
      : {}),
    ...(isStrict
      ? {
          'content-security-policy': `default-src 'none'; script-src 'nonce-own' ${elements}; connect-src ${elements}; frame-src ${elements}; img-src data:; require-trusted-types-for 'script'; trusted-types 'none'`,
        }
      : {}),
  })
  response.end(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"></head>
<body style="margin:16px"><script nonce="own">
const heard = [], events = []
addEventListener('message', ({ data, origin }) => heard.push({ data, origin }))
const Channel = window.MessageChannel
window.MessageChannel = class { constructor() {
  const { port1, port2 } = new Channel()
  port1.addEventListener('message', ({ data }) => heard.push({ data }))
  Object.assign(this, { port1, port2 })
} }
</script><main><h1>Pay</h1><a id="before" href="#x">Before</a><div id="card"></div><a id="after" href="#y">After</a>
<button id="pay" onclick="pay()" hidden>Pay</button></main>
<script src="${elements}/assets/hash/prokura.js"></script>
<script nonce="own">
const listen = (element) => {
  for (const name of ['ready', 'change', 'complete', 'error']) element.on(name, (event) => events.push({ name, event }))
  return element
}
const create = ({ component = 'AddPaymentMethod', ...options } = {}) => {
  const ofPurchase = component === 'MerchantAuthHandoff' && options.purchaseIntentId === undefined
  const subject = ofPurchase ? { purchaseIntentId: 'pi_1' } : options.purchaseIntentId === undefined ? { profileId: 'prof_1' } : {}
  return listen(new Prokura(window.key ?? 'pr_pk_test_1').create(component, { ...subject, ...options }))
}
const outcomes = []
const pay = () => element.authorize().then((output) => outcomes.push({ output }), ({ code, message }) => outcomes.push({ code, message }))
</script></body></html>`)
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer) // of a request without an encoding
  return Buffer.concat(chunks).toString('utf8')
}
