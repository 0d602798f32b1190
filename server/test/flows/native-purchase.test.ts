import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestAccount } from '../harness/app.ts'
import { type Buyer, type Buying, type Purchase, startBuying } from '../harness/buying.ts'

let buying: Buying
let buyer: Buyer
let seller: TestAccount
let shops = 0

beforeAll(async () => {
  buying = await startBuying()
  buyer = await buying.newBuyer()
})
beforeEach(async () => {
  seller = await buying.app.newAccount('Seller')
})
afterEach(() => buying.audit())
afterAll(() => buying?.stop())

type Shop = { url: string; domain: string; itemId: string }

/** A merchant of ours with one published item, at a domain of its own. */
async function openShop(
  options: { price?: number; quantity?: number; isVerified?: boolean; owner?: TestAccount } = {},
): Promise<Shop> {
  const { price = 1000, quantity = 10, isVerified = true, owner = seller } = options
  const key = owner.keys.secret_test
  const domain = `native${++shops}.example`
  const merchant = await buying.app.post(
    '/v1/merchant',
    { name: 'Native Shop', domain, currency: 'USD', tax_basis_points: 700 },
    { key },
  )
  expect(merchant.status, JSON.stringify(merchant.body)).toBeLessThan(300)
  if (isVerified) {
    await buying.sql('update merchants set domain_verified_at = now() where account_id = $1', [
      owner.accountId,
    ])
  }
  const url = `https://${domain}/thing`
  const item = await buying.app.post(
    '/v1/merchant/catalog_items',
    { title: 'Thing', url, variants: [{ sku: 'T-1', price, quantity }] },
    { key },
  )
  expect(item.status, JSON.stringify(item.body)).toBe(201)
  const published = await buying.app.post(`/v1/merchant/catalog_items/${item.body.id}/publish`, undefined, {
    key,
  })
  expect(published.status).toBe(200)
  return { url, domain, itemId: item.body.id }
}

/** The order that a purchase waits for. */
async function ordered(id: string): Promise<string> {
  const intent = await buying.until(
    buyer,
    id,
    ({ carts }) => carts[0]?.order !== undefined && carts[0].order !== null,
  )
  return String(intent.carts[0]?.order)
}

async function answer(order: string, outcome: 'confirmed' | 'rejected'): Promise<number> {
  const body =
    outcome === 'confirmed'
      ? { outcome, reservation_reference: 'R-1', confirmation_reference: `C-${order}` }
      : { outcome, note: 'Not today.' }
  const { status } = await buying.app.post(`/v1/merchant/orders/${order}/responses`, body, {
    key: seller.keys.secret_test,
  })
  return status
}

async function readOrder(order: string) {
  return (await buying.app.get(`/v1/orders/${order}`, { key: buyer.key })).body
}

test('a purchase of a merchant of ours is authorized, confirmed and captured once, with an event for each step', async () => {
  const shop = await openShop()
  const { id } = await buying.buy(buyer, [{ url: `${shop.url}?utm_source=agent#top`, quantity: 2 }])
  const order = await ordered(id)
  expect(await buying.moneyOf(id)).toEqual(['authorize 2140 approved'])
  expect(await readOrder(order)).toMatchObject({
    status: 'awaiting_confirmation',
    payment_status: 'authorized',
    total_amount: 2140,
    purchase_intent_id: id,
  })
  expect(await answer(order, 'confirmed')).toBe(200)
  const intent = await buying.ended(buyer, id)
  expect(intent).toMatchObject({ status: 'succeeded', actual_amount: 2140 })
  expect(intent.carts[0]).toMatchObject({
    channel: 'native',
    order,
    order_id: `C-${order}`,
    merchant: 'Native Shop',
    merchant_domain: shop.domain,
    offer: { subtotal: 2000, fulfillment: 0, tax: 140, total: 2140 },
    items: [{ unit_amount: 1000, title: 'Thing' }],
  })
  expect(await buying.moneyOf(id)).toEqual(['authorize 2140 approved', 'capture 2140 approved'])
  expect(await readOrder(order)).toMatchObject({ status: 'confirmed', payment_status: 'captured' })
  expect((await buying.eventTypes(buyer, id)).slice(3)).toEqual([
    'purchase_intent.started',
    'cart.created',
    'cart.started',
    'cart.offer_updated',
    'cart.payment_authorized',
    'cart.order_placed',
    'cart.payment_captured',
    'cart.succeeded',
    'purchase_intent.succeeded',
  ])
  await buying.settled()
})

