import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { type Buying, type Purchase, startBuying } from '../harness/buying.ts'
import { newLiveBuyer } from '../harness/live-buyers.ts'
import { openStrangers } from '../harness/strangers.ts'
import { stripeLiveKey, stripeSimulator } from '../harness/stripe.ts'

type LiveBuyer = Awaited<ReturnType<typeof newLiveBuyer>>

/**
 * Live mode buys over UCP and MPP at sellers of Stripe's network: a shared payment token of the buyer's own card is issued for the one seller,
 * who charges it as itself. Stripe's memory, the shop's book and what the buyer is told are compared.
 */
let buying: Buying
let stripe: ReturnType<typeof stripeSimulator>
let strangers: ReturnType<typeof openStrangers>

beforeAll(async () => {
  buying = await startBuying({ live: true, testClock: true, strangers: true })
  await installTestClock(buying.app.databaseUrl)
  stripe = stripeSimulator(buying.sandbox)
  strangers = openStrangers(buying)
  for (const host of ['ucp', 'mpp']) await strangers.know(`${host}.shop.test`, null, [], 'live')
})
afterEach(async () => {
  await stripe.clearFaults()
  await buying.audit()
})
afterAll(() => buying?.stop())

type Wanted = { readonly path: string; readonly seconds?: number }

function order(buyer: LiveBuyer, shop: 'ucp' | 'mpp', path: string): Promise<Purchase> {
  const [url, amount, method] =
    shop === 'ucp'
      ? [`https://ucp.shop.test/products/${path}`, 2_500, 'ship']
      : [`https://mpp.shop.test/v1/${path}?city=Oslo`, 250, 'digital']
  return buying.buy(buyer, [{ url, amount }], {
    preferences: { fulfillment: { method } },
    max_amount: 12_000,
  })
}

/** Everywhere: a buyer has half an hour by both clocks. */
async function pass(seconds: number): Promise<void> {
  await stripe.forward(seconds)
  await advanceTestClock(buying.app.databaseUrl, seconds)
}

/** Its end; so much time passes between two looks, wherever it waits. */
async function ended(buyer: LiveBuyer, { id }: Purchase, seconds = 2): Promise<Purchase> {
  const over = ['succeeded', 'failed', 'cancelled', 'awaiting_approval']
  return buying.until(buyer, id, ({ status, carts }) => {
    if (over.includes(status) && carts.length > 0) return true
    void pass(seconds)
    return false
  })
}

/** What Stripe says of the token of a purchase to the account that has issued it: how it ended, and what was taken by it. */
async function tokenOf(id: string): Promise<[string | null, number] | null> {
  const [row] = await buying.sql<{ reference: string }>(
    'select reference from authorizations where intent_id = $1',
    [id],
  )
  if (!row) return null
  const answer = await fetch(`${stripe.url}/v1/shared_payment/issued_tokens/${row.reference}`, {
    headers: { authorization: `Bearer ${stripeLiveKey}` },
  })
  const token = JSON.parse(await answer.text())
  expect(token).toMatchObject({
    livemode: true,
    seller_details: { network_business_profile: 'profile_sandbox' },
  })
  return [token.deactivated_reason, token.usage_details.amount_captured.value]
}

/** A purchase, with what moved at Stripe meanwhile, and what the shop has in its book of it. */
async function witnessed(shop: 'ucp' | 'mpp', { path, seconds }: Wanted, buyer?: LiveBuyer) {
  const who = buyer ?? (await newLiveBuyer(buying))
  const [sold, moved] = [(await strangers.orders(shop)).length, (await stripe.log()).length]
  const purchase = await ended(who, await order(who, shop, path), seconds)
  await buying.settled()
  const orders = (await strangers.orders(shop)).slice(sold)
  return {
    purchase,
    token: await tokenOf(purchase.id),
    taken: orders.reduce((sum, { captured, refunded }) => sum + Number(captured) - Number(refunded), 0),
    moves: (await stripe.log())
      .slice(moved)
      .map(({ operation, amount, result }) => `${operation} ${amount} ${result}`),
  }
}

const soldOverUcp = ['issue 3240 succeeded', 'confirm 3240 requires_capture', 'capture 3240 succeeded']
const soldOverMpp = ['issue 250 succeeded', 'confirm 250 requires_capture', 'capture 250 succeeded']

