import type { Shopper } from './visit.ts'

/** Buys nowhere: a price is never read, and so no order is ever placed. */
export function createShopper(): Shopper {
  return {
    price: () => Promise.resolve({ kind: 'unavailable', why: 'this program reads no pages' }),
    place: () => Promise.resolve({ kind: 'unknown', why: 'this program reads no pages' }),
  }
}
