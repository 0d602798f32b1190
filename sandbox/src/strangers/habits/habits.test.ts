import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStrangers, type Strangers } from '../../../test/open-strangers.ts'
import { cardTyped } from '../../../test/shopper.ts'

const shop = 'https://habits.shop.test'
const ada = {
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  address_1: '12 Analytical Way',
  city: 'Springfield',
  postcode: '62704',
  country: 'US',
}

let strangers: Strangers
beforeAll(async () => {
  strangers = await openStrangers()
})
afterAll(() => strangers.close())

test('a card is asked for before the total, which the page after it shows: nothing is ordered by the card alone', async () => {
  const shopper = strangers.shopper()
  await shopper.open(`${shop}/product/card-first-dearer`)
  await shopper.submit('/cart/add', { product: 'card-first-dearer' })
  await shopper.open(`${shop}/checkout`)
  const refused = await shopper.submit('/checkout/gateway', { username: ada.email, options: 'existing' })
  expect(refused.body).toContain('Unknown customer.')
  await shopper.submit('/checkout/gateway', { username: ada.email, options: 'anonymous' })
  await shopper.submit('/checkout/address', ada)
  const asked = await shopper.submit('/checkout/delivery', { shipping_method: 'standard' })
  expect(asked.body).not.toContain('$25.00')
  const card = await strangers.issueCard({ limit: 2600, merchant: 'habits.shop.test' })
  const review = await shopper.submit('/checkout/review', cardTyped(card))
  expect(review.body).toContain('$26.00')
  expect(await strangers.orders('habits')).toEqual([])
  await shopper.submit('/checkout/payment', cardTyped(card))
  expect(await strangers.totals(card)).toBe('0/2600/0')
})
