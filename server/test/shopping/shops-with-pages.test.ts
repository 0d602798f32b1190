import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { thirdInGate } from '../gate/tenth-in-gate.ts'
import { hasChromium } from '../harness/shop-browser.ts'
import { american, german, openTown, type Town, told, type Wish } from '../harness/shopping-trip.ts'
import { holdAgainstShop } from './hold-against-shop.ts'

const jacket = (Color: string, Fit: string, Size: string) => ({ Color, Fit, Size })

/** What is wanted, and what comes of it. */
const rows: readonly (readonly [string, Wish, string])[] = [
  ['one piece', { shop: 'classic', path: '/product/kettle' }, '5832 USD, placed'],
  ['another', { shop: 'classic', path: '/product/teapot' }, '4050 USD, placed'],
  [
    'two pieces, by express, with a coupon',
    { shop: 'classic', path: '/product/kettle', quantity: 2, speed: 'fastest', promoCode: 'WELCOME10' },
    '11145 USD, placed',
  ],
  [
    'with a coupon that the shop refuses',
    { shop: 'classic', path: '/product/kettle', promoCode: 'FREE4ALL' },
    '5832 USD, placed',
  ],
  [
    'as fast as the allowance goes',
    { shop: 'classic', path: '/product/kettle', speed: 'fastest', feeAllowance: 1000n },
    '5832 USD, placed',
  ],
  [
    'no delivery within the allowance: the cheapest, for others to judge',
    { shop: 'classic', path: '/product/kettle', feeAllowance: 100n },
    '5832 USD, placed',
  ],
  ['two goods', { shop: 'classic', path: '/product/kettle', and: '/product/teapot' }, '9342 USD, placed'],
  ['the last two', { shop: 'classic', path: '/product/last-two', quantity: 2 }, '4428 USD, placed'],
  ['more than are left', { shop: 'classic', path: '/product/last-two', quantity: 3 }, 'insufficient_stock'],
  ['sold out', { shop: 'classic', path: '/product/sold-out' }, 'product_out_of_stock'],
  ['digital goods', { shop: 'classic', path: '/product/recipe-book', method: 'digital' }, '972 USD, placed'],
  ['no such page', { shop: 'classic', path: '/product/no-such-thing' }, 'product_not_found'],
  ['the whole way anew', { shop: 'classic', path: '/product/teapot', isAnew: true }, '4050 USD, placed'],
  [
    'a card that is declined',
    { shop: 'classic', path: '/product/kettle', card: 'visa_issuer_declined' },
    '5832 USD, payment_declined (typed)',
  ],

  ['in a size', { shop: 'app', path: '/products/runner', selections: { Size: '41' } }, '12614 USD, placed'],
  [
    'in a dearer size',
    { shop: 'app', path: '/products/runner', selections: { Size: '42' } },
    '13144 USD, placed',
  ],
  ['no size', { shop: 'app', path: '/products/runner' }, 'variant_required'],
  [
    'a size that is sold out',
    { shop: 'app', path: '/products/runner', selections: { Size: '43' } },
    'product_out_of_stock',
  ],
  ['of one kind', { shop: 'app', path: '/products/socks' }, '2544 USD, placed'],
  ['by air', { shop: 'app', path: '/products/socks', speed: 'fastest' }, '4558 USD, placed'],
  ['two of it', { shop: 'app', path: '/products/socks', quantity: 2 }, '5088 USD, placed'],

  ['paid on another page', { shop: 'hosted', path: '/product/notebook' }, '2592 USD, placed'],
  ['the bank looks', { shop: 'hosted', path: '/product/frictionless' }, '10152 USD, placed'],
  [
    'the bank wants a code',
    { shop: 'hosted', path: '/product/challenge' },
    '16632 USD, payment_authentication_failed (typed)',
  ],

  ['a cup', { shop: 'laden', path: '/produkt/tasse' }, '1385 EUR, placed'],
  ['more than a thousand euros', { shop: 'laden', path: '/produkt/siebtraeger' }, '125390 EUR, placed'],
  [
    'two cups by express, with a coupon',
    { shop: 'laden', path: '/produkt/tasse', quantity: 2, speed: 'fastest', promoCode: 'WILLKOMMEN' },
    '2991 EUR, placed',
  ],
  ['ausverkauft', { shop: 'laden', path: '/produkt/muehle' }, 'product_out_of_stock'],

  ['a page for members', { shop: 'closed', path: '/product/members-only' }, 'sign_in'],
  ['a checkout for members', { shop: 'closed', path: '/product/checkout-wall' }, 'sign_in'],

  [
    'three choices',
    { shop: 'choices', path: '/product/jacket', selections: jacket('Navy', 'Slim', 'XL') },
    '11342 USD, placed',
  ],
  [
    'chosen by the address',
    { shop: 'choices', path: '/product/jacket?variant=jacket-forest-regular-l' },
    '10272 USD, placed',
  ],
  [
    'by its number',
    { shop: 'choices', path: '/product/jacket', sku: 'jacket-navy-slim-l' },
    '10272 USD, placed',
  ],
  ['nothing chosen', { shop: 'choices', path: '/product/jacket' }, 'variant_required'],
  [
    'one choice missing',
    { shop: 'choices', path: '/product/jacket', selections: { Color: 'Navy', Size: 'L' } },
    'variant_required',
  ],
  [
    'what is not made',
    { shop: 'choices', path: '/product/jacket', selections: jacket('Sand', 'Slim', 'L') },
    'variant_required',
  ],
  [
    'a variant that is sold out',
    { shop: 'choices', path: '/product/jacket', selections: jacket('Forest', 'Regular', 'M') },
    'product_out_of_stock',
  ],
  [
    'two of which one is left',
    { shop: 'choices', path: '/product/jacket', selections: jacket('Navy', 'Regular', 'S'), quantity: 2 },
    'insufficient_stock',
  ],
  [
    'one color',
    { shop: 'choices', path: '/product/mug', selections: { Color: 'White' } },
    '2354 USD, placed',
  ],
  [
    'the other color',
    { shop: 'choices', path: '/product/mug', selections: { Color: 'Blue' } },
    'product_out_of_stock',
  ],
  ['six', { shop: 'choices', path: '/product/napkins', quantity: 6 }, '5243 USD, placed'],
  ['fewer than the shop sells', { shop: 'choices', path: '/product/napkins' }, 'merchant_unsupported'],

  ['behind a wall, a pop-up and an upsell', { shop: 'messy', path: '/p/7731' }, '4425 USD, placed'],
  ['two of it, added one by one', { shop: 'messy', path: '/p/7731', quantity: 2 }, '8204 USD, placed'],
  ['the session expires once', { shop: 'messy', path: '/p/7732' }, '2805 USD, placed'],
  ['all gone', { shop: 'messy', path: '/p/7733' }, 'product_out_of_stock'],
]

