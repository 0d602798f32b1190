import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  control,
  controlToken,
  type Json,
  post,
  type Reply,
  temporaryFolder,
} from '../../../test/run-sandbox.ts'
import { startStripe } from '../stripe-server.ts'

const state = temporaryFolder()
const secret = 'whsec_of_a_test'
let url: string
let close: () => Promise<void>
let stripe: Stripe
let cardholder: string
/** What the account answers, and the events that it got. */
let answer: (response: ServerResponse) => void
let events: Stripe.Event[] = []
const account = createServer((request, response) => void receive(request, response))

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const signature = String(request.headers['stripe-signature'])
  events.push(stripe.webhooks.constructEvent(Buffer.concat(chunks), signature, secret))
  answer(response)
}

const says =
  (body: object | string, headers: Record<string, string> = { 'stripe-version': '2026-10-28.endive' }) =>
  (response: ServerResponse) =>
    response.writeHead(200, headers).end(typeof body === 'string' ? body : JSON.stringify(body))

async function start(): Promise<void> {
  const server = await startStripe({ stateDir: state.path, port: 0, controlToken })
  ;({ url, close } = server)
  const { hostname: host, port } = new URL(url)
  stripe = new Stripe('sk_test_sandbox', { host, port, protocol: 'http', maxNetworkRetries: 0 })
}

beforeAll(async () => {
  await start()
  await new Promise<void>((resolve) => account.listen(0, '127.0.0.1', resolve))
  const holder = await stripe.issuing.cardholders.create({
    name: 'Prokura Operations',
    type: 'company',
    phone_number: '+14155550100',
    billing: { address: { line1: '1 Main Street', city: 'Austin', country: 'US', postal_code: '78701' } },
  })
  cardholder = holder.id
})
afterEach(async () => {
  events = []
  await control(`${url}/control/issuing`, { endpoint: null, fallback: 'decline', answer_within_ms: 2_000 })
  await control(`${url}/control/issuing/funds`, { currency: 'USD', amount: 100_000_000 })
})
afterAll(async () => {
  await close()
  account.close()
  state.remove()
})

async function decidedByAccount(more: object = {}): Promise<void> {
  const address = account.address()
  const port = typeof address === 'object' ? address?.port : 0
  await control(`${url}/control/issuing`, { endpoint: `http://127.0.0.1:${port}/in`, secret, ...more })
}

const spending = (amount: number): Stripe.Issuing.CardCreateParams.SpendingControls => ({
  spending_limits: [{ amount, interval: 'all_time' }],
})

async function issue(more: Partial<Stripe.Issuing.CardCreateParams> = {}) {
  const card = await stripe.issuing.cards.create({
    cardholder,
    currency: 'usd',
    type: 'virtual',
    status: 'active',
    spending_controls: spending(1_000),
    ...more,
  })
  const { number, cvc, exp_month, exp_year } = await stripe.issuing.cards.retrieve(card.id, {
    expand: ['number', 'cvc'],
  })
  const typed = { number, expiry: `${exp_month}/${exp_year % 100}`, security_code: cvc }
  return {
    card,
    number: number ?? '',
    authorize: (amount: number, fields: Json = {}) =>
      shop('card_authorizations', {
        ...typed,
        amount,
        currency: 'USD',
        merchant: 'classic.shop.test',
        ...fields,
      }),
    force: (amount: number) =>
      shop('forced_captures', { number, amount, currency: 'USD', merchant: 'classic.shop.test' }),
    authorizations: async () => (await stripe.issuing.authorizations.list({ card: card.id })).data,
    transactions: async () =>
      (await stripe.issuing.transactions.list({ card: card.id })).data.map(({ type, amount }) => [
        type,
        amount,
      ]),
  }
}

let calls = 0

function shop(path: string, body: Json, key = `shop_${++calls}`): Promise<Reply> {
  return post(`${url}/network/v1/${path}`, body, { 'idempotency-key': key })
}

const decline = (code: string) => ({ status: 402, body: { error: { decline_code: code } } })

