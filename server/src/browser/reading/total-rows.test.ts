import { describe, expect, test } from 'vitest'
import { snapshotWith } from './snapshot.testing.ts'
import { shownTotals, totalsOf } from './totals-of.ts'

function pageWith(...rows: [label: string, value: string][]) {
  return snapshotWith({ rows: rows.map(([label, value]) => ({ label, value, group: 0 })) })
}

function totalOf(page: ReturnType<typeof pageWith>): bigint | null {
  return totalsOf(page, { currency: 'USD' })?.total ?? null
}

describe('a summary without a word for its total', () => {
  const unsaid = (subtotal: string, shipping: string, discount: string, all: string) =>
    pageWith(['Subtotal', subtotal], ['Shipping', shipping], ['Discount', discount], ['All of it', all])

  test('has it in the last row, where that is the sum of the others', () => {
    const page = unsaid('$20.00', '$5.00', '-$2.00', '$23.00')
    expect(totalOf(page)).toBe(2300n)
    expect(shownTotals(page, { currency: 'USD' }).map(({ amount }) => amount)).toEqual([2300n])
    expect(totalOf(unsaid('$20.00', 'Free', '$0.00', '$20.00'))).toBe(2000n)
    const taxed = pageWith(['Subtotal', '$20.00'], ['Tax', '$2.00'], ['All of it', '$22.00'])
    expect(totalOf(taxed)).toBe(2200n)
  })

  test('has none where nothing adds up, or nothing is added', () => {
    expect(totalOf(unsaid('$20.00', '$5.00', '-$2.00', '$22.00'))).toBeNull()
    expect(totalOf(pageWith(['Subtotal', '$20.00'], ['All of it', '$20.00']))).toBeNull()
  })
})
