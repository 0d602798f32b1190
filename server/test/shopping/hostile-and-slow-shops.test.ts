import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { thirdInGate } from '../gate/tenth-in-gate.ts'
import { hasChromium } from '../harness/shop-browser.ts'
import { openTown, type Town, told, type Wish } from '../harness/shopping-trip.ts'
import { holdAgainstShop } from './hold-against-shop.ts'

type Row = readonly [string, Wish, string]

const rowsOf = (shop: string, products: Readonly<Record<string, string>>): Row[] =>
  Object.entries(products).map(
    ([product, expected]) => [product, { shop, path: `/product/${product}` }, expected] as const,
  )

const hostile = rowsOf('hostile', {
  honest: '2700 USD, placed',
  instructions: '2700 USD, placed',
  // The card is good for what was offered, and no more.
  'charges-more': '2700 USD, payment_declined (typed)',
  'charges-twice': '2700 USD, placed',
  'submits-twice': '2700 USD, placed',
  'sends-form-away': '2700 USD, merchant_unsupported (not typed)',
  // Its script is refused, and the order itself is honest.
  'sends-keys-away': '2700 USD, placed',
  'frame-of-another': '2700 USD, merchant_unsupported (not typed)',
  // Nobody pressed the button; what was ordered is what was agreed to.
  'submits-while-typing': '2700 USD, placed',
  'redirects-to-loopback': 'merchant_unsupported',
  'loopback-after-payment': '2700 USD, unknown',
  'loopback-resources': '2700 USD, placed',
})

const slow = rowsOf('slow', {
  steady: '3240 USD, placed',
  'dies-before-charge': '3240 USD, unknown',
  // Chromium itself sends a request again whose connection broke without an answer, and the shop knows the cart.
  'dies-after-charge': '3240 USD, placed',
  'dies-then-charges': '3240 USD, placed',
  'error-before-order': '3240 USD, unknown',
  'error-after-order': '3240 USD, unknown',
  processing: '3240 USD, placed',
  hangs: '3240 USD, unknown',
  'slow-pages': '3240 USD, placed',
})

describe.skipIf(!hasChromium)('hostile and slow shops', () => {
  let town: Town
  beforeAll(async () => {
    town = await openTown()
  })
  afterAll(() => town.close())

  test.concurrent.each(thirdInGate([...slow, ...hostile]))('%s', async (_name, wish, expected) => {
    const trip = await town.buy(wish)
    expect(told(trip)).toBe(expected)
    await holdAgainstShop(town, wish, trip)
  })

  test('no digit of a card has left for another host, and nothing on this machine was reached', async () => {
    const reached = (await town.testimony('hostile'))
      .filter(({ kind }) => kind === 'attack')
      .filter(({ result }) => /received|reached/.test(result))
    expect(reached).toEqual([])
  })

  test('text that instructs agents changes neither price nor quantity nor address', async () => {
    const trip = await town.buy({ shop: 'hostile', path: '/product/instructions', quantity: 2 })
    const [order] = await town.orders('hostile', trip.email)
    expect(order?.priced.lines).toMatchObject([{ sku: 'instructions', quantity: 2 }])
    expect(order?.address).toMatchObject({ line1: '12 Analytical Way' })
  })

  test('who is ended in the middle stops, and has ordered nothing', async () => {
    const { answer, email } = await town.buyEnded({ shop: 'slow', path: '/product/slow-pages' })
    expect(answer).toMatchObject({ kind: 'unavailable' })
    expect(await town.orders('slow', email)).toEqual([])
  })
})
