import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStrangers, type Strangers } from '../../../test/open-strangers.ts'
import { buyer, cardTyped } from '../../../test/shopper.ts'

const shop = 'https://closed.shop.test'
const ada = { email: 'ada@example.com', password: 'correct-horse-7' }
const grace = { email: 'grace@example.com', password: 'battery-staple-9' }

let strangers: Strangers
beforeAll(async () => {
  strangers = await openStrangers()
})
afterAll(() => strangers.close())

test.each(['/product/members-only', '/checkout', '/checkout/payment'])(
  '%s is behind the wall',
  async (path) => {
    const seen = await strangers.shopper().open(`${shop}${path}`)
    expect(seen.url.pathname + seen.url.search).toBe(`/account/login?next=${encodeURIComponent(path)}`)
    expect(seen.body).toContain('autocomplete="current-password"')
  },
)

test('a customer signs in, comes to where the wall was, and buys', async () => {
  const shopper = strangers.shopper()
  await shopper.open(`${shop}/product/checkout-wall`)
  await shopper.submit('/cart/add')
  await shopper.open('/checkout')
  await shopper.submit('/account/login', ada)
  expect(shopper.seen.url.pathname).toBe('/checkout')
  await shopper.open('/checkout/address')
  await shopper.submit('/checkout/address', buyer)
  await shopper.submit('/checkout/delivery', { shipping_method: 'standard' })
  const card = await strangers.issueCard({ limit: 3780, merchant: 'closed.shop.test' })
  const done = await shopper.submit('/checkout/payment', cardTyped(card))
  expect([done.body.includes('Thank you'), await strangers.totals(card)]).toEqual([true, '0/3780/0'])
  expect(await strangers.results('closed')).toEqual([
    'sign_in signed in',
    'order opened',
    'charge authorized',
    'charge captured',
  ])
})

test('where the name is asked for first, the password is on the next page', async () => {
  const shopper = strangers.shopper()
  expect((await shopper.open(`${shop}/product/two-pages`)).url.pathname).toBe('/account/name')
  expect(shopper.seen.body).not.toContain('type="password"')
  await shopper.submit('/account/name', { email: ada.email })
  const { url } = await shopper.submit('/account/login', { password: ada.password })
  expect(url.pathname).toBe('/product/two-pages')
})

test('a form that is sent with GET signs in whoever sends it', async () => {
  const shopper = strangers.shopper()
  expect((await shopper.open(`${shop}/product/get-form`)).url.pathname).toBe('/account/open')
  const fields = new URLSearchParams({ ...ada, next: '/product/get-form' })
  const { url } = await shopper.open(`${shop}/account/open?${fields}`)
  expect(url.pathname).toBe('/product/get-form')
})

test('a wrong password says so without saying which part, and the sixth try is turned away', async () => {
  const shopper = strangers.shopper()
  await shopper.open(`${shop}/account/login`)
  for (const email of [ada.email, 'nobody@example.com', ada.email, ada.email, ada.email]) {
    const { body } = await shopper.submit('/account/login', { email, password: 'guess' })
    expect(body).toContain('The email address or password is incorrect.')
  }
  expect((await shopper.submit('/account/login', ada)).status).toBe(429)
})

test('a code by mail opens once; a wrong one does not, and another customer’s neither', async () => {
  const shopper = strangers.shopper()
  await shopper.open(`${shop}/product/members-only`)
  await shopper.submit('/account/login', grace)
  expect(shopper.seen.url.pathname).toBe('/account/code')
  const code = await strangers.mailedCode('closed', grace.email)
  const wrong = code === '000000' ? '000001' : '000000'
  expect((await shopper.submit('/account/code', { code: wrong })).body).toContain('not correct')
  expect((await shopper.open('/product/members-only')).url.pathname).toBe('/account/login')
  await shopper.open('/account/code')
  expect((await shopper.submit('/account/code', { code })).url.pathname).toBe('/product/members-only')
  const thief = strangers.shopper()
  await thief.open(`${shop}/account/login`)
  await thief.submit('/account/login', grace)
  expect((await thief.submit('/account/code', { code })).body).toContain('not correct')
})

test('the sign-in leads nowhere but to this shop', async () => {
  const shopper = strangers.shopper()
  await shopper.open(`${shop}/account/login?next=//collect.evil.test/`)
  expect((await shopper.submit('/account/login', ada)).url.href).toBe(`${shop}/account`)
})