test('a rejection voids the authorization and fails with what the merchant said', async () => {
  const shop = await openShop()
  const { id } = await buying.buy(buyer, [{ url: shop.url }])
  const order = await ordered(id)
  expect(await answer(order, 'rejected')).toBe(200)
  const intent = await buying.ended(buyer, id)
  expect(intent).toMatchObject({
    status: 'failed',
    actual_amount: 0,
    failure_reason: { code: 'order_rejected_by_merchant', merchant_message: 'Not today.' },
  })
  expect(await buying.moneyOf(id)).toEqual(['authorize 1070 approved', 'void 1070 voided'])
  expect(await readOrder(order)).toMatchObject({ status: 'rejected', payment_status: 'voided' })
})

test('cancelling while the merchant thinks voids the authorization, and its answer comes too late', async () => {
  const shop = await openShop()
  const { id } = await buying.buy(buyer, [{ url: shop.url }])
  const order = await ordered(id)
  const cancelled = await buying.app.post(`/v1/purchase_intents/${id}/cancel`, {}, { key: buyer.key })
  expect(cancelled.body).toMatchObject({ status: 'cancelled', carts: [{ status: 'cancelled' }] })
  expect(await answer(order, 'confirmed')).toBe(409)
  await buying.settled()
  expect(await buying.moneyOf(id)).toEqual(['authorize 1070 approved', 'void 1070 voided'])
  expect(await readOrder(order)).toMatchObject({ status: 'cancelled', payment_status: 'voided' })
})

test('a buyer who cancels the order cancels its cart', async () => {
  const shop = await openShop()
  const { id } = await buying.buy(buyer, [{ url: shop.url }])
  const order = await ordered(id)
  const { status } = await buying.app.post(`/v1/orders/${order}/cancel`, {}, { key: buyer.key })
  expect(status).toBe(200)
  expect(await buying.ended(buyer, id)).toMatchObject({
    status: 'cancelled',
    carts: [{ status: 'cancelled' }],
  })
  expect(await buying.moneyOf(id)).toEqual(['authorize 1070 approved', 'void 1070 voided'])
})

test('a capture that is refused after the confirmation leaves nothing confirmed and unpaid', async () => {
  const shop = await openShop()
  const { id } = await buying.buy(buyer, [{ url: shop.url }])
  const order = await ordered(id)
  await buying.sandbox.fault({
    match: { operation: 'capture', reference_contains: id },
    fault: 'decline=lost_card',
  })
  await answer(order, 'confirmed')
  expect(await buying.ended(buyer, id)).toMatchObject({
    status: 'failed',
    actual_amount: 0,
    failure_reason: { code: 'payment_declined', decline_code: 'lost_card' },
  })
  await buying.settled()
  expect(await readOrder(order)).toMatchObject({ status: 'cancelled', payment_status: 'failed' })
  expect(await buying.moneyOf(id)).toEqual([
    'authorize 1070 approved',
    'capture 1070 declined:lost_card',
    'void 1070 voided',
  ])
  expect((await buying.read(buyer, id)).carts[0]).toMatchObject({ can_retry: true })

  const retried = await buying.app.post(`/v1/purchase_intents/${id}/retry`, {}, { key: buyer.key })
  expect(retried.status).toBe(200)
  await expect.poll(() => ordered(id)).not.toBe(order)
  await answer(await ordered(id), 'confirmed')
  expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded', actual_amount: 1070 })
  expect((await buying.moneyOf(id)).slice(3)).toEqual(['authorize 1070 approved', 'capture 1070 approved'])
  await buying.settled()
  // The first order is cancelled, so the second is no second one.
  await buying.audit()
})

describe('an offer is refused, before any money is held,', () => {
  test.each<[string, Parameters<typeof openShop>[0], Record<string, unknown>, string]>([
    ['without stock', { quantity: 0 }, {}, 'product_out_of_stock'],
    ['with less stock than asked for', { quantity: 1 }, {}, 'insufficient_stock'],
    ['beyond a cap', { price: 1040 }, { max_amount: 2200 }, 'max_amount_exceeded'],
  ])('%s', async (_, options, more, code) => {
    const shop = await openShop(options)
    const { id } = await buying.buy(buyer, [{ url: shop.url, quantity: 2 }], more)
    expect(await buying.ended(buyer, id)).toMatchObject({ status: 'failed', failure_reason: { code } })
    expect(await buying.moneyOf(id)).toEqual([])
  })

  test('at another path of a merchant of ours, and never simulated', async () => {
    const shop = await openShop()
    const { id } = await buying.buy(buyer, [{ url: `${shop.url}/else` }])
    expect(await buying.ended(buyer, id)).toMatchObject({
      status: 'failed',
      failure_reason: { code: 'product_not_found' },
      carts: [{ channel: 'native' }],
    })
  })
})

