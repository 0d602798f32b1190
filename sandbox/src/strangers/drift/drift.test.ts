import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStrangers, type Strangers } from '../../../test/open-strangers.ts'
import { cardTyped, goToPayment, totalShown } from '../../../test/shopper.ts'

const shop = 'https://drift.shop.test'
const steady = 2700

let strangers: Strangers
beforeAll(async () => {
  strangers = await openStrangers()
})
afterAll(() => strangers.close())

async function buy(handle: string, currency = 'USD') {
  const shopper = strangers.shopper()
  const seen = await goToPayment(shopper, `${shop}/product/${handle}`)
  const card = await strangers.issueCard({ limit: 100_000, merchant: 'drift.shop.test', currency })
  const done = await shopper.submit('/checkout/payment', cardTyped(card))
  return { shopper, seen, card, done, charged: await strangers.totals(card) }
}

test.each([
  ['steady', steady, steady],
  ['price-in-cart', 3132, 3132],
  ['fee-at-payment', 3024, 3024],
  ['tax-at-payment', 2900, 2900],
  ['cheaper-at-payment', 2484, 2484],
  ['quantity-at-payment', 4860, 4860],
  ['swapped-at-payment', steady, steady],
  ['price-while-typing', steady, 3240],
])('%s shows %i before the card is typed, and charges %i', async (handle, shown, charged) => {
  const bought = await buy(handle)
  expect([totalShown(bought.seen), bought.charged]).toEqual([shown, `0/${charged}/0`])
})

test('another currency is charged in that currency', async () => {
  expect((await buy('currency-at-payment')).charged).toBe('0/0/0')
  const bought = await buy('currency-at-payment', 'EUR')
  expect(bought.seen.body).toContain('€27.00')
  expect(bought.charged).toBe(`0/${steady}/0`)
})

test('a price that changes at the button is asked for once more, and charged then', async () => {
  const { shopper, card, done, charged } = await buy('price-at-button')
  expect([totalShown(done), charged]).toEqual([3078, '0/0/0'])
  expect(done.body).toContain('Prices in your order have changed.')
  await shopper.submit('/checkout/payment', cardTyped(card))
  expect(await strangers.totals(card)).toBe('0/3078/0')
})

test('what is sold out at the button is not sold', async () => {
  const { done, charged } = await buy('sold-out-at-button')
  expect([done.url.pathname, charged]).toEqual(['/cart', '0/0/0'])
})
