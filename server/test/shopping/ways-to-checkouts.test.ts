import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ShopWay } from '../../src/channels/browser/shopping-words.ts'
import { thirdInGate } from '../gate/tenth-in-gate.ts'
import { hasChromium } from '../harness/shop-browser.ts'
import { openTown, type Town, type Wish } from '../harness/shopping-trip.ts'

/** Where the way of nobody ends, why, whether guests may buy, and what the cart says. */
const rows: readonly (readonly [string, Wish, string])[] = [
  ['pages one after the other', { shop: 'classic', path: '/product/kettle' }, 'buyer, guests, 4900 USD'],
  ['two of it', { shop: 'classic', path: '/product/kettle', quantity: 2 }, 'buyer, guests, 9800 USD'],
  ['no product', { shop: 'classic', path: '/product/nothing' }, 'product, product_not_found'],
  ['none left', { shop: 'classic', path: '/product/sold-out' }, 'product, product_out_of_stock'],
  [
    'too few',
    { shop: 'classic', path: '/product/last-two', quantity: 3 },
    'product, insufficient_stock: Sorry, we have only 2 of this product in stock.',
  ],
  ['a page that its script draws', { shop: 'app', path: '/products/socks' }, 'buyer, guests, 2400 USD'],
  [
    'no size',
    { shop: 'app', path: '/products/runner' },
    'product, variant_required: Choose Size (40, 41, 42).',
  ],
  ['payment elsewhere', { shop: 'hosted', path: '/product/notebook' }, 'buyer, guests, 1900 USD'],
  ['German, on one page', { shop: 'laden', path: '/produkt/tasse' }, 'buyer, guests, 1385 EUR'],
  [
    'a product for customers',
    { shop: 'closed', path: '/product/members-only' },
    'product, no guests, sign_in',
  ],
  [
    'a checkout for customers',
    { shop: 'closed', path: '/product/checkout-wall' },
    'cart, no guests, 3000 USD, sign_in',
  ],
  [
    'a variant in three dimensions',
    { shop: 'choices', path: '/product/jacket', selections: { Color: 'Navy', Fit: 'Slim', Size: 'L' } },
    'buyer, guests, 8900 USD',
  ],
  [
    'fewer than the shop sells',
    { shop: 'choices', path: '/product/napkins' },
    'product, merchant_unsupported: The shop does not sell this quantity.',
  ],
  ['no labels and no buttons', { shop: 'messy', path: '/p/7731' }, 'buyer, guests'],
  [
    'a riddle',
    { shop: 'messy', path: '/p/7734' },
    'product, merchant_unsupported: No way on was found at “GLOWUP” of messy.shop.test.',
  ],
  [
    'a password that nobody needs',
    { shop: 'picky', path: '/product/optional-account' },
    'buyer, guests, 1200 USD',
  ],
  ['a guest by a radio', { shop: 'habits', path: '/product/choose' }, 'buyer, guests, 2000 USD'],
  ['steps that fold out', { shop: 'habits', path: '/product/accordion' }, 'buyer, guests, 2000 USD'],
  [
    'a name that is asked for alone',
    { shop: 'habits', path: '/product/card-first' },
    'buyer, guests, 2000 USD',
  ],
  ['a page that instructs', { shop: 'hostile', path: '/product/instructions' }, 'buyer, guests, 2000 USD'],
  [
    'a page that leads to this machine',
    { shop: 'hostile', path: '/product/redirects-to-loopback' },
    'product, merchant_unsupported',
  ],
]

function told({ items, reached, mayBeGuest, sums, currency, stop }: ShopWay): string {
  const why = items.find((one) => one.stop !== null)?.stop ?? stop
  return [
    reached,
    ...(mayBeGuest === null ? [] : [mayBeGuest ? 'guests' : 'no guests']),
    ...(sums === null ? [] : [`${sums.total} ${currency}`]),
    ...(why === null ? [] : [why.message === null ? why.code : `${why.code}: ${why.message}`]),
  ].join(', ')
}

/** What each field on the way would get, by its label; `*`: the shop requires it. */
function fields({ steps }: ShopWay): Record<string, string> {
  return Object.fromEntries(
    steps.flatMap(({ controls }) =>
      controls.map(({ label, field, fate, isRequired }) => [
        label,
        `${fate} ${field ?? 'unknown'}${isRequired ? ' *' : ''}`,
      ]),
    ),
  )
}

