import { percentFloor } from '../../../core/money.ts'

/** The tax of an order: a rate in basis points on its merchandise, rounded down. */
export function taxOf(subtotal: bigint, basisPoints: number): bigint {
  return percentFloor(subtotal, basisPoints / 100)
}