test('an unverified domain sells natively to its own account only', async () => {
  const shop = await openShop({ isVerified: false })
  const { id } = await buying.buy(buyer, [{ url: shop.url }])
  expect(await buying.ended(buyer, id)).toMatchObject({
    status: 'succeeded',
    carts: [{ channel: 'simulated' }],
  })
  const own = await buying.newBuyer('visa_auto_approved', seller)
  const bought = await buying.buy(own, [{ url: shop.url }])
  const intent = await buying.until(own, bought.id, ({ carts }: Purchase) => carts[0]?.order != null)
  expect(intent.carts).toMatchObject([{ channel: 'native' }])
  await buying.app.post(`/v1/purchase_intents/${bought.id}/cancel`, {}, { key: own.key })
  await buying.settled()
})

describe('an answer of the processor that is lost', () => {
  test.each([
    ['authorize', 'lose_answer'],
    ['authorize', 'drop_request'],
    ['capture', 'lose_answer'],
    ['capture', 'drop_request'],
    ['capture', 'error_500_once'],
  ])('to %s (%s) does not change the charge', async (operation, fault) => {
    const shop = await openShop()
    await buying.sandbox.fault({ match: { operation }, fault })
    const { id } = await buying.buy(buyer, [{ url: shop.url }])
    await answer(await ordered(id), 'confirmed')
    expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded', actual_amount: 1070 })
    expect(await buying.moneyOf(id)).toEqual(['authorize 1070 approved', 'capture 1070 approved'])
  })
})

describe('a freeze', () => {
  test('holds a purchase where it stands and lets it go on afterwards', async () => {
    const shop = await openShop()
    const paused = buying.faults.pause('authorize.after')
    const { id } = await buying.buy(buyer, [{ url: shop.url }])
    await paused.reached
    const frozen = await buying.app.post(
      '/v1/controls/freeze',
      { target: { type: 'account' } },
      { key: buyer.key },
    )
    expect(frozen.status, JSON.stringify(frozen.body)).toBe(200)
    expect(JSON.stringify(frozen.body)).toContain(id)
    paused.resume()
    await expect.poll(async () => (await buying.read(buyer, id)).carts[0]?.status).toBe('in_progress')
    await expect
      .poll(() => buying.sql('select 1 from carts where intent_id = $1 and lease_until is null', [id]))
      .toHaveLength(1)
    expect((await buying.read(buyer, id)).carts[0]).toMatchObject({ order: null })
    await buying.app.post('/v1/controls/unfreeze', { target: { type: 'account' } }, { key: buyer.key })
    await answer(await ordered(id), 'confirmed')
    expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded' })
  })

  test('never stops the capture of an order that is placed', async () => {
    const shop = await openShop()
    const { id } = await buying.buy(buyer, [{ url: shop.url }])
    const order = await ordered(id)
    await buying.app.post('/v1/controls/freeze', { target: { type: 'account' } }, { key: buyer.key })
    await answer(order, 'confirmed')
    expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded' })
    await buying.app.post('/v1/controls/unfreeze', { target: { type: 'account' } }, { key: buyer.key })
  })
})

describe('a cancellation', () => {
  test('while the authorization is under way takes back what comes of it', async () => {
    const shop = await openShop()
    const paused = buying.faults.pause('authorize.after')
    const { id } = await buying.buy(buyer, [{ url: shop.url }])
    await paused.reached
    const cancelled = await buying.app.post(`/v1/purchase_intents/${id}/cancel`, {}, { key: buyer.key })
    expect(cancelled.body.status).toBe('cancelled')
    paused.resume()
    await buying.settled()
    expect(await buying.moneyOf(id)).toEqual(['authorize 1070 approved', 'void 1070 voided'])
    expect(await buying.eventTypes(buyer, id)).not.toContain('cart.payment_authorized')
  })

  test('is refused while the capture is under way', async () => {
    const shop = await openShop()
    const { id } = await buying.buy(buyer, [{ url: shop.url }])
    const order = await ordered(id)
    const paused = buying.faults.pause('capture.before')
    await answer(order, 'confirmed')
    await paused.reached
    const { status, body } = await buying.app.post(
      `/v1/purchase_intents/${id}/cancel`,
      {},
      { key: buyer.key },
    )
    expect([status, body.detail?.code]).toEqual([409, 'not_cancellable'])
    paused.resume()
    expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded' })
  })
})

test("a purchase is found by the shop's own reference", async () => {
  const { url } = await openShop()
  const { id } = await buying.buy(buyer, [{ url, amount: 1070 }])
  const order = await ordered(id)
  expect(await answer(order, 'confirmed')).toBe(200)
  expect((await buying.ended(buyer, id)).carts[0]?.order_id).toBe(`C-${order}`)
  const found = await buying.app.get(`/v1/purchase_intents?q=c-${order}`, { key: buyer.key })
  expect(found.body.data).toMatchObject([{ purchase_intent_id: id }])
})
