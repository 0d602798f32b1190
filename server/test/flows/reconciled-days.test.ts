import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLiveRail } from '../../src/cli/open-rail.ts'
import { railMoves } from '../../src/composition.ts'
import { dayInvariant } from '../../src/domain/buying/rails/reconcile-day.ts'
import { runInvariants } from '../../src/platform/audit/invariants.ts'
import { Secret } from '../../src/platform/secrets/secret.ts'
import { testKeys } from '../harness/app.ts'
import { type Buying, startBuying } from '../harness/buying.ts'
import { prokura } from '../harness/command-runner.ts'
import { newLiveBuyer } from '../harness/live-buyers.ts'
import { answerOrder, type NativeShop, openNativeShop } from '../harness/native-shops.ts'
import { stripeLiveKey } from '../harness/stripe.ts'
import { serviceEnvironment } from '../harness/up.ts'

/** What Stripe says that it has moved on a day and what our rows say, each held against the other. */
let buying: Buying
let shop: NativeShop
let buyer: Awaited<ReturnType<typeof newLiveBuyer>>

beforeAll(async () => {
  buying = await startBuying({ live: true })
  shop = await openNativeShop(buying, 'live')
  buyer = await newLiveBuyer(buying)
})
afterAll(() => buying?.stop())

function opened(secretKey = stripeLiveKey) {
  const live = { url: buying.sandbox.stripeUrl, secretKey: new Secret(secretKey), cardholder: null }
  const rail = openLiveRail({ liveRail: 'stripe', stripe: { live } })
  if (rail === null) throw new Error('there is no rail')
  return rail
}

const dayMs = 86_400_000
/** The days in which this may run: it may begin before midnight. */
const dayOf = (offset: number) => async () => new Date((Math.floor(Date.now() / dayMs) + offset) * dayMs)

/** What was named before, and stays as it is at Stripe. */
const named = new Set<string>()

/** What is named of a day and was not named before. */
async function broken(offset = 0): Promise<string[]> {
  const rail = opened()
  const day = dayInvariant(rail, { sources: railMoves, dayOf: dayOf(offset) })
  const { invariants } = await runInvariants(buying.app.parts, [day]).finally(() => rail.close())
  const news = invariants.flatMap(({ violations }) => violations).filter((one) => !named.has(one))
  for (const one of news) named.add(one)
  return news
}

type Bought = { id: string; cart: string; order: string; intent: string; key: string }

async function held(): Promise<Bought> {
  const { id } = await buying.buy(buyer, [{ url: shop.url }])
  const { carts } = await buying.until(buyer, id, (one) => typeof one.carts[0]?.order === 'string')
  const cart = String(carts[0]?.id)
  const [row] = await buying.sql<{ reference: string }>(
    'select reference from authorizations where cart_id = $1',
    [cart],
  )
  const key = `${cart}:1:authorize`
  return { id, cart, order: String(carts[0]?.order), intent: String(row?.reference), key }
}

async function bought(): Promise<Bought> {
  const one = await held()
  await answerOrder(buying, shop, one.order, 'confirmed')
  expect(await buying.ended(buyer, one.id)).toMatchObject({ status: 'succeeded' })
  return one
}

async function refunded({ order }: Bought, amount: number): Promise<{ id: string; reference: string }> {
  const path = `/v1/merchant/orders/${order}/refunds`
  expect((await buying.app.post(path, { amount }, { key: shop.key })).status).toBe(201)
  const read = `select id, reference from order_refunds where order_id = $1 and status = 'succeeded'`
  await expect.poll(async () => (await buying.sql(read, [order])).length, { interval: 20 }).toBe(1)
  const [row] = await buying.sql<{ id: string; reference: string }>(read, [order])
  if (!row) throw new Error('there is no refund')
  return row
}

async function atStripe(path: string, fields: Record<string, string> = {}): Promise<{ id: string }> {
  const answer = await fetch(`${buying.sandbox.stripeUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stripeLiveKey}` },
    body: new URLSearchParams(fields),
  })
  expect(answer.status).toBe(200)
  return (await answer.json()) as { id: string } // as Stripe documents it
}

/** Somebody charges a card there. */
async function charged(more: Record<string, string> = {}): Promise<string> {
  const terms = { amount: '900', currency: 'usd', confirm: 'true', payment_method: 'pm_card_visa' }
  return (await atStripe('/v1/payment_intents', { ...terms, ...more })).id
}

test('a purchase, one whose merchant rejects, one that is held, and a refund in part leave no difference', async () => {
  await refunded(await bought(), 400)
  const rejected = await held()
  await answerOrder(buying, shop, rejected.order, 'rejected')
  await buying.ended(buyer, rejected.id)
  await held()
  expect(await broken()).toEqual([])
})

