import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { type Buying, startBuying } from '../harness/buying.ts'
import { cardOf, cardSession, enterAtStripe, newLiveBuyer } from '../harness/live-buyers.ts'
import { answerOrder, type NativeShop, openNativeShop, payTo } from '../harness/native-shops.ts'
import { stripeSimulator } from '../harness/stripe.ts'

/** Live mode with real money's rail, at the simulator of Stripe: what the simulator remembers is the witness. */
let buying: Buying
let shop: NativeShop
let stripe: ReturnType<typeof stripeSimulator>

beforeAll(async () => {
  buying = await startBuying({ live: true, testClock: true })
  await installTestClock(buying.app.databaseUrl)
  shop = await openNativeShop(buying, 'live')
  stripe = stripeSimulator(buying.sandbox)
})
afterEach(() => buying.audit())
afterAll(() => buying?.stop())

async function ordered(
  buyer: Awaited<ReturnType<typeof newLiveBuyer>>,
): Promise<{ id: string; order: string }> {
  const { id } = await buying.buy(buyer, [{ url: shop.url }])
  const intent = await buying.until(buyer, id, ({ carts }) => typeof carts[0]?.order === 'string')
  return { id, order: String(intent.carts[0]?.order) }
}

describe('a purchase of live mode at a merchant of ours', () => {
  test('holds the money of a kept card without its person, and captures it when the merchant confirms', async () => {
    const buyer = await newLiveBuyer(buying)
    const { id, order } = await ordered(buyer)
    expect(await stripe.moneyOf(id)).toEqual(['confirm 1000 requires_capture'])
    await answerOrder(buying, shop, order, 'confirmed')
    expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded', actual_amount: 1000 })
    expect(await stripe.moneyOf(id)).toEqual(['confirm 1000 requires_capture', 'capture 1000 succeeded'])
    expect(await buying.sql('select rail, status from authorizations where intent_id = $1', [id])).toEqual([
      { rail: 'stripe', status: 'captured' },
    ])
  })

  test.each([
    ['five days by Visa, of which Stripe keeps six hours', 'pm_card_visa', 0, 114],
    ['seven days by the other networks', 'pm_card_mastercard', 0, 168],
    ['thirty days for an account with extended holds', 'pm_card_visa', 30, 720],
  ] as const)(
    'holds the money until the bank lets go, and not until a guess: %s',
    async (_, card, days, hours) => {
      await stripe.holdFor(days)
      const buyer = await newLiveBuyer(buying, card)
      const { id, order } = await ordered(buyer)
      await stripe.holdFor(0)
      const [hold] = await buying.sql<{ hours: string }>(
        'select extract(epoch from expires_at - created_at) / 3600 as hours from authorizations where intent_id = $1',
        [id],
      )
      expect(Number(hold?.hours)).toBeCloseTo(hours, 1)
      await answerOrder(buying, shop, order, 'rejected')
      await buying.ended(buyer, id)
      await buying.settled()
    },
  )

  test.each([
    ['by the clock of Prokura, while Stripe is busy', 'ours'],
    ['by the clock of Stripe', 'theirs'],
  ] as const)('whose hold has ended before its capture says that, %s', async (_, whose) => {
    const buyer = await newLiveBuyer(buying)
    const { id, order } = await ordered(buyer)
    await stripe.fault('capture', 'status=429', 1_000)
    await answerOrder(buying, shop, order, 'confirmed')
    const pass = async (hours: number) => {
      await advanceTestClock(buying.app.databaseUrl, hours * 3_600)
      buying.passInProcess(900)
    }
    const stands = () => buying.until(buyer, id, ({ carts }) => carts[0]?.hold !== undefined)
    const [hold] = await buying.sql<{ hours: string }>(
      'select extract(epoch from expires_at - prokura_now()) / 3600 as hours from authorizations where intent_id = $1',
      [id],
    )
    await pass(Number(hold?.hours) - 24)
    expect((await stands()).carts[0]?.hold).toMatchObject({ status: 'ends_in_24_hours' })
    await stripe.forward(5 * 86_400)
    if (whose === 'theirs') await stripe.clearFaults()
    await pass(whose === 'ours' ? 24 : 1)
    const ended = await buying.ended(buyer, id)
    await stripe.clearFaults()
    expect(ended).toMatchObject({
      status: 'failed',
      actual_amount: 0,
      failure_reason: { code: 'hold_ended', retry_policy: 'same' },
    })
    buying.passInProcess(900)
    await buying.settled()
    expect((await stripe.moneyOf(id)).filter((line) => line.startsWith('capture'))).toEqual([])
  })

  test('releases it when the merchant rejects', async () => {
    const buyer = await newLiveBuyer(buying, 'pm_card_mastercard')
    const { id, order } = await ordered(buyer)
    await answerOrder(buying, shop, order, 'rejected')
    expect(await buying.ended(buyer, id)).toMatchObject({ status: 'failed', actual_amount: 0 })
    await buying.settled()
    expect(await stripe.moneyOf(id)).toEqual(['confirm 1000 requires_capture', 'void 1000 succeeded'])
  })

  test('of a card whose bank wants its person waits for them, and goes on when they have confirmed', async () => {
    const buyer = await newLiveBuyer(buying, 'pm_card_authenticationRequired')
    const { id } = await buying.buy(buyer, [{ url: shop.url }])
    const waiting = await buying.until(buyer, id, ({ status }) => status === 'awaiting_approval')
    expect(waiting.next_action).toMatchObject({ type: 'verify_payment', method: 'popup' })
    const { url } = waiting.next_action as { url: string }
    expect(await stripe.answerAtBank(url, 'complete')).toBe(303)
    // It is asked about now and then; a test does not wait for that.
    buying.passInProcess(30)
    await advanceTestClock(buying.app.databaseUrl, 30)
    const intent = await buying.until(buyer, id, ({ carts }) => typeof carts[0]?.order === 'string')
    await answerOrder(buying, shop, String(intent.carts[0]?.order), 'confirmed')
    expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded', actual_amount: 1000 })
  })

  test('of a card that the bank refuses fails with what its person can do', async () => {
    const buyer = await newLiveBuyer(buying, 'pm_card_chargeCustomerFail')
    const { id } = await buying.buy(buyer, [{ url: shop.url }])
    expect(await buying.ended(buyer, id)).toMatchObject({
      status: 'failed',
      actual_amount: 0,
      failure_reason: { code: 'payment_declined' },
    })
  })
})

