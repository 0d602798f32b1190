import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TestAccount } from '../harness/app.ts'
import { type Buyer, type Buying, intentBody, startBuying } from '../harness/buying.ts'

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

/** A merchant of ours, 10 % tax, with one published item for each of these variants at 10.00 USD. */
async function openShop(...variants: { item_type?: string; [field: string]: unknown }[]): Promise<string[]> {
  const domain = `fees${++shops}.example`
  await post('/v1/merchant', { name: 'Shop', domain, currency: 'USD', tax_basis_points: 1000 })
  await buying.sql('update merchants set domain_verified_at = now() where account_id = $1', [
    seller.accountId,
  ])
  const urls: string[] = []
  for (const [index, { item_type = 'product', ...variant }] of variants.entries()) {
    const url = `https://${domain}/${index}`
    const { id } = await post('/v1/merchant/catalog_items', {
      title: 'Thing',
      url,
      item_type,
      variants: [{ price: 1000, ...variant }],
    })
    await post(`/v1/merchant/catalog_items/${id}/publish`)
    urls.push(url)
  }
  return urls
}

async function post(path: string, body?: object) {
  const answer = await buying.app.post(path, body, { key: seller.keys.secret_test })
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body
}

function addCard(name: string, rate: object, over: object = {}) {
  const card = { name, fulfillment_type: 'shipping', currency: 'USD', status: 'active', rate, ...over }
  return post('/v1/rate_cards', card)
}

type Bought = {
  offer: { fulfillment: number; total: number } | null
  failure: string | null
  message: string | null
}

/** The total of a purchase, which must be that of its preview. */
async function buy(items: { url: string; quantity?: number }[], fulfillment: object = {}): Promise<Bought> {
  const more = { preferences: { fulfillment: { max_fee_amount: 2000, ...fulfillment } } }
  const preview = await buying.app.post('/v1/purchase_intents/preview', intentBody(buyer, items, more), {
    key: buyer.key,
  })
  expect(preview.status, JSON.stringify(preview.body)).toBe(200)
  const { id } = await buying.buy(buyer, items, more)
  const intent = await buying.until(
    buyer,
    id,
    ({ status, carts }) => status === 'failed' || (carts[0]?.order ?? null) !== null,
  )
  const offer = (intent.carts[0]?.offer ?? null) as Bought['offer']
  const failure = intent.failure_reason as { code: string; merchant_message: string | null } | null
  const [foreseen] = preview.body.merchants
  expect(foreseen.problems[0]?.code ?? null).toBe(failure?.code ?? null)
  if (offer) expect(foreseen.offer).toMatchObject({ fulfillment: offer.fulfillment, total: offer.total })
  if (intent.status !== 'failed') {
    await buying.app.post(`/v1/purchase_intents/${id}/cancel`, {}, { key: buyer.key })
    await buying.settled()
  }
  return { offer, failure: failure?.code ?? null, message: failure?.merchant_message ?? null }
}

const byWeight = {
  kind: 'tiered',
  basis: 'weight',
  tiers: [
    { up_to: 1000, amount: 490 },
    { up_to: 5000, amount: 990 },
  ],
}

test('a purchase pays the tier of its weight, is free from the threshold on, and is taxed on the merchandise alone', async () => {
  const [url = ''] = await openShop({ weight_grams: 600 })
  await addCard('Parcel', { kind: 'free_above', threshold_amount: 5000, otherwise: byWeight })
  expect((await buy([{ url }])).offer).toMatchObject({ fulfillment: 490, tax: 100, total: 1590 })
  expect((await buy([{ url, quantity: 2 }])).offer).toMatchObject({ fulfillment: 990, tax: 200, total: 3190 })
  expect((await buy([{ url, quantity: 5 }])).offer).toMatchObject({ fulfillment: 0, tax: 500, total: 5500 })
})

test('an item that no rate card covers is undeliverable, and the buyer gets the reason', async () => {
  const [light = '', unweighed = ''] = await openShop({ weight_grams: 3000 }, {})
  await addCard('Parcel', byWeight, { zones: [{ country: 'GB' }, { country: 'US' }] })
  await addCard('Nearby', { kind: 'free' }, { zones: [{ country: 'GB', postal_prefixes: ['ZZ'] }] })
  expect((await buy([{ url: light }])).offer).toMatchObject({ fulfillment: 990 })
  const heavy = await buy([{ url: light, quantity: 2 }])
  expect(heavy).toMatchObject({ failure: 'address_undeliverable' })
  expect(heavy.message).toContain('Parcel: No tier covers a weight of 6000 g.')
  expect(heavy.message).toContain('Nearby: It does not deliver to')
  const unknown = await buy([{ url: light }, { url: unweighed }])
  expect(unknown.message).toContain('the weight of an item is not known')
  const picked = await buy([{ url: light }], { method: 'pickup' })
  expect(picked).toMatchObject({
    failure: 'address_undeliverable',
    message: 'The merchant offers no pickup.',
  })
})