test('a capture that no row has is named: of a hold of ours, or under a key that nobody knows', async () => {
  const one = await held()
  await atStripe(`/v1/payment_intents/${one.intent}/capture`)
  expect(await broken()).toEqual([
    `${one.cart} 1: capture ${one.intent} of $10.00 (USD) is only at the rail, under the key ${one.key}`,
  ])
  const key = `cart_${randomUUID()}:1:authorize`
  const lost = await charged({ 'metadata[prokura_key]': key })
  expect(await broken()).toEqual([`capture ${lost} of $9.00 (USD) is only at the rail, under the key ${key}`])
})

test('a second capture under the key of a purchase is named beside the first', async () => {
  const { cart, key } = await bought()
  const twice = await charged({ 'metadata[prokura_key]': key })
  expect(await broken()).toEqual([
    `${cart} 1: capture ${twice} of $9.00 (USD) is only at the rail, under the key ${key}`,
  ])
})

test('a refund of our money that somebody made in the Dashboard is named, and what they do with theirs is not', async () => {
  const { intent } = await bought()
  const refund = await atStripe('/v1/refunds', { payment_intent: intent, amount: '300' })
  expect(await broken()).toEqual([
    `refund ${refund.id} of $3.00 (USD) is only at the rail, and was made elsewhere`,
  ])
  await atStripe('/v1/refunds', { payment_intent: await charged() })
  expect(await broken()).toEqual([])
})

test('what only a row has is named, captured or given back', async () => {
  const one = await bought()
  const given = await refunded(one, 250)
  await buying.sql(`update authorizations set reference = 'pi_gone' where cart_id = $1`, [one.cart])
  await buying.sql(`update order_refunds set reference = 're_gone' where id = $1`, [given.id])
  expect((await broken()).sort()).toEqual(
    [
      `${one.cart} 1: capture ${one.intent} of $10.00 (USD) is only at the rail, under the key ${one.key}`,
      `${one.cart} 1: capture pi_gone of $10.00 (USD) is only here`,
      `${one.order} ${given.id}: refund ${given.reference} of $2.50 (USD) is only at the rail, under the key ${given.id}`,
      `${one.order} ${given.id}: refund re_gone of $2.50 (USD) is only here`,
    ].sort(),
  )
})

test('another amount and another currency are named', async () => {
  const one = await bought()
  const given = await refunded(one, 250)
  await buying.sql(`update authorizations set captured_amount = 999 where cart_id = $1`, [one.cart])
  await buying.sql(`update order_refunds set amount = 251 where id = $1`, [given.id])
  expect((await broken()).sort()).toEqual(
    [
      `${one.cart} 1: capture ${one.intent} is $9.99 (USD) here and $10.00 (USD) at the rail`,
      `${one.order} ${given.id}: refund ${given.reference} is $2.51 (USD) here and $2.50 (USD) at the rail`,
    ].sort(),
  )
  await buying.sql(`update authorizations set captured_amount = 1000, currency = 'EUR' where cart_id = $1`, [
    one.cart,
  ])
  await buying.sql(`update order_refunds set amount = 250 where id = $1`, [given.id])
  expect(await broken()).toEqual([
    `${one.cart} 1: capture ${one.intent} is €10.00 (EUR) here and $10.00 (USD) at the rail`,
  ])
})

test.each([
  { currency: 'usd', amount: '1000', captured: '700', is: '$7.00 (USD)' },
  { currency: 'jpy', amount: '1000', captured: '700', is: '¥700 (JPY)' },
  { currency: 'isk', amount: '1000', captured: '700', is: 'ISK 7 (ISK)' },
  { currency: 'kwd', amount: '1000', captured: '700', is: 'KWD 0.700 (KWD)' },
])('a capture in part is what was taken, in minor units of its own currency: $currency', async (of) => {
  const key = `cart_${randomUUID()}:1:authorize`
  const { currency, amount } = of
  const part = { currency, amount, capture_method: 'manual', 'metadata[prokura_key]': key }
  const id = await charged(part)
  await atStripe(`/v1/payment_intents/${id}/capture`, { amount_to_capture: of.captured })
  expect(await broken()).toEqual([`capture ${id} of ${of.is} is only at the rail, under the key ${key}`])
})

test('a capture around midnight is judged on the day on which Stripe has it, and on no other', async () => {
  const { cart } = await bought()
  const late = `update effects set settled_at = settled_at - interval '1 day' where cart_id = $1 and step = 'capture'`
  await buying.sql(late, [cart])
  expect([await broken(-1), await broken()]).toEqual([[], []])
  await buying.sql(`update authorizations set captured_amount = 1 where cart_id = $1`, [cart])
  expect([await broken(-1), (await broken()).length]).toEqual([[], 1])
})

