import { expect, test } from 'vitest'
import { isPageOf } from './route-cart.ts'

test.each([
  ['https://www.teapots.co.uk', 'https://www.teapots.co.uk/continue/1', true],
  ['https://www.teapots.co.uk', 'https://checkout.teapots.co.uk/continue/1', true],
  ['https://teapots.co.uk', 'http://teapots.co.uk/continue/1', false],
  ['https://teapots.co.uk', 'https://teapots.co.uk:8443/continue/1', false],
  ['https://teapots.co.uk', 'https://kettles.co.uk/continue/1', false],
  ['https://teapots.co.uk', 'https://teapots.co.uk.evil.com/continue/1', false],
  ['https://one.myshopify.com', 'https://one.myshopify.com/continue/1', true],
  ['https://one.myshopify.com', 'https://two.myshopify.com/continue/1', false],
  ['https://teapots.co.uk', 'javascript:alert(1)', false],
])('what %s sends on to %s is a page of its own: %s', (site, address, isOwn) => {
  expect(isPageOf({ site, moreHosts: [] }, address)).toBe(isOwn)
})

test('a host that the entry of the shop names is its own too, exactly and over TLS', () => {
  const shop = { site: 'https://teapots.co.uk', moreHosts: ['pay.tills.example'] }
  expect(isPageOf(shop, 'https://pay.tills.example/continue/1')).toBe(true)
  expect(isPageOf(shop, 'https://tills.example/continue/1')).toBe(false)
  expect(isPageOf(shop, 'http://pay.tills.example/continue/1')).toBe(false)
})
