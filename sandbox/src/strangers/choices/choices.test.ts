import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStrangers, type Strangers } from '../../../test/open-strangers.ts'
import { cardTyped, goToPayment } from '../../../test/shopper.ts'

const shop = 'https://choices.shop.test'

let strangers: Strangers
beforeAll(async () => {
  strangers = await openStrangers()
})
afterAll(() => strangers.close())

const slimForestLarge = { option_color: 'Forest', option_fit: 'Slim', option_size: 'L' }

test('the variant that was chosen is the one that is sold, at its own price', async () => {
  const shopper = strangers.shopper()
  const options = { ...slimForestLarge, option_size: 'XL' }
  const seen = await goToPayment(shopper, `${shop}/product/jacket`, { options, delivery: 'pickup' })
  expect(seen.body).toContain('Field Jacket – Forest, Slim, XL')
  const card = await strangers.issueCard({ limit: 10_593, merchant: 'choices.shop.test' })
  await shopper.submit('/checkout/payment', cardTyped(card))
  expect(await strangers.totals(card)).toBe('0/10593/0')
  expect((await strangers.orders('choices'))[0]).toMatchObject({
    priced: { lines: [{ sku: 'jacket-forest-slim-xl', quantity: 1 }] },
  })
})

test.each([
  ['jacket', {}, 'Please choose product options.'],
  ['jacket', { ...slimForestLarge, option_color: 'Sand' }, 'Please choose product options.'],
  ['jacket', { ...slimForestLarge, option_size: 'M' }, 'Sorry, this product is out of stock.'],
  [
    'jacket',
    { ...slimForestLarge, option_size: 'S', quantity: '2' },
    'Sorry, we have only 1 of this product in stock.',
  ],
  ['mug', { option_color: 'Blue' }, 'Sorry, this product is out of stock.'],
  ['napkins', { quantity: '5' }, 'The minimum quantity for this product is 6.'],
])('%s with %j is refused: %s', async (handle, options: Record<string, string>, message) => {
  const shopper = strangers.shopper()
  await shopper.open(`${shop}/product/${handle}`)
  expect((await shopper.submit('/cart/add', options)).body).toContain(message)
})

test('an address may choose the variant, and machines read them all', async () => {
  const { body } = await strangers.shopper().open(`${shop}/product/jacket?variant=jacket-navy-slim-l`)
  expect(body).toContain('<option value="Navy" selected>')
  expect(body).toContain('value="L" required checked')
  const [, structured = '{}'] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body) ?? []
  expect(JSON.parse(structured).hasVariant).toHaveLength(20)
})