describe.skipIf(!hasChromium)('the way to a checkout before anybody buys', () => {
  let town: Town
  beforeAll(async () => {
    town = await openTown()
  })
  afterAll(() => town.close())

  async function wayOf(wish: Wish, buyer: 'nobody' | 'demo', currency: string | null = null) {
    const { answer, ...seen } = await town.way(wish, { buyer, currency })
    if (answer.kind !== 'way') throw new Error(JSON.stringify(answer))
    return { way: answer, ...seen }
  }

  test.concurrent.each(thirdInGate(rows))('as nobody: %s', async (_name, wish, expected) => {
    const { way, stages, contacted } = await wayOf(wish, 'nobody')
    expect(told(way)).toBe(expected)
    // No picture was taken, and no page for payment was opened.
    expect([stages, way.country]).toEqual([[], null])
    expect(contacted).not.toContain('page.pay.test')
    expect(JSON.stringify(way.steps)).not.toMatch(/Lovelace|Analytical|example\.com|62704/)
  })

  const demoEmail = 'ada.lovelace@example.com'

  test.concurrent('each field is told with what it would get, and what nobody knows is marked', async () => {
    const { way } = await wayOf({ shop: 'picky', path: '/product/dni-needed' }, 'nobody')
    expect(fields(way)).toMatchObject({
      'First name': 'typed first_name *',
      'Street address': 'typed line1 *',
      'Identification number': 'asked unknown *',
      'Coupon code': 'left promo_code',
      Country: 'chosen country *',
    })
    const { way: radio } = await wayOf({ shop: 'habits', path: '/product/choose' }, 'nobody')
    expect(radio.steps.at(-1)?.choices).toEqual([
      {
        about: 'account',
        name: '',
        alternatives: ['Register Account', 'Guest Checkout'],
        taken: 'Guest Checkout',
      },
    ])
    expect(fields(radio).Password).toBe('left password')
    const { way: jacket } = await wayOf({ shop: 'choices', path: '/product/jacket' }, 'nobody')
    expect(jacket.steps[0]?.choices.map(({ about, name, taken }) => [about, name, taken])).toEqual([
      ['variant', 'Color', null],
      ['variant', 'Fit', null],
      ['variant', 'Size', null],
    ])
    const { way: folded } = await wayOf({ shop: 'habits', path: '/product/accordion' }, 'nobody')
    expect(fields(folded)).toMatchObject({ 'Street address': 'typed line1 *' })
    const { way: german } = await wayOf({ shop: 'laden', path: '/produkt/tasse' }, 'nobody')
    expect(fields(german)).toMatchObject({
      Hausnummer: 'typed house_number *',
      Kartennummer: 'card card_number',
    })
  })

  test.concurrent.each([
    ['classic', '/product/kettle', 'US', 5832n],
    ['laden', '/produkt/tasse', 'DE', 1385n],
    ['messy', '/p/7731', 'US', 4425n],
    ['habits', '/product/accordion', 'US', 2500n],
  ] as const)(
    'as a buyer of its country who does not exist: %s is gone as far as its summary, with pictures, and orders nothing',
    async (shop, path, country, total) => {
      const { way, stages } = await wayOf({ shop, path }, 'demo')
      expect(way).toMatchObject({ reached: 'payment', country, stop: null, sums: { total } })
      expect(stages).toEqual(expect.arrayContaining(['product', 'cart', 'address', 'payment']))
      expect(await town.orders(shop, demoEmail)).toEqual([])
      expect(
        (await town.testimony(shop)).filter(({ kind }) => kind === 'charge' || kind === 'order'),
      ).toEqual([])
      // What a page repeats of the buyer is the name of a field.
      expect(JSON.stringify(way.steps)).not.toMatch(/Lovelace|Analytical Way|Beispielweg/)
    },
  )

  test.concurrent('what a shop requires of nobody in particular ends the way of a buyer who does not exist, unsent', async () => {
    const { way } = await wayOf({ shop: 'picky', path: '/product/dni-needed' }, 'demo')
    expect([way.reached, way.stop?.code]).toEqual(['buyer', 'needs_input'])
    expect((await town.testimony('picky')).filter(({ email }) => email === demoEmail)).toEqual([])
  })

  test.concurrent('a way that takes too long says what was seen until then, and no silence of the shop', async () => {
    const { answer } = await town.way(
      { shop: 'classic', path: '/product/kettle', and: '/product/teapot' },
      { buyer: 'nobody', currency: 'USD', longestMs: 350 },
    )
    // On a machine that is slow enough not even the first page has come.
    if (answer.kind !== 'way') return expect(answer.kind).toBe('unavailable')
    expect([answer.isLate, answer.stop, answer.items.map(({ stop }) => stop)]).toEqual([
      true,
      null,
      [null, null],
    ])
    expect(answer.items[0]?.product?.title).toBe('Gooseneck Kettle')
  })

  test('every shop testifies: nobody gave a name, and nothing was ordered or charged', async () => {
    for (const shop of new Set(rows.map(([, wish]) => wish.shop))) {
      const entries = await town.testimony(shop)
      expect(entries.filter(({ kind }) => kind !== 'cart')).toEqual([])
      expect(entries.filter(({ email }) => email !== null && email !== demoEmail)).toEqual([])
      const ofDemo = shop === 'classic' || shop === 'laden' || shop === 'messy' || shop === 'habits'
      if (!ofDemo) expect(entries.filter(({ email }) => email !== null)).toEqual([])
    }
  })
})
