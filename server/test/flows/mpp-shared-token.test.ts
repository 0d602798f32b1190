import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { type Buyer, type Buying, type Purchase, startBuying } from '../harness/buying.ts'
import { openStrangers } from '../harness/strangers.ts'
import { stripeSimulator } from '../harness/stripe.ts'

/**
 * Purchases at a paid API that takes shared payment tokens: the tokens are issued at the simulator of Stripe, and the shop charges them
 * there as itself. What the two of them testify is compared with what the buyer is told.
 */
let buying: Buying
let strangers: ReturnType<typeof openStrangers>
let stripe: ReturnType<typeof stripeSimulator>
let buyer: Buyer
beforeAll(async () => {
  buying = await startBuying({ testClock: true, strangers: true })
  await installTestClock(buying.app.databaseUrl)
  strangers = openStrangers(buying)
  stripe = stripeSimulator(buying.sandbox)
  buyer = await buying.newBuyer()
  await strangers.know('mpp.shop.test')
})
afterEach(async () => {
  await stripe.clearFaults()
  await buying.audit()
})
afterAll(() => buying?.stop())

async function bought(api: string, as = buyer): Promise<Purchase> {
  const url = `https://mpp.shop.test/v1/${api}?city=Oslo`
  const { id } = await buying.buy(as, [], {
    items: [{ url, quantity: 1, expected_amount: 250, expected_currency: 'USD' }],
    preferences: { fulfillment: { method: 'digital' } },
  })
  const isOver = ['succeeded', 'failed', 'cancelled', 'awaiting_approval']
  return await buying.until(as, id, ({ status, carts }) => {
    if (isOver.includes(status) && carts.length > 0) return true
    void advanceTestClock(buying.app.databaseUrl, 2)
    return false
  })
}

/** What the shop has taken meanwhile, and what moved at Stripe. */
async function witnessed(run: () => Promise<Purchase>) {
  const [sold, moved] = [(await strangers.orders('mpp')).length, (await stripe.log()).length]
  const purchase = await run()
  await buying.settled()
  const orders = (await strangers.orders('mpp')).slice(sold)
  const log = (await stripe.log()).slice(moved)
  return {
    purchase,
    taken: orders.flatMap(({ state, captured }) => (state === 'paid' ? [captured] : [])),
    log,
    moves: log.map(({ operation, amount, result }) => `${operation} ${amount} ${result}`),
  }
}

const [issued, revoked] = ['issue 250 succeeded', 'revoke 250 succeeded']
const charged = ['confirm 250 requires_capture', 'capture 250 succeeded']

test.each([
  'token-forecast',
  'token-short-challenge',
  'token-dies-before-charge',
  // The receipt is lost, or it never comes.
  'token-dies-after-charge',
  'token-error-after-charge',
])('%s is bought with one token, which is issued for its price and charged once', async (api) => {
  const { purchase, taken, moves, log } = await witnessed(() => bought(api))
  expect(purchase).toMatchObject({ status: 'succeeded', actual_amount: 250 })
  expect(purchase.carts[0]).toMatchObject({ channel: 'mpp', merchant_domain: 'mpp.shop.test' })
  expect([taken, moves]).toEqual([[250], [issued, ...charged]])
  // To this seller, and under the key of the attempt.
  expect(log[0]).toMatchObject({
    reference: 'profile_sandbox',
    currency: 'usd',
    key: `${purchase.carts[0]?.id}:1:issue_credential`,
  })
  expect(await buying.moneyOf(purchase.id)).toEqual([])
})

test.each([
  // It asks for more than its token is good for.
  ['token-asks-more', 'payment_declined'],
  // Its second challenge names another seller.
  ['token-other-network', 'merchant_changed'],
  // Nobody knows whether the payment has arrived, until the token is revoked and nothing was captured.
  ['token-never-taken', 'merchant_unavailable'],
])('%s charges nothing and can be tried again: its token is revoked', async (api, code) => {
  const { purchase, taken, moves } = await witnessed(() => bought(api))
  expect(purchase).toMatchObject({ status: 'failed', actual_amount: 0 })
  expect(purchase.carts[0]).toMatchObject({ failure_reason: { code }, can_retry: true })
  expect([taken, moves]).toEqual([[], [issued, revoked]])
})

test('a card that is declined charges nothing', async () => {
  const declined = await buying.newBuyer('visa_insufficient_funds')
  const { purchase, taken, moves } = await witnessed(() => bought('token-forecast', declined))
  expect(purchase.carts[0]).toMatchObject({ failure_reason: { code: 'payment_declined' } })
  expect([taken, moves]).toEqual([[], [issued, 'confirm 250 declined', revoked]])
})

test('where both are taken, a credential of our own rail pays, and no token is issued', async () => {
  const { purchase, taken, moves } = await witnessed(() => bought('forecast'))
  expect([purchase.status, taken, moves]).toEqual(['succeeded', [250], []])
})

test.each([
  ['issue', 'lose_answer'],
  ['issue', 'drop_request'],
  ['issue', 'status=429'],
  ['read_issued', 'drop_request'],
  ['revoke_issued', 'lose_answer'],
])('an answer of the issuer that is lost (%s, %s) is found, and one token is issued', async (call, fault) => {
  await stripe.fault(call, fault)
  const [api, status] =
    call === 'revoke_issued' ? ['token-asks-more', 'failed'] : ['token-forecast', 'succeeded']
  const { purchase, moves } = await witnessed(() => bought(api))
  expect(purchase.status).toBe(status)
  expect(moves).toEqual([issued, ...(status === 'failed' ? [revoked] : charged)])
})
