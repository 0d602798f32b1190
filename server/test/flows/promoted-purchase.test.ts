import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { TestAccount } from '../harness/app.ts'
import { type Buyer, type Buying, type Purchase, startBuying } from '../harness/buying.ts'

let buying: Buying
let buyer: Buyer
let shops = 0

beforeAll(async () => {
  buying = await startBuying()
  buyer = await buying.newBuyer()
})
afterEach(() => buying.audit())
afterAll(() => buying?.stop())

/** What follows from an order follows a moment later. */
const patience = { interval: 20 }

type Shop = { seller: TestAccount; key: string; url: string; itemId: string }

/** A merchant of ours with one published item of 10.00 and a tax of 7 %. */
async function openShop(): Promise<Shop> {
  const seller = await buying.app.newAccount('Seller')
  const key = seller.keys.secret_test
  const domain = `promoted${++shops}.example`
  const url = `https://${domain}/thing`
  await buying.app.post(
    '/v1/merchant',
    { name: 'Promoted', domain, currency: 'USD', tax_basis_points: 700 },
    { key },
  )
  await buying.sql('update merchants set domain_verified_at = now() where account_id = $1', [
    seller.accountId,
  ])
  const variants = [{ sku: 'T-1', price: 1000, quantity: 100 }]
  const item = { title: 'Thing', url, categories: ['tea'], variants }
  const { body } = await buying.app.post('/v1/merchant/catalog_items', item, { key })
  expect(
    (await buying.app.post(`/v1/merchant/catalog_items/${body.id}/publish`, undefined, { key })).status,
  ).toBe(200)
  return { seller, key, url, itemId: body.id }
}

async function promote({ key }: Shop, terms: object = {}): Promise<string> {
  const arms = [{ kind: 'percent', value: 1000, ttl_minutes: 30 }]
  const made = await buying.app.post(
    '/v1/promotions',
    { name: 'Tenth', currency: 'USD', arms, ...terms },
    { key },
  )
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  expect((await buying.app.post(`/v1/promotions/${made.body.id}/publish`, undefined, { key })).status).toBe(
    200,
  )
  return made.body.id
}

async function usesOf({ key }: Shop, id: string): Promise<number> {
  return (await buying.app.get(`/v1/promotions/${id}`, { key })).body.usage.uses
}

async function ordered(who: Buyer, id: string): Promise<string> {
  const intent = await buying.until(who, id, ({ carts }) => typeof carts[0]?.order === 'string')
  return String(intent.carts[0]?.order)
}

async function answer({ key }: Shop, order: string, outcome: 'confirmed' | 'rejected'): Promise<void> {
  const body = outcome === 'confirmed' ? { outcome, confirmation_reference: `C-${order}` } : { outcome }
  expect((await buying.app.post(`/v1/merchant/orders/${order}/responses`, body, { key })).status).toBe(200)
}

test('ten per cent off shows in the cart, the order, the purchase and the charge, and the catalog price stays', async () => {
  const shop = await openShop()
  const id = await promote(shop, { targets: { categories: ['tea'] } })
  const bought = await buying.buy(buyer, [{ url: shop.url, quantity: 2 }])
  const order = await ordered(buyer, bought.id)
  expect((await buying.app.get(`/v1/orders/${order}`)).body).toMatchObject({
    total_amount: 1926,
    line_items: [{ unit_amount: 1000, amount: 2000 }],
    totals: [
      { type: 'subtotal', amount: 2000 },
      { type: 'fulfillment', amount: 0 },
      { type: 'tax', amount: 126 },
      { type: 'discount', amount: 200 },
      { type: 'total', amount: 1926 },
    ],
  })
  await answer(shop, order, 'confirmed')
  const intent = await buying.ended(buyer, bought.id)
  const offer = { subtotal: 2000, fulfillment: 0, tax: 126, discount: 200, total: 1926 }
  expect(intent).toMatchObject({ status: 'succeeded', actual_amount: 1926, offer_summary: offer })
  expect(intent.carts[0]).toMatchObject({ offer, items: [{ unit_amount: 1000 }] })
  const log = await buying.sandbox.processorLog()
  expect(
    log
      .filter(({ reference }) => reference?.includes(bought.id))
      .map(({ operation, amount }) => [operation, amount]),
  ).toEqual([
    ['authorize', 1926],
    ['capture', 1926],
  ])
  expect((await buying.app.get(`/v1/promotions/${id}`, { key: shop.key })).body.usage).toEqual({
    uses: 1,
    discount_amount: 200,
  })
  const state = `select state from promotion_redemptions where order_id = $1`
  await expect.poll(() => buying.sql(state, [order]), patience).toEqual([{ state: 'settled' }])
})

