import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStrangers, type Strangers } from '../../../test/open-strangers.ts'
import { cardTyped, goToPayment, totalShown } from '../../../test/shopper.ts'

const shop = 'https://classic.shop.test'

let strangers: Strangers
beforeAll(async () => {
  strangers = await openStrangers()
})
afterAll(() => strangers.close())

const total = 5832

test('a guest buys: the card is charged what every page said, and the shop testifies to one order', async () => {
  const shopper = strangers.shopper()
  const seen = await goToPayment(shopper, `${shop}/product/kettle`)
  expect([seen.url.pathname, totalShown(seen)]).toEqual(['/checkout/payment', total])
  const card = await strangers.issueCard({ limit: total, merchant: 'classic.shop.test' })
  const done = await shopper.submit('/checkout/payment', cardTyped(card))
  expect(done.url.pathname).toBe('/order/100001')
  expect(done.body).toContain('Thank you. Your order has been received.')
  expect(await strangers.totals(card)).toBe(`0/${total}/0`)
  expect(await strangers.results('classic')).toEqual(['order opened', 'charge authorized', 'charge captured'])
  expect((await shopper.open('/checkout/payment')).url.pathname).toBe('/order/100001')
  expect((await strangers.shopper().open(`${shop}/order/100001`)).status).toBe(404)
})

test('the page of a product says what it is and costs to machines, and can not be broken by a name', async () => {
  const { body } = await strangers.shopper().open(`${shop}/product/kettle`)
  const [, structured = '{}'] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body) ?? []
  expect(JSON.parse(structured)).toMatchObject({
    '@type': 'Product',
    name: 'Gooseneck Kettle',
    offers: { price: '49.00', priceCurrency: 'USD', availability: 'https://schema.org/InStock' },
  })
  expect(body).toContain('<meta property="product:price:amount" content="49.00">')
  const hostile = await strangers.shopper().open(`${shop}/product/kettle?message=<script>alert(1)</script>`)
  expect(hostile.body).not.toContain('<script>alert')
})

test('a declined card orders nothing, and another one may be typed', async () => {
  const shopper = strangers.shopper()
  await goToPayment(shopper, `${shop}/product/teapot`)
  const small = await strangers.issueCard({ limit: 100, merchant: 'classic.shop.test' })
  const refused = await shopper.submit('/checkout/payment', cardTyped(small))
  expect(refused.body).toContain('Your card was declined (over limit).')
  expect(refused.body).not.toContain(small.number)
  const card = await strangers.issueCard({ limit: 10_000, merchant: 'classic.shop.test' })
  const done = await shopper.submit('/checkout/payment', cardTyped(card))
  expect(done.body).toContain('Thank you')
  expect([await strangers.totals(small), await strangers.totals(card)]).toEqual(['0/0/0', '0/4050/0'])
})

test('the button pressed five times at once is one order', async () => {
  const shopper = strangers.shopper()
  await goToPayment(shopper, `${shop}/product/kettle`, { delivery: 'express' })
  const card = await strangers.issueCard({ limit: 100_000, merchant: 'classic.shop.test' })
  const before = (await strangers.orders('classic')).length
  await Promise.all(Array.from({ length: 5 }, () => shopper.submit('/checkout/payment', cardTyped(card))))
  expect((await strangers.orders('classic')).length).toBe(before + 1)
  expect(await strangers.totals(card)).toBe('0/6912/0')
})

test.each([
  ['sold-out', '1', 'Sorry, this product is out of stock.'],
  ['last-two', '3', 'Sorry, we have only 2 of this product in stock.'],
])('%s can not be put into the cart %s times', async (handle, quantity, message) => {
  const shopper = strangers.shopper()
  await shopper.open(`${shop}/product/${handle}`)
  const { body } = await shopper.submit('/cart/add', { quantity })
  expect(body).toContain(message)
})

test('a coupon counts once, and a wrong one only says so', async () => {
  const shopper = strangers.shopper()
  await shopper.open(`${shop}/product/kettle`)
  await shopper.submit('/cart/add')
  const wrong = await shopper.submit('/cart', { coupon_code: 'FREE', apply_coupon: '1' })
  expect(wrong.body).toContain('Coupon “FREE” does not exist')
  await shopper.submit('/cart', { coupon_code: 'welcome10', apply_coupon: '1' })
  const { body } = await shopper.submit('/cart', { coupon_code: 'welcome10', apply_coupon: '1' })
  expect(body).toContain('−$4.90')
})

test('digital goods ask for no delivery', async () => {
  const seen = await goToPayment(strangers.shopper(), `${shop}/product/recipe-book`)
  expect([seen.url.pathname, totalShown(seen)]).toEqual(['/checkout/payment', 972])
})

test('whoever comes too early is sent to the step that is missing', async () => {
  const shopper = strangers.shopper()
  expect((await shopper.open(`${shop}/checkout/payment`)).url.pathname).toBe('/cart')
  await shopper.open('/product/kettle')
  await shopper.submit('/cart/add')
  expect((await shopper.open('/checkout/payment')).url.pathname).toBe('/checkout/address')
  const { body } = await shopper.submit('/checkout/address', { email: 'nobody', postcode: 'x' })
  expect(body).toContain('Street address is a required field.')
})

test('a cart and an order are still there after a restart', async () => {
  const shopper = strangers.shopper()
  await goToPayment(shopper, `${shop}/product/kettle`)
  const orders = await strangers.orders('classic')
  await strangers.restart()
  expect(await strangers.orders('classic')).toEqual(orders)
})
