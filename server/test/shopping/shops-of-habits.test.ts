import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { thirdInGate } from '../gate/tenth-in-gate.ts'
import { hasChromium } from '../harness/shop-browser.ts'
import { openTown, type Town, told, type Wish } from '../harness/shopping-trip.ts'
import { holdAgainstShop } from './hold-against-shop.ts'

/** What is wanted, and what comes of it. */
const rows: readonly (readonly [string, Wish, string])[] = [
  ['windows to choose in', { shop: 'habits', path: '/product/choose' }, '2500 USD, placed'],
  ['windows, by express', { shop: 'habits', path: '/product/choose', speed: 'fastest' }, '3500 USD, placed'],
  ['steps that fold out', { shop: 'habits', path: '/product/accordion' }, '2500 USD, placed'],
  ['a card before the total', { shop: 'habits', path: '/product/card-first' }, '2500 USD, placed'],
  [
    'a card before the total, by express',
    { shop: 'habits', path: '/product/card-first', speed: 'fastest' },
    '3500 USD, placed',
  ],
  [
    'a card before the total, the whole way anew',
    { shop: 'habits', path: '/product/card-first', isAnew: true },
    '2500 USD, placed',
  ],
  [
    'a card before a total that is higher',
    { shop: 'habits', path: '/product/card-first-dearer' },
    '2500 USD, price_changed (typed)',
  ],
  [
    'a total that only the cart shows',
    { shop: 'habits', path: '/product/card-first-one-way' },
    '2500 USD, placed',
  ],
  ['fields that are kept once they are left', { shop: 'habits', path: '/product/kept' }, '2500 USD, placed'],
  ['radios that only their labels draw', { shop: 'habits', path: '/product/drawn' }, '2500 USD, placed'],
  [
    'radios that only their labels draw, by express',
    { shop: 'habits', path: '/product/drawn', speed: 'fastest' },
    '3500 USD, placed',
  ],
  ['a number in a name', { shop: 'habits', path: '/product/lumen-15' }, '2500 USD, placed'],
  ['two of it', { shop: 'habits', path: '/product/lumen-15', quantity: 2 }, '4500 USD, placed'],
  [
    'links to sizes',
    { shop: 'habits', path: '/product/shirt', selections: { Size: 'large' } },
    '2500 USD, placed',
  ],
  ['no size', { shop: 'habits', path: '/product/shirt' }, 'variant_required'],
  [
    'links that are called alike',
    { shop: 'habits', path: '/product/vest', selections: { Size: 'Large' } },
    '2500 USD, placed',
  ],
  [
    'a size that none of them has',
    { shop: 'habits', path: '/product/vest', selections: { Size: 'Huge' } },
    'variant_required',
  ],
  ['a password that nobody needs', { shop: 'picky', path: '/product/optional-account' }, '1836 USD, placed'],
  [
    'a phone in three fields',
    { shop: 'picky', path: '/product/split-phone', buyer: { phone: '+15035550123' } },
    '1836 USD, placed',
  ],
  [
    'a phone that is asked for late',
    { shop: 'picky', path: '/product/late-phone', buyer: { phone: '+15035550123' } },
    '1836 USD, placed',
  ],
  ['a phone that nobody has', { shop: 'picky', path: '/product/late-phone' }, 'needs_input'],
  [
    'a phone that a person knows',
    { shop: 'picky', path: '/product/late-phone', answers: { phone: '+15035550123' } },
    '1836 USD, placed',
  ],
  [
    'what is asked for late',
    { shop: 'picky', path: '/product/late-note', answers: { name_on_the_doorbell: 'Ada' } },
    '1836 USD, placed',
  ],
  [
    'a star that is drawn',
    { shop: 'picky', path: '/product/drawn-star', answers: { how_did_you_hear_of_us: 'A friend' } },
    '1836 USD, placed',
  ],
]

describe.skipIf(!hasChromium)('shops of other habits', () => {
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

  test('a page whose address alone says that it is done confirms the order', async () => {
    const { placed, email, ...trip } = await town.buy({ shop: 'habits', path: '/product/wordless' })
    expect(told({ placed, ...trip })).toBe('2500 USD, placed')
    const orderUrl = 'https://habits.shop.test/checkout/success'
    expect(placed).toEqual({ kind: 'placed', orderId: null, orderUrl })
    expect(await town.orders('habits', email)).toHaveLength(1)
  })

  test('of links that are called alike, what is wanted is bought, and what there is is told', async () => {
    const wish = { shop: 'habits', path: '/product/vest' }
    const { email } = await town.buy({ ...wish, selections: { Size: 'Large' } })
    const [order] = await town.orders('habits', email)
    expect(order?.priced.lines.map(({ sku }) => sku)).toEqual(['vest-2'])
    const { price } = await town.buy(wish)
    expect(price).toMatchObject({ code: 'variant_required', message: 'Choose Size (Small, Large).' })
  })
})
