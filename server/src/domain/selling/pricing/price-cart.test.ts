import { expect, test } from 'vitest'
import { berlin, card, factsOf } from '../../../../test/fixtures/rate-cards.ts'
import type { CountedPromotion } from '../promotions/public.ts'
import { type CartRequest, type CartTerms, priceCart, priceGoods, withDiscount } from './price-cart.ts'
import type { CartLine, CatalogItem } from './sold-line.ts'

const now = new Date('2026-06-01T12:00:00.000Z')

type Variant = CatalogItem['variants'][number]

function variant(over: Partial<Variant> = {}): Variant {
  return {
    id: 'var_1',
    sku: null,
    barcode: null,
    title: null,
    price: 1000,
    currency: 'EUR',
    availability: 'in_stock',
    quantity: 5,
    options: [],
    weight_grams: null,
    fulfillment_label: null,
    ...over,
  }
}

function line(quantity: number, over: Partial<Variant> = {}): CartLine {
  const item: CatalogItem = {
    id: 'cat_1',
    title: 'Mug',
    item_type: 'product',
    categories: ['cups'],
    variants: [variant(over)],
    required_inputs: [],
  }
  return { item, variant: null, quantity }
}

function ofType(item_type: CatalogItem['item_type']): CartLine {
  const { item, ...rest } = line(1)
  return { ...rest, item: item && { ...item, item_type } }
}

const another = { id: 'var_2', sku: 'B' } as const
const cart = (lines: readonly CartLine[], over: Partial<CartRequest> = {}): CartRequest => ({
  lines,
  currency: 'EUR',
  method: 'ship',
  speed: 'cheapest',
  place: berlin,
  at: now,
  ...over,
})
const terms = (over: Partial<CartTerms> = {}): CartTerms => ({
  taxBasisPoints: 700,
  rates: factsOf([card('parcel', { rate: { kind: 'flat', amount: 490 } })]),
  ...over,
})

function promotion(
  arm: { kind: 'percent' | 'amount' | 'free_fulfillment'; value?: number },
  caps: Partial<CountedPromotion['promotion']['caps']> = {},
): CountedPromotion {
  return {
    promotion: {
      id: 'promo_1',
      status: 'active',
      starts_at: now,
      ends_at: null,
      market_id: null,
      currency: 'EUR',
      identity_rule: 'any',
      code: null,
      arms: [{ id: 'all', value: null, ttl_minutes: 5, weight: 1, ...arm }],
      caps: { total_uses: null, uses_per_identity: null, budget_amount: null, ...caps },
      targets: { catalog_item_ids: [], categories: [], min_subtotal_amount: null },
    },
    taken: { uses: 0, discountAmount: 0n },
    identity: { key: 'ada', uses: 0 },
  }
}

type Parts = [subtotal: bigint, fulfillment: bigint, tax: bigint, discount: bigint, total: bigint]

test.each<[string, CartRequest, readonly CountedPromotion[], Parts]>([
  [
    'is the merchandise, the fee and the tax on the merchandise alone',
    cart([line(2)]),
    [],
    [2000n, 490n, 140n, 0n, 2630n],
  ],
  [
    'rounds tax once, not line by line',
    cart([line(1, { price: 8 }), line(1, { ...another, price: 8 })]),
    [],
    [16n, 490n, 1n, 0n, 507n],
  ],
  [
    'is taxed on the price after a discount',
    cart([line(2)]),
    [promotion({ kind: 'percent', value: 1000 })],
    [2000n, 490n, 126n, 200n, 2416n],
  ],
  [
    'is taxed in full where the discount is on the fee',
    cart([line(2)]),
    [promotion({ kind: 'free_fulfillment' })],
    [2000n, 490n, 140n, 490n, 2140n],
  ],
  [
    'has the promotion that takes most off, and that alone',
    cart([line(2)]),
    [promotion({ kind: 'percent', value: 1000 }), promotion({ kind: 'amount', value: 300 })],
    [2000n, 490n, 119n, 300n, 2309n],
  ],
  [
    'has no promotion whose budget would not suffice',
    cart([line(2)]),
    [promotion({ kind: 'percent', value: 1000 }, { budget_amount: 199 })],
    [2000n, 490n, 140n, 0n, 2630n],
  ],
  ['of what is free is the fee', cart([line(1, { price: 0 })]), [], [0n, 490n, 0n, 0n, 490n]],
  [
    'is exact where a number would not be',
    cart([line(9999, { price: 999_999_999_999, quantity: null })]),
    [],
    [9_998_999_999_990_001n, 490n, 699_929_999_999_300n, 0n, 10_698_929_999_989_791n],
  ],
])('a price %s', (_, request, promotions, [subtotal, fulfillment, tax, discount, total]) => {
  expect(priceCart({ ...terms(), promotions }, request)).toMatchObject({
    kind: 'priced',
    currency: 'EUR',
    ...{ subtotal, fulfillment, tax, discount, total },
  })
})

