import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Buyer, type Buying, type Item, intentBody, startBuying } from '../harness/buying.ts'
import { type Receiver, startReceiver } from '../harness/deliveries.ts'
import { answerOrder, type NativeShop, openNativeShop } from '../harness/native-shops.ts'
import { accepted, answering, askQuote, openQuotingShop } from '../harness/quotes.ts'

/** A cart of a merchant of ours costs what its preview said, in its offer and in its order. */
let buying: Buying
let buyer: Buyer

beforeAll(async () => {
  buying = await startBuying()
  buyer = await buying.newBuyer()
})
afterEach(() => buying.audit())
afterAll(() => buying?.stop())

const parts = ['subtotal', 'fulfillment', 'tax', 'discount', 'total'] as const
type Price = Record<(typeof parts)[number], number>
type Preview = {
  offer: Price | null
  merchants: { domain: string; offer: Price | null; problems: { item: number; code: string }[] }[]
}

async function post(shop: NativeShop, path: string, body?: object) {
  const answer = await buying.app.post(path, body, { key: shop.seller.keys.secret_test })
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body
}

/** A thing of 10.00, of which there are so many, 7 % tax, and parcels at 4.90. */
async function openShop(quantity: number): Promise<NativeShop> {
  const shop = await openNativeShop(buying)
  await post(shop, '/v1/merchant', { tax_basis_points: 700 })
  const { data } = (await buying.app.get('/v1/merchant/catalog_items', { key: shop.seller.keys.secret_test }))
    .body
  await post(shop, `/v1/merchant/catalog_items/${data[0].id}`, {
    variants: [{ id: data[0].variants[0].id, quantity }],
  })
  const rate = { kind: 'flat', amount: 490 }
  const zones = [{ country: 'US' }]
  await post(shop, '/v1/rate_cards', {
    name: 'Parcel',
    fulfillment_type: 'shipping',
    currency: 'USD',
    status: 'active',
    rate,
    zones,
  })
  return shop
}

async function promote(shop: NativeShop, arm: object, terms: object = {}): Promise<string> {
  const arms = [{ ttl_minutes: 30, ...arm }]
  const { id } = await post(shop, '/v1/promotions', { name: 'Less', currency: 'USD', arms, ...terms })
  await post(shop, `/v1/promotions/${id}/publish`)
  return id
}

const fees = { preferences: { fulfillment: { max_fee_amount: 2000 } } }

async function preview(items: readonly Item[], who = buyer): Promise<Preview> {
  const { status, body } = await buying.app.post(
    '/v1/purchase_intents/preview',
    intentBody(who, items, fees),
    { key: who.key },
  )
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

/** Buys it, and expects that cart, order and authorization agree; answers the price. */
async function ordered(
  items: readonly Item[],
  who = buyer,
): Promise<{ price: Price; order: string; id: string }> {
  const { id } = await buying.buy(who, items, fees)
  const intent = await buying.until(who, id, ({ carts }) => typeof carts[0]?.order === 'string')
  const [cart] = intent.carts
  const offer = cart?.offer as Price
  const { body: order } = await buying.app.get(`/v1/orders/${cart?.order}`, { key: who.key })
  const totals = new Map<string, number>(
    order.totals.map((one: { type: string; amount: number }) => [one.type, one.amount]),
  )
  const price = Object.fromEntries(parts.map((part) => [part, offer[part]])) as Price
  expect(Object.fromEntries(parts.map((part) => [part, totals.get(part) ?? 0]))).toEqual(price)
  expect(order.total_amount).toBe(price.total)
  expect(order.line_items.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)).toBe(
    price.subtotal,
  )
  expect(await buying.moneyOf(id)).toEqual([`authorize ${price.total} approved`])
  return { price, order: order.id, id }
}

async function cancel(id: string): Promise<void> {
  expect((await buying.app.post(`/v1/purchase_intents/${id}/cancel`, {}, { key: buyer.key })).status).toBe(
    200,
  )
  await buying.settled()
}

