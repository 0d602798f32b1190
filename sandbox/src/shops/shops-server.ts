import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openDurableLog } from '../durable-log.ts'
import { amount, BadRequest, type Fields, integer, optionalText, text } from '../fields.ts'
import {
  type Answer,
  type Call,
  destroy,
  json,
  list,
  problem,
  type Route,
  type RunningServer,
  serveJson,
} from '../json-server.ts'
import {
  applyLine,
  type Checkout,
  emptyMemory,
  entryFor,
  type ShopsLine,
  type StoredOffer,
} from './checkout.ts'
import { closeCheckout, placeOrder, type Shops } from './place-order.ts'
import { parseOfferRequest, priceOffer, scenariosOf } from './price-offer.ts'
import { standingOf } from './sign-in.ts'

export type ShopsSettings = { slowMs: number; lateConfirmationMs: number }

export const shopsDefaults: ShopsSettings = { slowMs: 3_000, lateConfirmationMs: 2_000 }

/** The merchants behind every https URL that test mode knows no other merchant for. */
export async function startShops(options: {
  stateDir: string
  port: number
  processorUrl: string
  settings: ShopsSettings
  controlToken: string
}): Promise<RunningServer> {
  const memory = emptyMemory()
  const log = await openDurableLog<ShopsLine>(join(options.stateDir, 'shops.jsonl'), (line) =>
    applyLine(memory, line),
  )
  const stopping = new AbortController()
  const shops: Shops = {
    memory,
    processorUrl: options.processorUrl,
    signal: stopping.signal,
    commit: (line) => {
      applyLine(memory, line)
      void log.append(line)
    },
    durable: log.durable,
    running: new Map(),
  }
  for (const { key, state } of memory.checkouts.values()) {
    if (state.kind === 'waiting' || state.kind === 'charging') void placeOrder(shops, key)
  }
  const routes = routesOf(shops, options.settings)
  const server = await serveJson({ ...options, routes, settled: log.durable })
  return {
    url: server.url,
    close: async () => {
      stopping.abort()
      await server.close()
      await log.close()
    },
  }
}

function routesOf(shops: Shops, settings: ShopsSettings): Route[] {
  return [
    { method: 'POST', path: '/v1/offers', handle: (call) => makeOffer(shops, settings, call) },
    { method: 'GET', path: '/v1/offers/:id', handle: (call) => showOffer(shops, call) },
    { method: 'POST', path: '/v1/checkouts', handle: (call) => checkOut(shops, settings, call) },
    { method: 'GET', path: '/v1/checkouts', handle: (call) => showCheckout(shops, call) },
    { method: 'POST', path: '/v1/checkouts/close', handle: (call) => close(shops, call) },
    { method: 'GET', path: '/log', handle: () => list(shops.memory.entries) },
    { method: 'GET', path: '/health', handle: () => json(200, { ok: true, service: 'shops' }) },
  ]
}

async function makeOffer(shops: Shops, settings: ShopsSettings, call: Call): Promise<Answer> {
  const request = parseOfferRequest(call.body())
  const scenarios = scenariosOf(request)
  if (scenarios.has('error_then_ok') && !shops.memory.failedCarts.has(request.cartKey)) {
    shops.commit({ kind: 'failed_once', cartKey: request.cartKey })
    return problem(500, 'internal_error', 'The shop is failing on purpose')
  }
  if (scenarios.has('slow')) await wait(settings.slowMs)
  const standing = standingOf(request, scenarios, shops.memory)
  const { cartKey, signIn } = request
  if (standing === 'refused' && signIn !== null)
    shops.commit({ kind: 'sign_in_refused', cartKey, ticket: signIn.ticket })
  if (standing === 'signed_in') shops.commit({ kind: 'signed_in', cartKey })
  const priced = priceOffer(request, `off_${randomUUID().replaceAll('-', '')}`, standing)
  if (priced.kind === 'refusal') return json(409, { refusal: priced.refusal })
  shops.commit({ kind: 'offer', stored: { offer: priced.offer, scenarios: [...scenarios] } })
  return json(200, priced.offer)
}

function showOffer(shops: Shops, call: Call): Answer {
  const stored = shops.memory.offers.get(call.params.id ?? '')
  return stored === undefined ? problem(404, 'not_found', 'There is no such offer') : json(200, stored.offer)
}

/** How long a caller waits for the processor before it is told `pending`; the charge itself goes on. */
const ANSWER_WITHIN_MS = 5_000

