import { expect, test } from 'vitest'
import { pageOriginOf } from './page-origin.ts'

test.each([
  ['https://shop.example', 'https://shop.example'],
  ['https://shop.example/', 'https://shop.example'],
  ['HTTPS://Shop.Example:443', 'https://shop.example'],
  ['https://shop.example:8443', 'https://shop.example:8443'],
  ['https://tür.example', 'https://xn--tr-xka.example'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://shop.localhost', 'http://shop.localhost'],
  ['http://127.0.0.1:5173', 'http://127.0.0.1:5173'],
  ['http://[::1]:5173', 'http://[::1]:5173'],
])('a key for %s is for pages of %s', (text, origin) => {
  expect(pageOriginOf(text)).toBe(origin)
})

test.each([
  '',
  'null',
  '*',
  'shop.example',
  'http://shop.example',
  'http://localhost.shop.example',
  'http://notlocalhost',
  'http://127.0.0.1.example',
  'ftp://localhost',
  'file:///page.html',
  'javascript:alert(1)',
  'https://shop.example/checkout',
  'https://shop.example?x=1',
  'https://shop.example?',
  'https://shop.example#x',
  'https://user@shop.example',
  'https://user:password@shop.example',
  'https://*.shop.example',
  `https://${'a'.repeat(290)}.example`,
])('no key is made for %s', (text) => {
  expect(pageOriginOf(text)).toBe(null)
})