test('an order that the merchant rejects, or the buyer cancels, gives its use back', async () => {
  const shop = await openShop()
  const id = await promote(shop, { caps: { total_uses: 1 } })
  const rejected = await buying.buy(buyer, [{ url: shop.url }])
  await answer(shop, await ordered(buyer, rejected.id), 'rejected')
  expect(await buying.ended(buyer, rejected.id)).toMatchObject({ status: 'failed' })
  await expect.poll(() => usesOf(shop, id), patience).toBe(0)
  const cancelled = await buying.buy(buyer, [{ url: shop.url }])
  const order = await ordered(buyer, cancelled.id)
  expect(await usesOf(shop, id)).toBe(1)
  expect((await buying.app.post(`/v1/orders/${order}/cancel`)).status).toBe(200)
  await buying.ended(buyer, cancelled.id)
  await expect.poll(() => usesOf(shop, id), patience).toBe(0)
  const bought = await buying.buy(buyer, [{ url: shop.url }])
  await answer(shop, await ordered(buyer, bought.id), 'confirmed')
  expect(await buying.ended(buyer, bought.id)).toMatchObject({ offer_summary: { discount: 100 } })
})

test('of many purchases at once, as many as there are uses are cheaper, and the others pay the catalog price', async () => {
  const shop = await openShop()
  const id = await promote(shop, { caps: { total_uses: 3 } })
  const bought = await Promise.all(Array.from({ length: 12 }, () => buying.buy(buyer, [{ url: shop.url }])))
  const ended = await Promise.all(
    bought.map(async (one): Promise<Purchase> => {
      await answer(shop, await ordered(buyer, one.id), 'confirmed')
      return buying.ended(buyer, one.id)
    }),
  )
  expect(ended.map(({ status, actual_amount }) => `${status} ${actual_amount}`).sort()).toEqual([
    ...Array(9).fill('succeeded 1070'),
    ...Array(3).fill('succeeded 963'),
  ])
  expect(await usesOf(shop, id)).toBe(3)
})

test('a first purchase is cheaper, the next one is not', async () => {
  const shop = await openShop()
  await promote(shop, { identity: { rule: 'first_purchase' } })
  const other = await buying.newBuyer(undefined, await buying.app.newAccount('Newcomer'))
  const amounts: unknown[] = []
  for (const who of [buyer, buyer]) {
    const bought = await buying.buy(who, [{ url: shop.url }])
    await answer(shop, await ordered(who, bought.id), 'confirmed')
    amounts.push((await buying.ended(who, bought.id)).actual_amount)
  }
  expect(amounts).toEqual([963, 1070])
  // The same address from another account is the same person.
  const bought = await buying.buy(other, [{ url: shop.url }])
  await answer(shop, await ordered(other, bought.id), 'confirmed')
  expect((await buying.ended(other, bought.id)).actual_amount).toBe(1070)
})

test('a promotion that is paused, has ended or is in another currency is not given', async () => {
  const shop = await openShop()
  const id = await promote(shop)
  await promote(shop, { currency: 'EUR' })
  await buying.app.post(`/v1/promotions/${id}/pause`, undefined, { key: shop.key })
  const paused = await buying.buy(buyer, [{ url: shop.url }])
  await answer(shop, await ordered(buyer, paused.id), 'confirmed')
  expect((await buying.ended(buyer, paused.id)).actual_amount).toBe(1070)
  await buying.app.post(`/v1/promotions/${id}/resume`, undefined, { key: shop.key })
  await buying.sql(`update promotions set ends_at = now(), due_at = 'infinity' where id = $1`, [id])
  const late = await buying.buy(buyer, [{ url: shop.url }])
  await answer(shop, await ordered(buyer, late.id), 'confirmed')
  expect((await buying.ended(buyer, late.id)).actual_amount).toBe(1070)
})

test('a discount that is no longer held when the order is placed is not given: nothing is ordered and the money is released', async () => {
  const shop = await openShop()
  const id = await promote(shop, { caps: { total_uses: 1 } })
  const pause = buying.faults.pause('authorize.after')
  const slow = await buying.buy(buyer, [{ url: shop.url }])
  await pause.reached
  expect(await usesOf(shop, id)).toBe(1)
  await buying.sql(`update promotion_redemptions set due_at = now() where promotion_id = $1`, [id])
  await expect.poll(() => usesOf(shop, id), patience).toBe(0)
  pause.resume()
  expect(await buying.ended(buyer, slow.id)).toMatchObject({
    status: 'failed',
    failure_reason: { code: 'price_changed' },
  })
  await buying.settled()
  const held = await buying.sql(`select status from authorizations where intent_id = $1`, [slow.id])
  expect(held).toEqual([{ status: 'voided' }])
  expect(await buying.sql('select id from orders where purchase_intent_id = $1', [slow.id])).toEqual([])
})