describe.skipIf(!hasChromium)('shops with pages', () => {
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

  test('what the buyer reads of a coupon is what the shop says of it', async () => {
    const [taken, refused] = await Promise.all(
      ['WELCOME10', 'FREE4ALL'].map((promoCode) =>
        town.buy({ shop: 'classic', path: '/product/teapot', promoCode }),
      ),
    )
    expect(taken?.price).toMatchObject({ offer: { discount: 325n }, promo: { isTaken: true } })
    expect(refused?.price).toMatchObject({
      promo: { isTaken: false, message: expect.stringContaining('does not exist') },
    })
  })

  test('an offer names each of the goods with its price, and what comes on top', async () => {
    const { price } = await town.buy({
      shop: 'classic',
      path: '/product/kettle',
      quantity: 2,
      and: '/product/teapot',
    })
    expect(price).toMatchObject({
      kind: 'offer',
      offer: {
        lines: [
          { itemId: 'item-1', quantity: 2, unitAmount: 4900n, title: 'Gooseneck Kettle' },
          { itemId: 'item-2', quantity: 1, unitAmount: 3250n, title: 'Stoneware Teapot' },
        ],
        subtotal: 13_050n,
        fulfillment: 500n,
        tax: 1084n,
        discount: 0n,
        total: 14_634n,
      },
    })
  })

  test('the address arrives as it was given, also where the shop has a better spelling, or asks for the number apart', async () => {
    const trips = await Promise.all([
      town.buy({ shop: 'messy', path: '/p/7731' }),
      town.buy({ shop: 'laden', path: '/produkt/tasse' }),
    ])
    const [[atMessy], [atLaden]] = await Promise.all([
      town.orders('messy', trips[0]?.email ?? ''),
      town.orders('laden', trips[1]?.email ?? ''),
    ])
    expect(atMessy?.address).toMatchObject({
      line1: american.line1,
      city: american.city,
      postalCode: '62704',
    })
    expect(atLaden?.address).toMatchObject({ line1: german.line1, city: 'Leipzig', country: 'DE' })
  })

  test('a picture is taken at every stage, and the card is fetched once, for the page that it is typed into', async () => {
    const trip = await town.buy({ shop: 'hosted', path: '/product/notebook' })
    expect(trip.stages).toEqual([
      'product',
      'cart',
      'address',
      'payment',
      'review',
      'after_submit',
      'confirmation',
    ])
    expect(trip.fetched).toEqual(['https://page.pay.test'])
    const inFrame = await town.buy({ shop: 'app', path: '/products/socks' })
    expect(inFrame.fetched).toEqual(['https://fields.pay.test'])
  })

  test('nobody is ordered for who only asks for a price', async () => {
    const trip = await town.price({ shop: 'classic', path: '/product/kettle' })
    expect(told(trip)).toBe('5832 USD')
    expect(await town.saysOf('classic', trip.email)).toEqual([])
  })
})