describe('a merchant of live mode', () => {
  test('is paid by the purchase itself, and gives back what it was paid', async () => {
    const { app } = buying
    const paid = await openNativeShop(buying, 'live')
    await payTo(buying, paid.seller, 'acct_1Seller')
    const buyer = await newLiveBuyer(buying)
    const { id } = await buying.buy(buyer, [{ url: paid.url }])
    const intent = await buying.until(buyer, id, ({ carts }) => typeof carts[0]?.order === 'string')
    const order = String(intent.carts[0]?.order)
    await answerOrder(buying, paid, order, 'confirmed')
    await buying.ended(buyer, id)
    const [charge] = await stripe.intentsOf(id)
    expect(charge).toMatchObject({
      amount: 1000,
      status: 'succeeded',
      on_behalf_of: 'acct_1Seller',
      transfer_data: { destination: 'acct_1Seller' },
    })
    const refund = await app.post(`/v1/merchant/orders/${order}/refunds`, { amount: 400 }, { key: paid.key })
    expect(refund.status, JSON.stringify(refund.body)).toBe(201)
    await expect
      .poll(() => stripe.refundsOf(String(charge?.id)), { interval: 20 })
      .toEqual([{ amount: 400, transfer_reversal: expect.stringMatching(/^trr_/) }])
    await buying.settled()
  })

  test('sells nothing while nobody would pay it, and nothing is held', async () => {
    const unpaid = await openNativeShop(buying, 'live')
    await buying.sql('delete from merchant_payouts where account_id = $1', [unpaid.seller.accountId])
    const buyer = await newLiveBuyer(buying)
    const { id } = await buying.buy(buyer, [{ url: unpaid.url }])
    expect(await buying.ended(buyer, id)).toMatchObject({
      status: 'failed',
      failure_reason: { code: 'merchant_not_payable', retry_policy: 'later' },
    })
    expect(await stripe.moneyOf(id)).toEqual([])
  })
})

