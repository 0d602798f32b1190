import { expect } from 'vitest'
import type { Town, Trip, Wish } from '../harness/shopping-trip.ts'

/** Whatever the shopper said, the shop's own book and the processor's must agree with it. */
export async function holdAgainstShop(town: Town, wish: Wish, trip: Trip): Promise<void> {
  const { price, placed, card, email } = trip
  const orders = await town.orders(wish.shop, email)
  if (price.kind !== 'offer' || placed === null || card === null) {
    expect(orders).toEqual([])
    return
  }
  const { total } = price.offer
  expect(BigInt(card.authorized + card.captured)).toBeLessThanOrEqual(total)
  if (placed.kind === 'no_room') throw new Error('a visit that is open has room')
  if (placed.kind === 'refused') {
    expect(card).toEqual({ authorized: 0, captured: 0, refunded: 0 })
    expect(trip.fetched.length === 1).toBe(placed.isTyped)
    return
  }
  expect(trip.fetched).toHaveLength(1)
  if (placed.kind === 'unknown') return
  const order = orders.find(({ number }) => number === placed.orderId)
  expect(order).toBeDefined()
  expect(placed.orderUrl).toContain(placed.orderId)
  expect(BigInt(order?.priced.total ?? 0)).toBe(total)
  const quantities = order?.priced.lines.map(({ quantity }) => quantity)
  expect(quantities).toEqual([wish.quantity ?? 1, ...(wish.and === undefined ? [] : [1])])
}
