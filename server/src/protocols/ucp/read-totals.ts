import { isObject } from '../../schema/schema-node.ts'
import type { ClientRelease } from './releases.ts'

/** The sums of a checkout. `fulfillment` has its fees too: whatever is asked for besides goods and tax. */
export type Totals = {
  readonly subtotal: number
  readonly fulfillment: number
  readonly tax: number
  /** What is taken off, as a positive amount. */
  readonly discount: number
  readonly total: number
  /** Whether the parts make the total. A checkout whose parts do not is completed by nobody but a person. */
  readonly isSum: boolean
}

const totalsMax = 50
const amountMax = 1_000_000_000_000

/** Null: they cannot be read. */
export function readTotals(value: unknown, release: ClientRelease): Totals | null {
  if (!Array.isArray(value) || value.length > totalsMax) return null
  const rows = value.map(readRow)
  if (rows.includes(null)) return null
  const sums = { subtotal: 0, fulfillment: 0, tax: 0, discount: 0, total: 0 }
  const seen = { subtotal: 0, total: 0 }
  for (const row of rows) {
    if (row === null) continue
    const { type, amount } = row
    if (type === 'subtotal' || type === 'total') {
      seen[type] += 1
      sums[type] += amount
    } else if (type === 'tax') sums.tax += amount
    else if (type === 'discount' || type === 'items_discount') {
      // Older releases say what is taken off as a positive amount.
      if (amount > 0 && release >= '2026-04-08') return null
      sums.discount += Math.abs(amount)
    } else sums.fulfillment += amount
  }
  if (seen.subtotal !== 1 || seen.total !== 1) return null
  if (Object.values(sums).some((sum) => sum < 0)) return null
  const { subtotal, fulfillment, tax, discount, total } = sums
  return { ...sums, isSum: subtotal + fulfillment + tax - discount === total }
}

function readRow(value: unknown): { type: string; amount: number } | null {
  if (!isObject(value) || typeof value.type !== 'string') return null
  const { type, amount } = value
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || Math.abs(amount) > amountMax) return null
  return { type, amount }
}
