import { expect, test } from 'vitest'
import { wishOf } from './wish.ts'

const items = Object.fromEntries(
  ['ok', 'rejected', 'error_then_ok', 'double', 'late', 'other_merchant'].map((name) => [
    name,
    `https://${name}`,
  ]),
)
const promotedItems = { sold: 'https://sold', refused: 'https://refused' }
const trade = { quotedItems: items, promotedItems }
const order = (seed: number) => ({ seed, items, price: { amount: 2500, currency: 'USD' }, trade })
const numbers = Array.from({ length: 60 }, (_, number) => number)

test('equal seeds want equal things, and others want others', () => {
  const wished = (seed: number) => numbers.map((number) => wishOf(order(seed), number))
  expect(wished(1)).toEqual(wished(1))
  expect(wished(1)).not.toEqual(wished(2))
})

test('everything is wanted in every stretch of twenty, purchases most of all, and at first what can be given back', () => {
  const kinds = numbers.map((number) => wishOf(order(3), number).kind)
  expect(kinds.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'return'))
  for (const from of [20, 40]) {
    const dealt = Object.groupBy(kinds.slice(from, from + 20), (kind) => kind)
    expect(Object.values(dealt).map(({ length }) => length)).toEqual(expect.arrayContaining([12, 3, 2, 1]))
  }
})

test('where there is no trade only purchases are wanted', () => {
  const kinds = numbers.map((number) => wishOf({ ...order(3), trade: null }, number).kind)
  expect(new Set(kinds)).toEqual(new Set(['purchase']))
})

test('what goes back first leaves something, and a new price is a lower one that is left to pay', () => {
  for (const number of numbers) {
    const { refundAmount, repricedTo } = wishOf(order(5), number)
    expect(refundAmount).toBeGreaterThan(0)
    expect(refundAmount).toBeLessThan(2500)
    expect(repricedTo).toBeGreaterThan(0)
    expect(repricedTo).toBeLessThan(2500)
  }
})
