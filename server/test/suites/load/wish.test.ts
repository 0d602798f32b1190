import { expect, test } from 'vitest'
import { wishOf } from './wish.ts'

const items = Object.fromEntries(
  ['ok', 'rejected', 'error_then_ok', 'double', 'late', 'other_merchant'].map((name) => [
    name,
    `https://${name}`,
  ]),
)
const promotedItems = { sold: 'https://sold', refused: 'https://refused' }
const shops = ['a', 'b', 'c', 'd'].map((name) => ({
  ...{ domain: `${name}.example`, key: name, slug: name },
  variants: { ok: `var_${name}`, out_of_stock: `var_gone_${name}` },
}))
const platform = { profileUrl: 'https://platform.example', kid: 'k', pem: '' }
const trade = { quotedItems: items, promotedItems, several: { price: 1000, shops }, platform, pages: null }
const order = (seed: number) => ({
  seed,
  items,
  hasShops: true,
  price: { amount: 2500, currency: 'USD' },
  trade,
})
const numbers = Array.from({ length: 60 }, (_, number) => number)

test('equal seeds make equal wishes, and different seeds make different ones', () => {
  const wished = (seed: number) => numbers.map((number) => wishOf(order(seed), number))
  expect(wished(1)).toEqual(wished(1))
  expect(wished(1)).not.toEqual(wished(2))
})

test('every kind of wish occurs in every twenty, purchases most often, and those that can be refunded come first', () => {
  const kinds = numbers.map((number) => wishOf(order(3), number).kind)
  expect(kinds.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'return'))
  for (const from of [20, 40]) {
    const dealt = Object.groupBy(kinds.slice(from, from + 20), (kind) => kind)
    const counts = Object.fromEntries(Object.entries(dealt).map(([kind, { length }]) => [kind, length]))
    expect(counts).toEqual({
      ...{ purchase: 4, stranger: 3, promoted: 3, quote: 2, return: 2, several: 2, reprice: 1 },
      ...{ sale: 2, token: 1 },
    })
  }
})

test('of three and of four merchants each in turn rejects its cart twice, before other positions repeat', () => {
  const urlsOf = (number: number) => wishOf(order(3), number).items.map((item) => String(Object(item).url))
  const first = Array.from({ length: 7 }, (_, index) => urlsOf(10 + index))
  expect(first.map(({ length }) => length)).toEqual([3, 3, 3, 4, 4, 4, 4])
  expect(first.map((urls) => urls.findIndex((url) => url.includes('/rejected_twice?')))).toEqual([
    0, 1, 2, 0, 1, 2, 3,
  ])
  for (const urls of first) expect(new Set(urls.map((url) => new URL(url).host)).size).toBe(urls.length)
  const later = numbers.slice(20).filter((number) => wishOf(order(3), number).kind === 'several')
  for (const number of later)
    expect(urlsOf(number).join()).toMatch(/rejected_once|rejected_twice|out_of_stock/)
})

test('every item is requested at its own price', () => {
  for (const number of numbers) {
    const { kind, items } = wishOf(order(3), number)
    const price = ['several', 'sale', 'token'].includes(kind) ? 1000 : 2500
    for (const item of items) {
      const isPaidByRequest = String(Object(item).url).startsWith('https://mpp.shop.test/')
      expect(item).toMatchObject({ expected_amount: isPaidByRequest ? 250 : price })
    }
  }
})

test('strangers sell alone, beside each other and beside a merchant of ours, and their pages where there is a browser', () => {
  const hosts = Array.from({ length: 400 }, (_, number) => wishOf(order(3), number))
    .filter(({ kind }) => kind === 'stranger')
    .map(({ items }) => items.map((item) => new URL(String(Object(item).url)).host))
  for (const some of [['ucp.shop.test'], ['mpp.shop.test'], ['mpp.shop.test', 'ucp.shop.test']]) {
    const strange = hosts.map((all) => all.filter((host) => host.endsWith('.shop.test')).sort())
    expect(strange).toContainEqual(some)
  }
  expect(hosts.some((all) => all.some((host) => !host.endsWith('.shop.test')))).toBe(true)
  const pages = { numbers: [24], item: { url: 'https://pages', amount: 4900 } }
  const withPages = { ...order(3), trade: { ...trade, pages } }
  expect(wishOf(withPages, 24)).toMatchObject({ kind: 'page', items: [{ url: 'https://pages' }] })
  expect(numbers.filter((number) => wishOf(withPages, number).kind === 'page')).toEqual([24])
})

test('without trade all wishes are purchases', () => {
  const kinds = numbers.map((number) => wishOf({ ...order(3), trade: null }, number).kind)
  expect(new Set(kinds)).toEqual(new Set(['purchase']))
})

test('the first refund leaves a rest, and a new price is lower and above zero', () => {
  for (const number of numbers) {
    const { refundAmount, repricedTo } = wishOf(order(5), number)
    expect(refundAmount).toBeGreaterThan(0)
    expect(refundAmount).toBeLessThan(2500)
    expect(repricedTo).toBeGreaterThan(0)
    expect(repricedTo).toBeLessThan(2500)
  }
})