async function checkOut(shops: Shops, settings: ShopsSettings, call: Call): Promise<Answer> {
  const key = call.header('idempotency-key')
  if (key === undefined || !/^[\x21-\x7e]{1,250}$/.test(key)) {
    throw new BadRequest(
      'Idempotency-Key is required: 1 to 250 visible ASCII characters',
      'idempotency_key_required',
    )
  }
  const request = parseCheckout(call.body())
  const known = shops.memory.checkouts.get(key)
  if (known !== undefined) return repeatCheckout(shops, known, request.digest)

  const stored = shops.memory.offers.get(request.offerId)
  if (stored === undefined) return problem(404, 'not_found', 'There is no such offer')
  const checkout = newCheckout(key, request, stored)
  const scenarios = new Set(stored.scenarios)
  if (scenarios.has('lost_answer_not_placed')) {
    shops.commit({ kind: 'entry', entry: entryFor(stored.offer, checkout, 'lost') })
    return destroy
  }
  if (scenarios.has('rejected')) {
    const refusal = { code: 'order_rejected_by_merchant', message: 'The shop does not accept this order' }
    const refused: Checkout = { ...checkout, state: { kind: 'refused', refusal } }
    const entry = entryFor(stored.offer, refused, `refused:${refusal.code}`)
    shops.commit({ kind: 'checkout', checkout: refused, entry })
    return answerFor(shops, refused)
  }
  if (scenarios.has('late_confirmation')) {
    const dueAt = new Date(Date.now() + settings.lateConfirmationMs).toISOString()
    const waiting: Checkout = { ...checkout, state: { kind: 'waiting', dueAt } }
    shops.commit({ kind: 'checkout', checkout: waiting, entry: entryFor(stored.offer, waiting, 'pending') })
    void placeOrder(shops, key)
    return answerFor(shops, waiting)
  }
  shops.commit({ kind: 'checkout', checkout, entry: null })
  const answer = await answerWhenPlaced(shops, key)
  return scenarios.has('lost_answer_placed') ? destroy : answer
}

function repeatCheckout(shops: Shops, known: Checkout, digest: string): Answer | Promise<Answer> {
  if (known.state.kind === 'closed') return answerFor(shops, known)
  if (known.digest !== digest) {
    const refusal = {
      code: 'idempotency_key_conflict',
      message: 'This key was already used with another request',
    }
    return json(409, { refusal })
  }
  return known.state.kind === 'charging' ? answerWhenPlaced(shops, known.key) : answerFor(shops, known)
}

async function answerWhenPlaced(shops: Shops, key: string): Promise<Answer> {
  const timer = new AbortController()
  const tooLong = wait(ANSWER_WITHIN_MS, undefined, { signal: timer.signal }).catch(() => {})
  await Promise.race([placeOrder(shops, key), tooLong])
  timer.abort()
  const checkout = shops.memory.checkouts.get(key)
  return checkout === undefined
    ? problem(404, 'not_found', 'There is no such checkout')
    : answerFor(shops, checkout)
}

function showCheckout(shops: Shops, call: Call): Answer {
  const key = call.query.get('key')
  if (key === null || key === '') throw new BadRequest('key is required')
  const checkout = shops.memory.checkouts.get(key)
  return json(200, checkout === undefined ? { status: 'not_found' } : describe(shops, checkout))
}

async function close(shops: Shops, call: Call): Promise<Answer> {
  const key = text(call.body(), 'key')
  const state = await closeCheckout(shops, key)
  if (state === 'unknown')
    return problem(
      503,
      'processor_unavailable',
      'It is not known whether the card was charged; close this key again',
    )
  const checkout = shops.memory.checkouts.get(key)
  return json(200, checkout === undefined ? { status: 'closed' } : describe(shops, checkout))
}

function answerFor(shops: Shops, checkout: Checkout): Answer {
  const body = describe(shops, checkout)
  switch (checkout.state.kind) {
    case 'placed':
      return json(200, body)
    case 'waiting':
    case 'charging':
      return json(202, body)
    case 'refused':
      return json(checkout.state.refusal.code === 'payment_declined' ? 402 : 409, body)
    case 'closed':
      return json(409, {
        ...body,
        refusal: { code: 'closed', message: 'This key is closed, so no order is placed with it' },
      })
    default:
      return checkout.state satisfies never
  }
}

function describe(shops: Shops, checkout: Checkout): Fields {
  const { state } = checkout
  const offer = shops.memory.offers.get(checkout.offerId)?.offer
  switch (state.kind) {
    case 'placed':
      return {
        status: 'placed',
        order_id: checkout.orderId,
        transaction_id: state.transactionId,
        total: offer?.total,
        currency: offer?.currency,
      }
    case 'refused':
      return { status: 'refused', refusal: state.refusal }
    case 'waiting':
    case 'charging':
      return { status: 'pending' }
    case 'closed':
      return { status: 'closed' }
    default:
      return state satisfies never
  }
}

type CheckoutRequest = { offerId: string; credential: string; reference: string | undefined; digest: string }

/** `amount` is checked for its form and then ignored: a shop charges the price that it offered. */
function parseCheckout(body: Fields): CheckoutRequest {
  const offerId = text(body, 'offer_id')
  const credential = text(body, 'credential')
  const reference = optionalText(body, 'reference')
  const said = amount(body, 'amount')
  const digest = createHash('sha256')
    .update(JSON.stringify([offerId, credential, said, reference ?? null]))
    .digest('hex')
  return { offerId, credential, reference, digest }
}

function newCheckout(key: string, request: CheckoutRequest, { offer }: StoredOffer): Checkout {
  return {
    key,
    digest: request.digest,
    offerId: request.offerId,
    credential: request.credential,
    orderId: `SHOP-${randomUUID().slice(0, 13).toUpperCase()}`,
    reference: request.reference ?? offer.cart_key,
    state: { kind: 'charging' },
  }
}

const MINUTE_MS = 60_000

export function parseShopsSettings(body: Fields): Partial<ShopsSettings> {
  const settings: Partial<ShopsSettings> = {}
  for (const name of Object.keys(body)) {
    if (name === 'slow_ms') settings.slowMs = integer(body, name, { min: 0, max: MINUTE_MS })
    else if (name === 'late_confirmation_ms')
      settings.lateConfirmationMs = integer(body, name, { min: 0, max: MINUTE_MS })
    else throw new BadRequest(`There is no setting ${name}`)
  }
  return settings
}