test.each<[string, Item['quantity'][], object | null, Price]>([
  ['one line', [2], null, { subtotal: 2000, fulfillment: 490, tax: 140, discount: 0, total: 2630 }],
  [
    'two lines of one variant',
    [1, 2],
    null,
    { subtotal: 3000, fulfillment: 490, tax: 210, discount: 0, total: 3700 },
  ],
  [
    'ten per cent off',
    [1, 2],
    { kind: 'percent', value: 1000 },
    { subtotal: 3000, fulfillment: 490, tax: 189, discount: 300, total: 3379 },
  ],
  [
    'free fulfillment',
    [2],
    { kind: 'free_fulfillment' },
    { subtotal: 2000, fulfillment: 490, tax: 140, discount: 490, total: 2140 },
  ],
])('the preview, the offer and the order say the same of %s', async (_, quantities, arm, price) => {
  const shop = await openShop(10)
  if (arm) await promote(shop, arm)
  const items = quantities.map((quantity = 1) => ({ url: shop.url, quantity }))
  const foreseen = await preview(items)
  expect(foreseen).toMatchObject({ offer: price, merchants: [{ offer: price, problems: [] }] })
  const bought = await ordered(items)
  expect(bought.price).toEqual(price)
  await cancel(bought.id)
})

test('lines of one variant that together exceed its stock are refused by the preview and by the purchase', async () => {
  const shop = await openShop(5)
  const items = [3, 2, 1].map((quantity) => ({ url: shop.url, quantity }))
  expect(await preview(items)).toMatchObject({
    offer: null,
    merchants: [{ offer: null, problems: [{ item: 2, code: 'insufficient_stock' }] }],
  })
  const { id } = await buying.buy(buyer, items, fees)
  expect(await buying.ended(buyer, id)).toMatchObject({
    status: 'failed',
    failure_reason: { code: 'insufficient_stock' },
  })
  expect(await buying.moneyOf(id)).toEqual([])
  expect((await preview(items.slice(0, 2))).merchants[0]?.problems).toEqual([])
})

test('an item that is sold out and in another currency is out of stock in the preview and in the purchase', async () => {
  const shop = await openShop(0)
  await buying.sql(
    `update catalog_items set variants = jsonb_set(variants, '{0,currency}', '"EUR"') where account_id = $1`,
    [shop.seller.accountId],
  )
  const { merchants } = await preview([{ url: shop.url }])
  expect(merchants[0]?.problems).toEqual([{ item: 0, code: 'product_out_of_stock' }])
  const { id } = await buying.buy(buyer, [{ url: shop.url }], fees)
  expect(await buying.ended(buyer, id)).toMatchObject({ failure_reason: { code: 'product_out_of_stock' } })
})

test('a preview counts on a promotion as long as a purchase would get it, and holds nothing of it', async () => {
  const shop = await openShop(10)
  const promotion = await promote(shop, { kind: 'amount', value: 300 }, { caps: { total_uses: 1 } })
  const items = [{ url: shop.url }]
  const discountOf = async () => (await preview(items)).offer?.discount
  expect([await discountOf(), await discountOf()]).toEqual([300, 300])
  const usage = async () => (await post(shop, `/v1/promotions/${promotion}`, {})).usage
  expect(await usage()).toEqual({ uses: 0, discount_amount: 0 })
  const bought = await ordered(items)
  expect(bought.price.discount).toBe(300)
  expect([await usage(), await discountOf()]).toEqual([{ uses: 1, discount_amount: 300 }, 0])
  await cancel(bought.id)
  await expect.poll(discountOf, { interval: 20 }).toBe(300)
})