test('a capture whose answer is not known yet is no difference', async () => {
  const { cart } = await bought()
  await buying.sql(
    `update authorizations set status = 'authorized', captured_amount = 0 where cart_id = $1`,
    [cart],
  )
  const capture = `update effects set state = $2 where cart_id = $1 and step = 'capture'`
  for (const state of ['sent', 'unknown']) {
    await buying.sql(capture, [cart, state])
    expect(await broken()).toEqual([])
  }
  await buying.sql(capture, [cart, 'refused'])
  expect((await broken()).length).toBe(1)
})

test('of several refunds behind an issued card, the earlier ones are known by their keys', async () => {
  const { cart, intent } = await bought()
  await buying.sql(
    `insert into effects (account_id, mode, cart_id, attempt, step, key, intent_id, request_digest, request, state, sent_at, not_before,
       number, rail)
     select account_id, mode, cart_id, attempt, 'refund', cart_id || ':1:refund:2', intent_id, request_digest, '{"currency": "USD"}',
       'sent', sent_at, not_before, 2, rail from effects where cart_id = $1 and step = 'authorize'`,
    [cart],
  )
  const refund = (key: string) =>
    atStripe('/v1/refunds', { payment_intent: intent, amount: '100', 'metadata[prokura_key]': key })
  await refund(`${cart}:1:refund`)
  await refund(`${cart}:1:refund:2`)
  expect(await broken()).toEqual([])
  const { id } = await refund(`${cart}:1:refund:3`)
  expect(await broken()).toEqual([
    `refund ${id} of $1.00 (USD) is only at the rail, under the key ${cart}:1:refund:3`,
  ])
})

test('more than a page of movements is read to its end', async () => {
  for (let n = 0; n < 30; n++) await Promise.all([charged(), charged(), charged(), charged()])
  expect(await broken()).toEqual([])
  const rail = opened()
  const read = { from: await dayOf(0)(), until: await dayOf(1)(), page: null }
  const first = await rail.books.list(read, { mode: 'live', timeoutMs: 5_000 })
  await rail.close()
  expect([first?.bookings.length, typeof first?.next]).toEqual([100, 'string'])
})

test('the command names each difference of a day that is over, and ends with 1', async () => {
  const testMode = {
    ...serviceEnvironment(),
    DATABASE_URL: buying.app.databaseUrl,
    PROKURA_KEYS: testKeys,
  }
  const env = {
    ...testMode,
    PROKURA_LIVE_RAIL: 'stripe',
    PROKURA_STRIPE_URL: buying.sandbox.stripeUrl,
    PROKURA_STRIPE_SECRET_KEY: stripeLiveKey,
    PROKURA_STRIPE_PUBLISHABLE_KEY: 'pk_live_sandbox',
    PROKURA_PUBLIC_URL: 'https://api.example.com',
    PROKURA_ELEMENTS_URL: 'https://elements.example.com',
    PROKURA_CARDS_URL: 'https://cards.example.com',
    PROKURA_LIVE_CAP_DAILY: '4000.00 USD',
  }
  const nameOf = async (offset: number) => (await dayOf(offset)()).toISOString().slice(0, 10)
  const reconcile = (args: string[], more: Record<string, string> = {}) =>
    prokura(['rail', 'reconcile', ...args], { ...env, ...more })
  const { cart } = await bought()
  expect(await reconcile([])).toMatchObject({ code: 0, out: expect.stringContaining('Nothing differs.') })
  await buying.sql(
    `update effects set settled_at = settled_at - interval '1 day' where cart_id = $1 and step = 'capture'`,
    [cart],
  )
  await buying.sql(`update authorizations set reference = 'pi_gone' where cart_id = $1`, [cart])
  const differing = await reconcile(['--day', await nameOf(-1), '--json'])
  expect(differing.code).toBe(1)
  expect(JSON.parse(differing.out)).toMatchObject({
    object: 'rail_day',
    day: await nameOf(-1),
    differences: [
      {
        difference: 'only_here',
        kind: 'capture',
        subject: `${cart} 1`,
        reference: 'pi_gone',
        here: { amount: 1000, currency_code: 'USD' },
        there: null,
      },
    ],
  })
  const audit = JSON.parse((await prokura(['audit', '--json'], env)).out)
  expect(audit.invariants.find(({ id }: { id: string }) => id === 'M6-rail-day')).toMatchObject({
    violations: [`${cart} 1: capture pi_gone of $10.00 (USD) is only here`],
  })
  const early = await reconcile(['--day', await nameOf(0)])
  expect([early.code, early.err]).toEqual([1, expect.stringContaining('is not over')])
  const silent = await reconcile([], { PROKURA_STRIPE_SECRET_KEY: 'sk_live_nobody' })
  expect([silent.code, silent.err]).toEqual([1, expect.stringContaining('did not answer')])
  const none = await prokura(['rail', 'reconcile'], testMode)
  expect([none.code, none.err]).toEqual([1, expect.stringContaining('no payment rail')])
})
