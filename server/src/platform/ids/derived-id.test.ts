import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createIdSource, type Id, idPattern, idTimeMs } from '../../core/id.ts'
import { derivedId } from './derived-id.ts'

const newId = createIdSource(randomBytes)
const at = Date.UTC(2026, 5, 1)
const intent: Id<'pi'> = 'pi_01m7ynvtgje01ak2dnbc3h4das'

/** The ids of everything that comes of these intents: carts, their orders, and these orders' refunds. */
function idsBelow(
  intents: readonly Id<'pi'>[],
  { positions, attempts, refunds }: { positions: number; attempts: number; refunds: number },
): { orders: string[]; all: string[] } {
  const orders: Id<'ord'>[] = []
  const all: string[] = []
  for (const intent of intents) {
    for (let position = 0; position < positions; position++) {
      const cart = derivedId('cart', intent, position)
      all.push(cart)
      for (let attempt = 1; attempt <= attempts; attempt++) orders.push(derivedId('ord', cart, attempt))
    }
  }
  for (const order of orders) {
    all.push(order)
    for (let refund = 0; refund < refunds; refund++) all.push(derivedId('rfd', order, refund))
  }
  return { orders, all }
}

/** What follows the time in an id: the same digits in two ids would say that they belong together. */
function tailOf(id: string): string {
  return id.slice(id.indexOf('_') + 11)
}

describe('ids of parts, however deep', () => {
  test('no two carts, orders or refunds of a purchase have the same id, also across kinds', () => {
    const { all } = idsBelow([newId('pi', at)], { positions: 100, attempts: 3, refunds: 1001 })
    expect(new Set(all.map(tailOf)).size).toBe(100 * (1 + 3 * (1 + 1001)))
  })

  test('nor do those of purchases that were made in the same millisecond', () => {
    const source = createIdSource(randomBytes)
    const intents = Array.from({ length: 40 }, () => source('pi', at))
    const { all } = idsBelow(intents, { positions: 12, attempts: 3, refunds: 20 })
    expect(new Set(all.map(tailOf)).size).toBe(40 * 12 * (1 + 3 * 21))
    expect(new Set(all.map(idTimeMs))).toEqual(new Set(intents.map(idTimeMs)))
  })

  test('they are the same every time, have the documented form and carry the time of the whole', () => {
    const cart = derivedId('cart', intent, 2)
    const order = derivedId('ord', cart, 1)
    const refund = derivedId('rfd', order, 0)
    // Written down: rails and merchants remember them for years.
    expect([cart, order, refund]).toEqual([
      'cart_01m7ynvtgjejfrtcdzjez9dw65',
      'ord_01m7ynvtgjfhft504rptjab50g',
      'rfd_01m7ynvtgjfvn8wrbnqmx6d8sa',
    ])
    for (const [prefix, id] of [
      ['cart', cart],
      ['ord', order],
      ['rfd', refund],
    ] as const) {
      expect(id).toMatch(new RegExp(idPattern(prefix)))
      expect(idTimeMs(id)).toBe(idTimeMs(intent))
    }
  })

  test('two orders of one purchase have no more in common than the orders of two purchases', () => {
    const { orders } = idsBelow([intent], { positions: 100, attempts: 3, refunds: 0 })
    // Of 16 digits some are equal by chance: at one place of 32 each, but for the one that holds the variant.
    const equal = orders.slice(1).map((order, index) => {
      const before = tailOf(orders[index] ?? '')
      return [...tailOf(order)].filter((digit, place) => digit === before[place]).length
    })
    expect(Math.max(...equal)).toBeLessThanOrEqual(5)
  })
})
