import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Tenant } from '../../src/contract/context.ts'
import { readSale, startSale } from '../../src/domain/selling/sales/public.ts'
import type { NewSale } from '../../src/domain/selling/sales/start-sale.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { type Buying, startBuying } from '../harness/buying.ts'
import { answerOrder, type NativeShop, openNativeShop } from '../harness/native-shops.ts'

let buying: Buying
let shop: NativeShop
let tenant: Tenant
let shopKey: string

beforeAll(async () => {
  buying = await startBuying({ testClock: true })
  await installTestClock(buying.app.databaseUrl)
  shop = await openNativeShop(buying)
  tenant = { accountId: shop.seller.accountId, mode: 'test' }
  shopKey = shop.seller.keys.secret_test
})
afterEach(async () => {
  await buying.sandbox.clearFaults()
  await buying.audit()
})
afterAll(() => buying?.stop())

const buyer = { kind: 'platform' as const, profile_url: 'https://platform.example/ucp', source: null }
const customer = { name: 'Ada Lovelace', email: 'ada@example.com', phone: null }
const line = {
  catalog_item_id: null,
  catalog_variant_id: null,
  sku: 'T-1',
  title: 'Thing',
  url: null,
  quantity: 2,
  unit_amount: 1000,
  amount: 2000,
}

type Sold = { id: string; orderId: string }

async function sell(more: Partial<NewSale> & { card?: string } = {}): Promise<Sold> {
  const { card = 'visa_auto_approved', ...given } = more
  return await runAs(buying.app.parts, { tenant, actor: { type: 'system', id: 'test' } }, async (ctx) =>
    startSale(ctx, {
      id: ctx.newId('sal'),
      merchant: { name: 'Shop', slug: null, domain: shop.domain },
      buyer,
      lineItems: [line],
      amounts: { subtotal: 2000n, fulfillment: 500n, tax: 140n, discount: 0n },
      taxBasisPoints: 700,
      currency: 'USD',
      customer,
      shippingAddress: null,
      promotionUses: [],
      instrument: { kind: 'test_card', card },
      ...given,
    }),
  )
}

async function stateOf({ id }: Sold) {
  const sale = await readSale(
    { maybe: (statement) => buying.app.parts.pools.read(statement).then(([row]) => row ?? null) },
    tenant,
    id,
  )
  return sale?.state
}

async function becomes(sold: Sold, state: string): Promise<void> {
  const look = async () => {
    // A clock that was moved is ahead of the relay's next look.
    await buying.relayed()
    return await stateOf(sold)
  }
  await expect.poll(look, { interval: 20 }).toBe(state)
}

function merchantOrder({ orderId }: Sold) {
  return buying.app.get(`/v1/merchant/orders/${orderId}`, { key: shopKey })
}

async function pass(seconds: number): Promise<void> {
  buying.passInProcess(seconds)
  expect(await advanceTestClock(buying.app.databaseUrl, seconds)).toBeInstanceOf(Date)
  await buying.relayed()
}

/** What the processor remembers of the sale, and of nothing else. */
async function moneyOf({ orderId }: Sold): Promise<string[]> {
  return await buying.moneyOf(orderId)
}

test('money is held, the merchant confirms, and it is captured once', async () => {
  const sold = await sell()
  await becomes(sold, 'ordered')
  const order = await merchantOrder(sold)
  expect(order.body).toMatchObject({
    status: 'awaiting_confirmation',
    payment_status: 'authorized',
    total_amount: 2640,
    buyer,
    purchase_intent_id: null,
    customer,
  })
  await answerOrder(buying, shop, sold.orderId, 'confirmed')
  await becomes(sold, 'captured')
  expect((await merchantOrder(sold)).body).toMatchObject({ status: 'confirmed', payment_status: 'captured' })
  expect(await moneyOf(sold)).toEqual(['authorize 2640 approved', 'capture 2640 approved'])
})

test('the merchant sees it as sold, never as bought', async () => {
  const sold = await sell()
  await becomes(sold, 'ordered')
  const path = `/v1/orders/${sold.orderId}`
  const key = shopKey
  expect((await buying.app.get(path, { key })).status).toBe(404)
  expect((await buying.app.post(`${path}/cancel`, {}, { key })).status).toBe(404)
  expect((await buying.app.post(`${path}/returns`, {}, { key })).status).toBe(404)
  const ids = async (list: string) =>
    (await buying.app.get(list, { key })).body.data.map(({ id }: { id: string }) => id)
  for (const query of ['', '?q=Thing', `?q=${sold.orderId}`]) {
    expect(await ids(`/v1/orders${query}`)).toEqual([])
    expect(await ids(`/v1/merchant/orders${query}`)).toContain(sold.orderId)
  }
  const other = buying.app.account.keys.secret_test
  expect((await buying.app.get(`/v1/merchant/orders/${sold.orderId}`, { key: other })).status).toBe(404)
  await answerOrder(buying, shop, sold.orderId, 'rejected')
  await becomes(sold, 'released')
})