test('a preview tells people apart as a purchase does: by their limit, and by their first purchase', async () => {
  const once = await openShop(10)
  await promote(
    once,
    { kind: 'amount', value: 300 },
    { caps: { uses_per_identity: 1 }, identity: { rule: 'profile' } },
  )
  const first = await openShop(10)
  await promote(first, { kind: 'amount', value: 200 }, { identity: { rule: 'first_purchase' } })
  const other = await buying.newBuyer()
  const twin = await buying.newBuyer(undefined, await buying.app.newAccount('Twin'))
  const discounts = async (who: Buyer) => {
    const { merchants } = await preview([{ url: once.url }, { url: first.url }], who)
    return merchants.map(({ offer }) => offer?.discount)
  }
  expect(await discounts(buyer)).toEqual([300, 200])
  for (const shop of [once, first]) {
    const bought = await ordered([{ url: shop.url }])
    await answerOrder(buying, shop, bought.order, 'confirmed')
    await buying.ended(buyer, bought.id)
  }
  expect(await discounts(buyer)).toEqual([0, 0])
  // Another profile, but the same address, in this account and in any other.
  expect([await discounts(other), await discounts(twin)]).toEqual([
    [300, 0],
    [300, 0],
  ])
})

test('of several merchants each is priced by its own rates, promotions and stock', async () => {
  const [dear, cheap, empty] = await Promise.all([openShop(10), openShop(10), openShop(0)])
  await promote(cheap, { kind: 'percent', value: 5000 })
  const both = [{ url: dear.url }, { url: cheap.url, quantity: 2 }]
  const { offer, merchants } = await preview(both)
  expect(merchants.map((one) => [one.domain, one.offer?.total])).toEqual([
    [dear.domain, 1560],
    [cheap.domain, 1560],
  ])
  expect(offer).toMatchObject({ subtotal: 3000, fulfillment: 980, tax: 140, discount: 1000, total: 3120 })
  expect(await preview([...both, { url: empty.url }])).toMatchObject({
    offer: null,
    merchants: [
      { problems: [] },
      { problems: [] },
      { problems: [{ item: 2, code: 'product_out_of_stock' }] },
    ],
  })
})

test('a quoted price is the price of the preview, and a quoted item that is sold out is refused by both', async () => {
  const receiver: Receiver = await startReceiver()
  const shop = await openQuotingShop(buying.app, receiver, {
    merchant: { domain: 'one-price.example', tax_basis_points: 700 },
    item: { url: 'https://one-price.example/thing' },
  })
  receiver.answer(
    answering(
      buying.app,
      () => shop,
      (asked) => accepted(asked, { quoted_amount_cents: 1000 }),
    ),
  )
  const { body: quote } = await askQuote(
    buying.app,
    { catalog_variant_id: shop.variantId, quantity: 3 },
    { key: buyer.key },
  )
  const items = [{ url: 'https://one-price.example/thing', quantity: 3, quote_id: quote.id }]
  const foresee = async () =>
    (
      await buying.app.post(
        '/v1/purchase_intents/preview',
        { profile_id: buyer.profileId, items },
        { key: buyer.key },
      )
    ).body
  const price = { subtotal: 1000, fulfillment: 0, tax: 0, discount: 0, total: 1000 }
  expect(await foresee()).toMatchObject({ offer: price, merchants: [{ offer: price, problems: [] }] })
  await buying.app.post(
    `/v1/merchant/catalog_items/${shop.itemId}`,
    { variants: [{ id: shop.variantId, quantity: 2 }] },
    { key: shop.key },
  )
  expect(await foresee()).toMatchObject({
    offer: null,
    merchants: [{ offer: null, problems: [{ item: 0, code: 'insufficient_stock' }] }],
  })
  const { body: intent } = await buying.app.post(
    `/v1/quotes/${quote.id}/accept`,
    { offer_id: quote.offers[0].id, profile_id: buyer.profileId },
    { key: buyer.key },
  )
  await buying.app.post(`/v1/purchase_intents/${intent.id}/approve`, { approve: true }, { key: buyer.key })
  expect(await buying.ended(buyer, intent.id)).toMatchObject({
    status: 'failed',
    failure_reason: { code: 'insufficient_stock' },
  })
  await receiver.stop()
})
