import { expect, test } from 'vitest'
import { shippedPaymentHosts, withPaymentHosts } from './payment-hosts.ts'
import { VisitRules } from './visit-rules.ts'

const shop = (moreHosts: string[] = [], site = 'https://www.teapots.co.uk') =>
  new VisitRules({ site, moreHosts }, shippedPaymentHosts)

test.each([
  'https://js.stripe.com.evil.com',
  'https://evil-js.stripe.com',
  'https://evil.js.stripe.com',
  'https://notjs.stripe.com',
  'https://stripe.com',
  'https://jѕ.stripe.com',
  'https://js.stripe.com.',
  'https://js.stripe.com:444',
  'https://js.stripe.com@evil.com',
  'https://evil.com/js.stripe.com',
  'https://1.2.3.4',
  'https://[::1]',
  'http://js.stripe.com',
])('%s is no host of payment: no card is typed there, and no page leads there', (address) => {
  const rules = shop()
  const { origin } = new URL(address)
  expect([rules.mayTakeCard(origin), rules.mayNavigate(address)]).toEqual([false, false])
})

test('a browser writes a host of payment in one way, whatever a page has written', () => {
  const { origin } = new URL('https://JS.Stripe.COM:443/x')
  expect(shop().mayTakeCard(origin)).toBe(true)
})

test('what an operator names counts for its visits as what comes along does, by its roles', () => {
  const added = withPaymentHosts(shippedPaymentHosts, [
    { host: 'pay.local-bank.example', roles: ['page'] },
    { host: 'ask.local-bank.example', roles: ['acs'] },
  ])
  const rules = new VisitRules({ site: 'https://www.teapots.co.uk', moreHosts: [] }, added)
  expect(rules.mayTakeCard('https://pay.local-bank.example')).toBe(true)
  expect(rules.mayTakeCard('https://ask.local-bank.example')).toBe(false)
  expect(rules.mayTakeCard('https://local-bank.example')).toBe(false)
  rules.closeHosts()
  expect(['pay', 'ask'].map((name) => rules.mayConnect(`${name}.local-bank.example`))).toEqual([false, true])
  expect(shop().mayTakeCard('https://pay.local-bank.example')).toBe(false)
})

test.each([
  ['https://www.teapots.co.uk/a', true],
  ['https://checkout.teapots.co.uk/', true],
  ['https://teapots.co.uk/', true],
  ['https://checkout.stripe.com/c/pay', true],
  ['https://named.example/', true],
  ['http://www.teapots.co.uk/', false],
  ['https://www.teapots.co.uk:8443/', false],
  ['https://kettles.co.uk/', false],
  ['https://teapots.co.uk.evil.com/', false],
  ['https://evilteapots.co.uk/', false],
  ['https://sub.named.example/', false],
  ['https://127.0.0.1/', false],
  ['javascript:alert(1)', false],
  ['file:///etc/passwd', false],
  ['not a url', false],
])('the page may be at %s: %s', (url, may) => {
  expect(shop(['named.example']).mayNavigate(url)).toBe(may)
})

test('shops below one host of many are different merchants', () => {
  const one = shop([], 'https://one.myshopify.com')
  expect(one.mayNavigate('https://one.myshopify.com/cart')).toBe(true)
  expect(one.mayNavigate('https://two.myshopify.com/cart')).toBe(false)
})

test.each([
  ['https://www.teapots.co.uk', true],
  ['https://teapots.co.uk', true],
  ['https://js.stripe.com', true],
  ['https://checkout.stripe.com', true],
  ['https://hooks.stripe.com', false],
  ['https://checkout.teapots.co.uk', false],
  ['https://named.example', false],
  ['http://www.teapots.co.uk', false],
  ['https://www.teapots.co.uk:8443', false],
  ['https://js.stripe.com:8443', false],
  ['https://www.teapots.co.uk/', false],
  ['https://user@www.teapots.co.uk', false],
  ['null', false],
])('a card may be typed at %s: %s', (origin, may) => {
  expect(shop(['named.example']).mayTakeCard(origin)).toBe(may)
})

test.each([
  ['https://www.teapots.co.uk', true],
  ['https://login.teapots.co.uk', true],
  ['https://teapots.co.uk', true],
  ['http://login.teapots.co.uk', false],
  ['https://login.teapots.co.uk:8443', false],
  ['https://login.teapots.co.uk/', false],
  ['https://named.example', false],
  ['https://checkout.stripe.com', false],
  ['https://kettles.co.uk', false],
  ['https://teapots.co.uk.evil.com', false],
  ['null', false],
])('a password may be typed at %s: %s', (origin, may) => {
  expect(shop(['named.example']).mayTakePassword(origin)).toBe(may)
})

test.each([
  ['https://checkout.teapots.co.uk/continue/1', true],
  ['https://named.example/continue/1', true],
  ['http://checkout.teapots.co.uk/continue/1', false],
  ['https://checkout.teapots.co.uk:8443/continue/1', false],
  ['https://hooks.stripe.com/continue/1', false],
  ['https://evil.example/continue/1', false],
])('a cart that goes on at %s may be paid at that origin: %s', (startAt, may) => {
  const site = 'https://www.teapots.co.uk'
  const rules = new VisitRules({ site, moreHosts: ['named.example'], startAt }, shippedPaymentHosts)
  expect(rules.mayTakeCard(new URL(startAt).origin)).toBe(may)
  expect(rules.mayTakeCard('https://pay.teapots.co.uk')).toBe(false)
  expect(rules.mayTakeCard(site)).toBe(true)
})

test.each([
  ['/s?p=correct-horse-7', true],
  ['/s?p=x%20correct-horse-7&q=1', true],
  ['/s/correct%2Dhorse%2D7', true],
  ['/s?card=4242%204242-4242+4242', true],
  ['/s?q=%E0%A4%A&p=correct-horse-7', true],
  ['/s?p=abc', true],
  ['/s?p=abcd', false],
  ['/abc?p=correct-horse', false],
  ['/s?p=correct-horse-8', false],
])('%s holds what was typed: %s', (path, holds) => {
  const rules = shop()
  expect(rules.holdsSecret(`https://elsewhere.example${path}`)).toBe(false)
  for (const secret of ['correct-horse-7', '4242424242424242', 'abc']) rules.keepOutOfAddresses(secret)
  expect(rules.holdsSecret(`https://elsewhere.example${path}`)).toBe(holds)
})

test('requests and bytes end, and what was refused is noted once in a row', () => {
  const rules = shop()
  expect(Array.from({ length: 2_002 }, () => rules.countRequest()).filter(Boolean)).toHaveLength(2_000)
  expect(rules.countBytes(100 * 1_048_576)).toBe(true)
  expect(rules.mayConnect('www.teapots.co.uk')).toBe(true)
  expect(rules.countBytes(1)).toBe(false)
  expect(rules.mayConnect('www.teapots.co.uk')).toBe(false)
  expect(rules.refusals()).toEqual(['more than 2000 requests', 'more than 100 MB'])
})

test('once hosts are closed, only known ones and those of banks are open', () => {
  const rules = shop()
  rules.connected('cdn.example')
  rules.closeHosts()
  expect(
    ['cdn.example', 'hooks.stripe.com', 'js.stripe.com', 'evil.example'].map((host) =>
      rules.mayConnect(host),
    ),
  ).toEqual([true, true, false, false])
  expect(rules.contacted()).toEqual(['cdn.example'])
})
