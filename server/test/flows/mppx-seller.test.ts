import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { type Buyer, type Buying, type Purchase, startBuying } from '../harness/buying.ts'
import { startMppxSeller } from '../harness/mppx-seller.ts'
import { registerPaidSite } from '../harness/register-paid-site.ts'
import { stripeSimulator } from '../harness/stripe.ts'

/** Purchases at a seller that the public library makes, as it is installed. That its client can pay here is in `mpp-order` and `mpp-stripe`. */
let buying: Buying
let buyer: Buyer
let seller: Awaited<ReturnType<typeof startMppxSeller>>
let stripe: ReturnType<typeof stripeSimulator>
beforeAll(async () => {
  buying = await startBuying({ testClock: true })
  await installTestClock(buying.app.databaseUrl)
  buyer = await buying.newBuyer()
  stripe = stripeSimulator(buying.sandbox)
  seller = await startMppxSeller(stripe.url)
  await registerPaidSite(buying, { ...seller, methods: ['stripe'] })
})
afterEach(async () => {
  await stripe.clearFaults()
  await buying.audit()
})
afterAll(async () => {
  await buying?.stop()
  await seller?.stop()
})

async function bought(as = buyer): Promise<Purchase> {
  const { id } = await buying.buy(as, [], {
    items: [
      {
        url: `https://${seller.host}/v1/answer`,
        quantity: 1,
        expected_amount: 1250,
        expected_currency: 'USD',
      },
    ],
    preferences: { fulfillment: { method: 'digital' } },
  })
  return await buying.until(as, id, ({ status }) => {
    if (status === 'succeeded' || status === 'failed') return true
    void advanceTestClock(buying.app.databaseUrl, 2)
    return false
  })
}

/** What moved at Stripe meanwhile. */
async function witnessed(run: () => Promise<Purchase>) {
  const before = (await stripe.log()).length
  const purchase = await run()
  await buying.settled()
  const log = (await stripe.log()).slice(before)
  return { purchase, moves: log.map(({ operation, amount, result }) => `${operation} ${amount} ${result}`) }
}

test('an answer of an unmodified seller is bought with one token, and charged once', async () => {
  const { purchase, moves } = await witnessed(() => bought())
  expect(purchase).toMatchObject({ status: 'succeeded', actual_amount: 1250 })
  expect(purchase.carts[0]).toMatchObject({ channel: 'mpp', merchant_domain: seller.host })
  expect(moves).toEqual(['issue 1250 succeeded', 'confirm 1250 succeeded'])
  expect(seller.sold()).toBe(1)
})

test('a card that is declined there charges nothing, and its token is revoked', async () => {
  const declined = await buying.newBuyer('visa_insufficient_funds')
  const { purchase, moves } = await witnessed(() => bought(declined))
  expect(purchase).toMatchObject({ status: 'failed', actual_amount: 0 })
  expect(purchase.carts[0]).toMatchObject({ failure_reason: { code: 'payment_declined' } })
  expect(moves).toEqual(['issue 1250 succeeded', 'confirm 1250 declined', 'revoke 1250 succeeded'])
})

test('an answer that is lost after the charge is never told as not charged', async () => {
  seller.loseNext()
  const { purchase, moves } = await witnessed(() => bought())
  expect(moves).toEqual(['issue 1250 succeeded', 'confirm 1250 succeeded'])
  expect(purchase).toMatchObject({ status: 'succeeded', actual_amount: 1250 })
})