describe('a card that a person enters at the processor', () => {
  test('is one of the profile once its bank has agreed, and not before', async () => {
    const { app } = buying
    const buyer = await newLiveBuyer(buying)
    const session = await cardSession(buying, buyer)
    const setup = (await app.post('/elements/v1/card_setups', undefined, { key: session })).body
    const add = () => app.post('/elements/v1/payment_methods', cardOf(setup.id), { key: session })
    const early = await add()
    expect([early.status, early.body.detail.code]).toEqual([409, 'card_not_entered'])
    await enterAtStripe(buying, setup.client_secret, 'pm_card_authenticationRequiredOnSetup')
    const added = await add()
    expect([added.status, added.body.card]).toMatchObject([
      201,
      { card_brand: 'visa', card_last4: '3155', agentic_credentials_status: 'active' },
    ])
    const again = await add()
    expect([again.status, again.body.detail.code]).toEqual([404, 'not_found'])
  })

  test('becomes a payment method within a day, and not later', async () => {
    const { app } = buying
    const buyer = await newLiveBuyer(buying)
    const begin = async () => {
      const session = await cardSession(buying, buyer)
      const { id, client_secret } = (await app.post('/elements/v1/card_setups', undefined, { key: session }))
        .body
      await enterAtStripe(buying, client_secret, 'pm_card_visa')
      return id
    }
    const path = `/v1/profiles/${buyer.profileId}/payment_methods`
    const add = async (id: string) => (await app.post(path, cardOf(id), { key: buyer.key })).status
    const [one, other] = [await begin(), await begin()]
    await advanceTestClock(app.databaseUrl, 86_340)
    expect(await add(one)).toBe(201)
    await advanceTestClock(app.databaseUrl, 120)
    expect(await add(other)).toBe(404)
  })

  test('is nobody else: another profile, another account, test mode, an id that never was', async () => {
    const { app } = buying
    const [one, two] = [await newLiveBuyer(buying), await newLiveBuyer(buying)]
    const setup = (
      await app.post('/elements/v1/card_setups', undefined, { key: await cardSession(buying, one) })
    ).body
    await enterAtStripe(buying, setup.client_secret, 'pm_card_visa')
    const at = async (profile: string, key: string, token = setup.id) =>
      (await app.post(`/v1/profiles/${profile}/payment_methods`, cardOf(token), { key })).status
    expect(await at(two.profileId, two.key)).toBe(404)
    const stranger = app.stranger.keys
    expect(await at(one.profileId, stranger.secret_live)).toBe(404)
    const tested = await buying.newBuyer()
    expect(await at(tested.profileId, tested.key)).toBe(404)
    expect(await at(one.profileId, one.key, `cset_${'0'.repeat(26)}`)).toBe(404)
    expect(await at(one.profileId, one.key)).toBe(201)
  })

  test('is kept by the processor no longer once it is deleted here', async () => {
    const buyer = await newLiveBuyer(buying)
    const path = `/v1/profiles/${buyer.profileId}/payment_methods/${buyer.method}`
    const [{ kept_method: method, kept_customer: customer }] = (await buying.sql<Record<string, string>>(
      'select kept_method, kept_customer from payment_methods where id = $1',
      [buyer.method],
    )) as [Record<string, string>]
    expect(await stripe.cardsOf(customer ?? '')).toEqual([method])
    expect((await buying.app.request('DELETE', path, { key: buyer.key })).status).toBe(200)
    expect(await stripe.cardsOf(customer ?? '')).toEqual([])
  })
})