test('what is rejected, or not answered in time, is released', async () => {
  const rejected = await sell()
  const silent = await sell()
  await becomes(rejected, 'ordered')
  await becomes(silent, 'ordered')
  await answerOrder(buying, shop, rejected.orderId, 'rejected')
  await becomes(rejected, 'released')
  await pass(24 * 3600 + 60)
  await becomes(silent, 'released')
  expect((await merchantOrder(silent)).body).toMatchObject({ status: 'expired', payment_status: 'voided' })
  for (const sold of [rejected, silent])
    expect(await moneyOf(sold)).toEqual(['authorize 2640 approved', 'void 2640 voided'])
})

test('a declined card ends it, and there is no order', async () => {
  const sold = await sell({ card: 'visa_issuer_declined' })
  await becomes(sold, 'declined')
  expect((await merchantOrder(sold)).status).toBe(404)
  expect(await moneyOf(sold)).toEqual(['authorize 2640 declined:do_not_honor'])
})

test('the merchant lowers the price, and the lower one is captured; a refund gives it back', async () => {
  const sold = await sell()
  await becomes(sold, 'ordered')
  const asMerchant = (path: string, body: object) =>
    buying.app.post(`/v1/merchant/orders/${sold.orderId}/${path}`, body, { key: shopKey })
  expect((await asMerchant('reprice', { subtotal_amount_cents: 1000 })).status).toBe(200)
  await answerOrder(buying, shop, sold.orderId, 'confirmed')
  await becomes(sold, 'captured')
  const refund = await asMerchant('refunds', { amount: 300, reason: 'Late' })
  expect(refund.status).toBe(201)
  await expect
    .poll(async () => (await merchantOrder(sold)).body.payment_status, { interval: 20 })
    .toBe('partially_refunded')
  const total = 1000 + 500 + 70
  expect(await moneyOf(sold)).toEqual([
    'authorize 2640 approved',
    `capture ${total} approved`,
    'refund 300 approved',
  ])
})

describe('a rail that loses answers', () => {
  test.each(['authorize', 'capture', 'void'] as const)(
    'a lost answer to %s is asked about: the money moves once',
    async (operation) => {
      await buying.sandbox.fault({ match: { operation }, fault: 'lose_answer' })
      const sold = await sell()
      await becomes(sold, 'ordered')
      const outcome = operation === 'void' ? 'rejected' : 'confirmed'
      await answerOrder(buying, shop, sold.orderId, outcome)
      await becomes(sold, outcome === 'confirmed' ? 'captured' : 'released')
      expect(await moneyOf(sold)).toEqual([
        'authorize 2640 approved',
        outcome === 'confirmed' ? 'capture 2640 approved' : 'void 2640 voided',
      ])
    },
  )

  test.each(['authorize', 'capture', 'void'] as const)(
    'a call to %s that never arrives is made again',
    async (operation) => {
      await buying.sandbox.fault({ match: { operation }, fault: 'drop_request' })
      const sold = await sell()
      await becomes(sold, 'ordered')
      const outcome = operation === 'void' ? 'rejected' : 'confirmed'
      await answerOrder(buying, shop, sold.orderId, outcome)
      await becomes(sold, outcome === 'confirmed' ? 'captured' : 'released')
      expect((await moneyOf(sold)).length).toBe(2)
    },
  )

  test('a capture that the issuer refuses undoes the confirmation and releases the hold', async () => {
    await buying.sandbox.fault({ match: { operation: 'capture' }, fault: 'decline=fraud' })
    const sold = await sell()
    await becomes(sold, 'ordered')
    await answerOrder(buying, shop, sold.orderId, 'confirmed')
    await becomes(sold, 'unpaid')
    expect((await merchantOrder(sold)).body).toMatchObject({ status: 'cancelled', payment_status: 'failed' })
    expect(await moneyOf(sold)).toEqual([
      'authorize 2640 approved',
      'capture 2640 declined:fraud',
      'void 2640 voided',
    ])
  })

  test('a release that is refused is made again under another key', async () => {
    await buying.sandbox.fault({ match: { operation: 'void' }, fault: 'refuse_release' })
    const sold = await sell()
    await becomes(sold, 'ordered')
    await answerOrder(buying, shop, sold.orderId, 'rejected')
    await becomes(sold, 'released')
    expect((await moneyOf(sold)).at(-1)).toBe('void 2640 voided')
  })

  test('where the rail cannot be reached, nothing is sold after a quarter of an hour', async () => {
    await buying.sandbox.fault({ match: { operation: 'authorize' }, fault: 'status=429', times: 1000 })
    const sold = await sell()
    await pass(16 * 60)
    await becomes(sold, 'declined')
    expect((await merchantOrder(sold)).status).toBe(404)
    expect((await moneyOf(sold)).filter((entry) => entry.endsWith('approved'))).toEqual([])
  })
})