test('a number is told where it is asked for and nowhere else, and the same key issues one card', async () => {
  const { card, number } = await issue()
  expect(number).toMatch(/^400000999\d{7}$/)
  const everything = [card, await stripe.issuing.cards.list({ cardholder, type: 'virtual' })]
  expect(JSON.stringify([everything, await (await fetch(`${url}/log`)).json()])).not.toContain(number)
  const terms = { cardholder, currency: 'usd', type: 'virtual', metadata: { order: 'o-1' } } as const
  const made = [1, 2].map(() => stripe.issuing.cards.create(terms, { idempotencyKey: 'one-card' }))
  const [first, second] = await Promise.all(made.map((one) => one.catch(() => null)))
  const again = await stripe.issuing.cards.create(terms, { idempotencyKey: 'one-card' })
  expect([first?.id ?? again.id, second?.id ?? again.id]).toEqual([again.id, again.id])
  expect(again).toMatchObject({ status: 'inactive', metadata: { order: 'o-1' } })
})

test.each<[string, Partial<Stripe.Issuing.CardCreateParams>, string]>([
  ['of nobody', { cardholder: 'ich_nobody' }, 'cardholder'],
  ['in a currency of no program', { currency: 'jpy' }, 'currency'],
  [
    'for one payment only, which the simulator leaves out',
    { lifecycle_controls: { cancel_after: { payment_count: 1 } } },
    'lifecycle_controls[cancel_after][payment_count]',
  ],
])('no card is issued %s', async (_, change, param) => {
  await expect(
    stripe.issuing.cards.create({ cardholder, currency: 'usd', type: 'virtual', ...change }),
  ).rejects.toMatchObject({ statusCode: 400, param })
})

test('the limit counts what is held and what was captured, whatever number of authorizations there is', async () => {
  const { authorize, authorizations, transactions } = await issue()
  const [first] = await Promise.all([authorize(600), authorize(300)])
  expect(await authorize(101)).toMatchObject(decline('spending_controls'))
  const { status, body } = first as Reply
  expect(status).toBe(201)
  const captured = await shop(`card_authorizations/${body.id}/captures`, { amount: 400 })
  expect(captured.status).toBe(201)
  await shop(`card_authorizations/${body.id}/captures`, { amount: 100, is_final: true })
  await shop(`captures/${captured.body.id}/refunds`, { amount: 150 })
  expect(await shop(`captures/${captured.body.id}/refunds`, { amount: 251 })).toMatchObject({ status: 409 })
  expect(await transactions()).toEqual([
    ['refund', 150],
    ['capture', -100],
    ['capture', -400],
  ])
  expect((await authorizations()).map(({ status: stands }) => stands).sort()).toEqual([
    'closed',
    'closed',
    'pending',
  ])
  // The final capture has left 100, and a refund gives nothing back to the limit.
  expect((await authorize(201)).status).toBe(402)
  expect((await authorize(200)).status).toBe(201)
})

test('a merchant can ask for more, give back in part, take too much, and take without asking', async () => {
  const { card, authorize, force, authorizations, transactions } = await issue()
  const { body } = await authorize(500)
  expect((await shop(`card_authorizations/${body.id}/increments`, { amount: 300 })).body).toMatchObject({
    amount: 800,
  })
  expect(await shop(`card_authorizations/${body.id}/increments`, { amount: 201 })).toMatchObject(
    decline('spending_controls'),
  )
  await shop(`card_authorizations/${body.id}/reversals`, { amount: 100 })
  const [held] = await authorizations()
  expect(held).toMatchObject({ amount: 700, status: 'pending', approved: true })
  expect(held?.request_history.map(({ amount, approved }) => [amount, approved])).toEqual([
    [500, true],
    [300, true],
    [201, false],
  ])
  expect((await shop(`card_authorizations/${body.id}/captures`, { amount: 750 })).status).toBe(409)
  await shop(`card_authorizations/${body.id}/captures`, { amount: 750, is_over: true })
  await stripe.issuing.cards.update(card.id, { status: 'canceled' })
  expect(await authorize(1)).toMatchObject(decline('card_canceled'))
  expect((await force(900)).status).toBe(201)
  expect(await transactions()).toEqual([
    ['capture', -900],
    ['capture', -750],
  ])
  await expect(stripe.issuing.cards.update(card.id, { status: 'active' })).rejects.toMatchObject({
    statusCode: 400,
  })
})

