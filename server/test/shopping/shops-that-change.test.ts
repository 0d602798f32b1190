import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { thirdInGate } from '../gate/tenth-in-gate.ts'
import { hasChromium } from '../harness/shop-browser.ts'
import { openTown, type Town, told, type Wish } from '../harness/shopping-trip.ts'
import { holdAgainstShop } from './hold-against-shop.ts'

/** At these shops a product is a story. */
const stories: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  drift: {
    steady: '2700 USD, placed',
    // What is offered is what the summary says: whether it may cost that is for the worker to judge.
    'price-in-cart': '3132 USD, placed',
    'fee-at-payment': '3024 USD, placed',
    'tax-at-payment': '2900 USD, placed',
    'currency-at-payment': 'unsupported_currency',
    'cheaper-at-payment': '2484 USD, placed',
    'quantity-at-payment': 'merchant_changed',
    'swapped-at-payment': 'merchant_changed',
    'price-while-typing': '2700 USD, price_changed (typed)',
    'price-at-button': '2700 USD, price_changed (typed)',
    'sold-out-at-button': '2700 USD, product_out_of_stock (typed)',
  },
  authorizes: {
    'two-shipments': '22140 USD, placed',
    'part-shipped': '22140 USD, placed',
    'never-shipped': '22140 USD, placed',
    late: '22140 USD, placed',
    refunded: '22140 USD, placed',
    'partly-refunded': '22140 USD, placed',
  },
  invoice: {
    'desk-lamp': '6912 USD, placed',
    'invoice-only': 'merchant_unsupported',
    installments: '43632 USD, placed',
    'confirms-unpaid': '14472 USD, placed',
    'free-sample': 'merchant_unsupported',
    club: 'merchant_unsupported',
    trial: 'merchant_unsupported',
  },
}

const rows: readonly (readonly [string, Wish, string])[] = Object.entries(stories).flatMap(
  ([shop, products]) =>
    Object.entries(products).map(
      ([product, expected]) =>
        [`${shop}: ${product}`, { shop, path: `/product/${product}` }, expected] as const,
    ),
)

describe.skipIf(!hasChromium)('shops where something changes', () => {
  let town: Town
  beforeAll(async () => {
    town = await openTown()
  })
  afterAll(() => town.close())

  test.concurrent.each(thirdInGate(rows))('%s', async (_name, wish, expected) => {
    const trip = await town.buy(wish)
    expect(told(trip)).toBe(expected)
    await holdAgainstShop(town, wish, trip)
  })

  test('the card is authorized where the shop charges later, and not asked at all where it never does', async () => {
    const later = await town.buy({ shop: 'authorizes', path: '/product/late' })
    expect(later.card).toEqual({ authorized: 22_140, captured: 0, refunded: 0 })
    const never = await town.buy({ shop: 'invoice', path: '/product/confirms-unpaid' })
    expect(never.card).toEqual({ authorized: 0, captured: 0, refunded: 0 })
  })

  test('a fee that the shop adds at the end is a part of the price, in an offer that adds up', async () => {
    const { price } = await town.price({ shop: 'drift', path: '/product/fee-at-payment' })
    expect(price).toMatchObject({
      offer: { subtotal: 2300n, fulfillment: 500n, tax: 224n, discount: 0n, total: 3024n },
    })
  })

  test('who goes the whole way anew, and finds it dearer, types nothing', async () => {
    const trip = await town.buyFor(1n, { shop: 'drift', path: '/product/steady', isAnew: true })
    expect(told(trip)).toBe('2700 USD, price_changed (not typed)')
    expect([trip.fetched, await town.orders('drift', trip.email)]).toEqual([[], []])
  })
})