test.each([
  ['ucp', 'kettle'],
  ['ucp', 'takes-its-time'],
  ['ucp', 'dies-after-order'],
  ['ucp', 'garbage-at-complete'],
  ['mpp', 'token-forecast'],
  ['mpp', 'forecast'],
  ['mpp', 'token-dies-after-charge'],
  ['mpp', 'token-error-after-charge'],
] as const)('%s sells %s for one token, which is charged once', async (shop, path) => {
  const amount = shop === 'ucp' ? 3_240 : 250
  const { purchase, token, taken, moves } = await witnessed(shop, { path })
  expect(purchase, JSON.stringify(purchase)).toMatchObject({ status: 'succeeded', actual_amount: amount })
  expect(purchase.carts[0]).toMatchObject({ channel: shop, status: 'succeeded' })
  expect([moves, token, taken]).toEqual([
    shop === 'ucp' ? soldOverUcp : soldOverMpp,
    ['consumed', amount],
    amount,
  ])
})

test.each([
  ['ucp', { path: 'dearer-at-complete' }, 'price_changed'],
  ['ucp', { path: 'declined' }, 'payment_declined'],
  ['ucp', { path: 'asks-more' }, 'payment_declined'],
  ['ucp', { path: 'dies-before-order' }, 'merchant_unavailable'],
  ['ucp', { path: 'never-settles', seconds: 30 }, 'merchant_unavailable'],
  ['mpp', { path: 'token-asks-more' }, 'payment_declined'],
  ['mpp', { path: 'token-other-network' }, 'merchant_changed'],
  ['mpp', { path: 'token-never-taken' }, 'merchant_unavailable'],
] as const)('%s takes nothing for %o, and its token is revoked', async (shop, wanted, code) => {
  const { purchase, token, taken } = await witnessed(shop, wanted)
  expect(purchase, JSON.stringify(purchase)).toMatchObject({ status: 'failed', actual_amount: 0 })
  expect(purchase.carts[0]).toMatchObject({ failure_reason: { code } })
  expect([token, taken]).toEqual([['revoked', 0], 0])
})

test('a business that cannot be paid from live mode is bought from in no other way', async () => {
  const { purchase, token, moves } = await witnessed('ucp', { path: 'paid-elsewhere' })
  expect(purchase.carts[0]).toMatchObject({ failure_reason: { code: 'merchant_unsupported' } })
  expect([token, moves]).toEqual([null, []])
})

test('a card that is refused pays nobody, and its token is revoked', async () => {
  for (const shop of ['ucp', 'mpp'] as const) {
    const buyer = await newLiveBuyer(buying, 'pm_card_chargeCustomerFail')
    const path = shop === 'ucp' ? 'kettle' : 'token-forecast'
    const { purchase, token, taken } = await witnessed(shop, { path }, buyer)
    expect(purchase.carts[0]).toMatchObject({
      failure_reason: { code: 'payment_declined' },
      actual_amount: 0,
    })
    expect([token, taken]).toEqual([['revoked', 0], 0])
  }
})

describe('a token whose buyer the bank wants', () => {
  async function asked(shop: 'ucp' | 'mpp' = 'ucp') {
    const buyer = await newLiveBuyer(buying, 'pm_card_authenticationRequired')
    const { id } = await order(buyer, shop, shop === 'ucp' ? 'kettle' : 'token-forecast')
    const intent = await buying.until(buyer, id, ({ next_action }) => next_action !== null)
    expect(intent).toMatchObject({
      status: 'awaiting_approval',
      next_action: { type: 'verify_payment', method: 'popup' },
    })
    return { buyer, intent, page: String((intent.next_action as { url: string }).url) }
  }

  test.each(['ucp', 'mpp'] as const)(
    'waits for them at a page, and pays over %s once they have confirmed',
    async (shop) => {
      const sold = (await strangers.orders(shop)).length
      const { buyer, intent, page } = await asked(shop)
      expect(await strangers.orders(shop)).toHaveLength(sold)
      expect(await stripe.answerAtBank(page, 'complete')).toBe(303)
      const amount = shop === 'ucp' ? 3_240 : 250
      const bought = await buying.until(buyer, intent.id, ({ status }) => {
        void pass(5)
        return status === 'succeeded' || status === 'failed'
      })
      expect(bought, JSON.stringify(bought)).toMatchObject({ status: 'succeeded', actual_amount: amount })
      expect(await tokenOf(intent.id)).toEqual(['consumed', amount])
    },
  )

  test('pays nothing where they refuse, and where they do not come', async () => {
    const [no, never] = [await asked(), await asked()]
    await stripe.answerAtBank(no.page, 'fail')
    for (const { buyer, intent } of [no, never]) {
      const is = ({ status }: Purchase) => {
        void pass(60)
        return status === 'failed'
      }
      const { carts } = await buying.until(buyer, intent.id, is)
      expect(carts[0]).toMatchObject({ failure_reason: { code: 'payment_authentication_failed' } })
    }
    await buying.settled()
    // Whoever comes to the page afterwards finds nothing to confirm.
    for (const { page } of [no, never]) expect(await stripe.answerAtBank(page, 'complete')).toBe(410)
  })
})