test.each<[string, readonly CartLine[], Partial<CartRequest>, string[]]>([
  ['what nobody sells', [{ item: null, variant: null, quantity: 1 }], {}, ['0 product_not_found']],
  [
    'a subscription, which no purchase buys',
    [ofType('subscription'), ofType('api')],
    {},
    ['0 merchant_unsupported'],
  ],
  ['what has no price', [line(1, { price: null })], {}, ['0 product_not_found']],
  ['another currency', [line(1)], { currency: 'USD' }, ['0 unsupported_currency']],
  [
    'more than there is, as out of stock before anything is said of its currency',
    [line(1, { quantity: 0 })],
    { currency: 'USD' },
    ['0 product_out_of_stock'],
  ],
  ['the line with which two want more than there is', [line(3), line(3)], {}, ['1 insufficient_stock']],
  [
    'each line after it, too',
    [line(3), line(3), line(1)],
    {},
    ['1 insufficient_stock', '2 insufficient_stock'],
  ],
  ['no line of another variant', [line(3), line(3, another), line(2)], {}, []],
  ['nothing of what is made after the order', [line(9, { availability: 'preorder' })], {}, []],
  [
    'every line that cannot be sold, each for its own reason',
    [line(6), line(1, { ...another, price: null }), line(1, { ...another, availability: 'discontinued' })],
    {},
    ['0 insufficient_stock', '1 product_not_found', '2 product_out_of_stock'],
  ],
  [
    'every line of a shipment that goes nowhere',
    [line(1), line(1)],
    { method: 'pickup' },
    ['0 address_undeliverable', '1 address_undeliverable'],
  ],
])('a refusal names %s', (_, lines, over, expected) => {
  const price = priceCart({ ...terms(), promotions: [] }, cart(lines, over))
  const refusals = price.kind === 'refused' ? price.refusals : []
  expect(refusals.map(({ line: place, code }) => `${place} ${code}`)).toEqual(expected)
})

test('the buyer gets the reason when nothing can be delivered and for a subscription, and of other faults only that there is one', () => {
  const refused = priceCart({ ...terms(), promotions: [] }, cart([line(1)], { method: 'pickup' }))
  expect(refused).toMatchObject({ refusals: [{ message: 'The merchant offers no pickup.' }] })
  expect(priceCart({ ...terms(), promotions: [] }, cart([ofType('subscription')]))).toMatchObject({
    refusals: [{ message: expect.stringContaining('quote') }],
  })
  expect(priceCart({ ...terms(), promotions: [] }, cart([line(6)]))).toMatchObject({
    refusals: [{ message: null }],
  })
})

test('several variants of an item need a choice, and the chosen one is sold', () => {
  const one = line(1)
  if (!one.item) throw new Error('no item')
  const item = { ...one.item, variants: [variant({ title: 'Small' }), variant({ ...another, price: 1500 })] }
  const known = { ...terms(), promotions: [] }
  expect(priceCart(known, cart([{ ...one, item }]))).toMatchObject({
    refusals: [{ code: 'variant_required' }],
  })
  expect(priceCart(known, cart([{ ...one, item, variant: { id: 'var_1' } }]))).toMatchObject({
    lines: [
      { title: 'Mug Small', unitAmount: 1000n, listing: { itemId: 'cat_1', variantId: 'var_1', sku: null } },
    ],
  })
  expect(priceCart(known, cart([{ ...one, item, variant: { sku: 'B' } }]))).toMatchObject({
    lines: [{ title: 'Mug', unitAmount: 1500n, listing: { variantId: 'var_2', sku: 'B' } }],
  })
})

test('a promotion is judged by the market of the address', () => {
  const market = {
    id: 'mkt_de' as const,
    code: 'de',
    currency: 'EUR',
    exclude: [],
    priority: 0,
    is_fallback: false,
  }
  const include = [{ country: 'DE', subdivisions: [], postal_prefixes: [] }]
  const rates = factsOf([], { markets: [{ ...market, include }] })
  const marketOf = (place: CartRequest['place']) => {
    const goods = priceGoods(terms({ rates }), cart([line(1)], { place }))
    return goods.kind === 'goods' ? goods.promoted.marketId : 'refused'
  }
  expect([marketOf(berlin), marketOf({ ...berlin, country: 'FR' }), marketOf(null)]).toEqual([
    'mkt_de',
    null,
    null,
  ])
})

test('the tax is a rate of the subtotal until merchandise is discounted', () => {
  const goods = priceGoods(terms(), cart([line(2)]))
  if (goods.kind === 'refused') throw new Error('refused')
  expect(withDiscount(goods, null).taxBasisPoints).toBe(700)
  expect(withDiscount(goods, { merchandise: 0n, fulfillment: 490n }).taxBasisPoints).toBe(700)
  expect(withDiscount(goods, { merchandise: 1n, fulfillment: 0n }).taxBasisPoints).toBeNull()
})