test('the buyer chooses between the cheapest and the fastest, and only active cards count', async () => {
  const [url = ''] = await openShop({})
  const draft = await addCard('Draft', { kind: 'free' }, { status: 'draft' })
  expect((await buy([{ url }])).offer).toMatchObject({ fulfillment: 0 })
  await addCard(
    'Slow',
    { kind: 'flat', amount: 300 },
    { timing: { transit: { min: 3, max: 9, unit: 'day' } } },
  )
  await addCard(
    'Courier',
    { kind: 'flat', amount: 1500 },
    { fulfillment_type: 'delivery', timing: { transit: { min: 1, max: 2, unit: 'hour' } } },
  )
  expect((await buy([{ url }])).offer).toMatchObject({ fulfillment: 300 })
  expect((await buy([{ url }], { speed: 'fastest' })).offer).toMatchObject({ fulfillment: 1500 })
  await post(`/v1/rate_cards/${draft.id}`, { status: 'active' })
  expect((await buy([{ url }])).offer).toMatchObject({ fulfillment: 0 })
})

test('a fee beyond its allowance fails the purchase before any money is held', async () => {
  const [url = ''] = await openShop({})
  await addCard('Parcel', { kind: 'flat', amount: 490 })
  expect((await buy([{ url }], { max_fee_amount: 490 })).offer).toMatchObject({ fulfillment: 490 })
  expect(await buy([{ url }], { max_fee_amount: 489 })).toMatchObject({ failure: 'fulfillment_fee_exceeded' })
})

test('a market of its own has rates of its own', async () => {
  const [url = ''] = await openShop({})
  const market = await post('/v1/markets', {
    code: 'us',
    currency: 'USD',
    default_locale: 'en',
    routing: { include: [{ country: 'US', subdivisions: ['IL'] }] },
  })
  const other = await post('/v1/markets', {
    code: 'rest',
    currency: 'USD',
    default_locale: 'en',
    routing: { is_fallback: true },
  })
  await addCard('Here', { kind: 'flat', amount: 700 }, { market_ids: [market.id] })
  await addCard('Elsewhere', { kind: 'flat', amount: 100 }, { market_ids: [other.id] })
  const here = await buy([{ url }])
  await post(`/v1/markets/${market.id}/archive`)
  const elsewhere = await buy([{ url }])
  const fees = [here.offer?.fulfillment, elsewhere.offer?.fulfillment]
  expect(fees).toEqual([700, 100])
})

test('files and services go their own way beside goods', async () => {
  const [vase = '', manual = '', visit = ''] = await openShop(
    { fulfillment_label: 'fragile' },
    { item_type: 'digital' },
    { item_type: 'service' },
  )
  const labelled = {
    kind: 'tiered',
    basis: 'label',
    tiers: [{ label: 'fragile', amount: 900 }, { amount: 200 }],
  }
  await addCard('Parcel', labelled)
  await addCard('Technician', { kind: 'flat', amount: 1000 }, { fulfillment_type: 'service' })
  expect((await buy([{ url: manual }])).offer).toMatchObject({ fulfillment: 0 })
  expect((await buy([{ url: vase }, { url: manual }, { url: visit }])).offer).toMatchObject({
    fulfillment: 1900,
  })
})

test('an API is bought like a service, and a subscription by no purchase, alone or beside other things', async () => {
  const [calls = '', plan = '', cup = ''] = await openShop(
    { item_type: 'api' },
    { item_type: 'subscription' },
    { item_type: 'product' },
  )
  await addCard('Parcel', { kind: 'flat', amount: 300 })
  expect((await buy([{ url: calls }])).offer).toMatchObject({ fulfillment: 0, total: 1100 })
  expect((await buy([{ url: calls }, { url: cup }])).offer).toMatchObject({ fulfillment: 300 })
  for (const items of [[{ url: plan }], [{ url: cup }, { url: plan }]]) {
    const { offer, failure, message } = await buy(items)
    expect([offer, failure]).toEqual([null, 'merchant_unsupported'])
    expect(message).toContain('quote')
  }
  const listed = await buying.app.get('/v1/merchant/catalog_items?item_type=subscription', {
    key: seller.keys.secret_test,
  })
  expect(listed.body.data.map(({ url }: { url: string }) => url)).toEqual([plan])
})