test('a card pays where it may, to who knows it, and not more than is in the balance', async () => {
  const { authorize } = await issue({
    spending_controls: { ...spending(1_000), allowed_merchant_countries: ['US'] },
  })
  expect(await authorize(1, { security_code: '12' })).toMatchObject(decline('verification_failed'))
  expect(await authorize(1, { country: 'FR' })).toMatchObject(decline('spending_controls'))
  expect(await authorize(1, { currency: 'EUR' })).toMatchObject(decline('not_allowed'))
  const issuing = async () => {
    const { available = [] } = (await stripe.balance.retrieve()).issuing ?? {}
    return available.find(({ currency }) => currency === 'usd')?.amount ?? 0
  }
  const before = await issuing()
  const { body } = await authorize(200)
  expect(await issuing()).toBe(before - 200)
  await shop(`card_authorizations/${body.id}/reversals`, {})
  expect(await issuing()).toBe(before)
  await control(`${url}/control/issuing/funds`, { currency: 'USD', amount: 100_000_000 - before + 99 })
  expect(await authorize(100)).toMatchObject(decline('insufficient_funds'))
  expect((await authorize(99)).status).toBe(201)
})

test('the account decides in the body of its answer, and knows who asks for how much', async () => {
  await decidedByAccount()
  const { card, authorize, authorizations } = await issue()
  answer = says({ approved: true, metadata: { cart: 'c-1' } })
  const { body } = await authorize(600, { merchant_name: 'CLASSIC*SHOP', network_id: '123' })
  answer = says({ approved: false })
  expect(await authorize(100)).toMatchObject(decline('webhook_declined'))
  const [asked] = events
  expect(asked?.type).toBe('issuing_authorization.request')
  expect(asked?.data.object).toMatchObject({
    id: body.id,
    amount: 0,
    approved: false,
    status: 'pending',
    card: { id: card.id },
    pending_request: { amount: 600, currency: 'usd', is_amount_controllable: false },
    merchant_data: { name: 'CLASSIC*SHOP', network_id: '123', country: 'US' },
    request_history: [],
  })
  const [, held] = await authorizations()
  expect(held).toMatchObject({ amount: 600, metadata: { cart: 'c-1' }, pending_request: null })
  // What the controls forbid is not asked.
  expect(await authorize(401)).toMatchObject(decline('spending_controls'))
  expect(events).toHaveLength(2)
})

test.each<[string, () => (response: ServerResponse) => unknown, string]>([
  ['without the version', () => says({ approved: true }, {}), 'webhook_error'],
  ['that is no decision', () => says({ approved: 'yes' }), 'webhook_error'],
  ['that is no JSON', () => says('yes'), 'webhook_error'],
  ['of another status', () => (response) => response.writeHead(500).end(), 'webhook_error'],
  ['that never comes', () => () => undefined, 'webhook_timeout'],
])('an answer %s is none, and the account has said what follows', async (_, how, reason) => {
  const { authorize, authorizations } = await issue()
  for (const fallback of ['decline', 'approve']) {
    await decidedByAccount({ fallback, answer_within_ms: 200 })
    answer = how()
    expect((await authorize(10)).status).toBe(fallback === 'approve' ? 201 : 402)
  }
  const reasons = (await authorizations()).map(({ request_history: history }) => history[0]?.reason)
  expect(reasons).toEqual([reason, reason])
})

test('two that are decided at once never pass the limit together, and a key asks once', async () => {
  await decidedByAccount()
  const { authorize } = await issue()
  answer = (response) => setTimeout(() => says({ approved: true })(response), 50)
  const both = await Promise.all([authorize(600), authorize(600)])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 402])
  expect(events).toHaveLength(1)
})

test('all that happened is there after a restart, and lists are read from either end', async () => {
  const { card, authorize } = await issue()
  for (let n = 0; n < 5; n++) {
    const { body } = await authorize(100)
    await shop(`card_authorizations/${body.id}/captures`, { amount: 10 * (n + 1), is_final: true })
  }
  await close()
  await start()
  const query = { card: card.id, limit: 2 } as const
  const amounts = ({ data }: { data: Stripe.Issuing.Transaction[] }) => data.map(({ amount }) => -amount)
  const all = await stripe.issuing.transactions.list({ card: card.id })
  expect(amounts(all)).toEqual([50, 40, 30, 20, 10])
  const newer = await stripe.issuing.transactions.list({ ...query, ending_before: all.data[4]?.id ?? '' })
  expect([amounts(newer), newer.has_more]).toEqual([[30, 20], true])
  const older = await stripe.issuing.transactions.list({ ...query, starting_after: all.data[2]?.id ?? '' })
  expect([amounts(older), older.has_more]).toEqual([[20, 10], false])
})