test.each([
  ['issue', 'lose_answer'],
  ['issue', 'drop_request'],
  ['issue', 'fail_after'],
  ['issue', 'status=429'],
  ['read_issued', 'drop_request'],
])(
  'an answer to %s that comes to %s is found out, and one token is charged once',
  async (operation, fault) => {
    await stripe.fault(operation, fault)
    const { purchase, taken } = await witnessed('ucp', { path: 'kettle', seconds: 60 })
    buying.complaints()
    // A failure that Stripe repeats to a key is the end of that key, and nothing was taken.
    const isBought = fault !== 'fail_after'
    expect([purchase.status, purchase.actual_amount, taken]).toEqual(
      isBought ? ['succeeded', 3_240, 3_240] : ['failed', 0, 0],
    )
  },
)

test('a revoke whose answer is lost is asked about at Stripe, and the token has ended', async () => {
  await stripe.fault('revoke_issued', 'lose_answer')
  const { purchase, token } = await witnessed('ucp', { path: 'declined', seconds: 60 })
  buying.complaints()
  expect([purchase.status, token]).toEqual(['failed', ['revoked', 0]])
  const [row] = await buying.sql('select state from effects where step = $1 and cart_id = $2', [
    'revoke',
    purchase.carts[0]?.id,
  ])
  expect(row).toEqual({ state: 'done' })
})

test('several purchases at once each have a token of their own, also at a shop that nobody has named', async () => {
  const buyers = await Promise.all([1, 2, 3].map(() => newLiveBuyer(buying)))
  const urls = ['ucp.shop.test', 'ucp.shop.test', 'tools.ucp.shop.test'].map(
    (host) => `https://${host}/products/kettle`,
  )
  const bought = await Promise.all(
    buyers.map(async (buyer, index) => {
      const { id } = await buying.buy(buyer, [{ url: urls[index] ?? '', amount: 2_500 }], {
        max_amount: 12_000,
      })
      const purchase = await ended(buyer, { id } as Purchase)
      expect(purchase, JSON.stringify(purchase)).toMatchObject({ status: 'succeeded', actual_amount: 3_240 })
      return id
    }),
  )
  for (const id of bought) expect(await tokenOf(id)).toEqual(['consumed', 3_240])
})

test('a freeze holds back a token that was confirmed meanwhile, and what is cancelled then can be charged no more', async () => {
  const buyer = await newLiveBuyer(buying, 'pm_card_authenticationRequired')
  const sold = (await strangers.orders('ucp')).length
  const { id } = await order(buyer, 'ucp', 'kettle')
  const { next_action } = await buying.until(buyer, id, (one) => one.next_action !== null)
  const target = { target: { type: 'profile', id: buyer.profileId } }
  const frozen = await buying.app.post('/v1/controls/freeze', target, { key: buyer.key })
  expect(frozen.status, JSON.stringify(frozen.body)).toBe(200)
  await stripe.answerAtBank(String((next_action as { url: string }).url), 'complete')
  await pass(60)
  await buying.until(buyer, id, ({ status }) => status === 'approved')
  expect(await tokenOf(id)).toEqual([null, 0])
  const cancelled = await buying.app.post(`/v1/purchase_intents/${id}/cancel`, {}, { key: buyer.key })
  expect(cancelled.status, JSON.stringify(cancelled.body)).toBe(200)
  await expect
    .poll(async () => {
      await pass(30)
      return await tokenOf(id)
    })
    .toEqual(['revoked', 0])
  await buying.settled()
  expect(await strangers.orders('ucp')).toHaveLength(sold)
})

test('what a shop takes when it ships is what the purchase has cost', async () => {
  const buyer = await newLiveBuyer(buying)
  const purchase = await ended(buyer, await order(buyer, 'ucp', 'charged-when-shipped'))
  expect(purchase).toMatchObject({ status: 'succeeded', actual_amount: 3_240 })
  expect(await tokenOf(purchase.id)).toEqual(['consumed', 0])
  await strangers.days('ucp', 1)
  await pass(3_700)
  await buying.until(buyer, purchase.id, ({ carts: [cart] }) => cart?.transaction_id !== null)
  expect(await tokenOf(purchase.id)).toEqual(['consumed', 3_240])
})
