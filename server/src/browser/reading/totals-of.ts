import type { PageSnapshot } from './page-snapshot.ts'
import { type TotalRow, totalGroups, totalLines } from './total-rows.ts'
import type { TotalWord } from './words/shop-words.ts'
import { findWords } from './words/words.ts'

export type Totals = {
  readonly subtotal: bigint
  readonly fulfillment: bigint
  /** Beside `fulfillment`; they are in the total too. */
  readonly fees: bigint
  readonly tax: bigint
  readonly isTaxIncluded: boolean
  /** Not below zero; it is taken off. */
  readonly discount: bigint
  readonly total: bigint
  readonly currency: string
  /** The total as the page writes it. */
  readonly text: string
}

/** The summary of a page. Null where none adds up, or where two do and neither is a part of the other. */
export function totalsOf(
  snapshot: PageSnapshot,
  { currency }: { readonly currency: string | null },
): Totals | null {
  const hint = { currency, language: snapshot.language }
  const sums = totalGroups(snapshot, hint).flatMap((rows) => addedUp(rows, hint.language) ?? [])
  const found = sums.length > 0 ? sums : [addedUp(totalLines(snapshot, hint), hint.language) ?? []].flat()
  const best = found.toSorted((a, b) => completeness(a) - completeness(b)).at(-1)
  if (best === undefined) return null
  return found.every(({ totals }) => isPartOf(totals, best.totals)) ? best.totals : null
}

/** Every amount that is called the total, as often as it is shown with another number. */
export function shownTotals(
  snapshot: PageSnapshot,
  { currency }: { readonly currency: string | null },
): { readonly amount: bigint; readonly currency: string | null; readonly text: string }[] {
  const hint = { currency, language: snapshot.language }
  const rows = [...totalGroups(snapshot, hint).flat(), ...totalLines(snapshot, hint)]
  const totals = rows.filter(({ word }) => word === 'total')
  return totals
    .filter((row, index) => totals.findIndex((one) => isSame(one, row)) === index)
    .map(({ amount, currency: own, text }) => ({ amount, currency: own, text }))
}

function isSame(a: TotalRow, b: TotalRow): boolean {
  return a.amount === b.amount && a.currency === b.currency
}

type Sum = { readonly totals: Totals; readonly rows: number; readonly kinds: number }

function completeness({ kinds, rows }: Sum): number {
  return kinds * 1_000 + rows
}

/** The same total, or the one of a small cart beside the summary: what the goods cost alone. */
function isPartOf(one: Totals, best: Totals): boolean {
  if (one.currency !== best.currency) return false
  return one.total === best.total || (one.total === best.subtotal && one.fulfillment === 0n && one.tax === 0n)
}

function addedUp(rows: readonly TotalRow[], language: string): Sum | null {
  const total = rows.findLast(({ word }) => word === 'total')
  if (total === undefined || total.currency === null) return null
  if (rows.some(({ word, currency }) => word !== 'other' && word !== null && currency !== total.currency))
    return null
  const of = (word: TotalWord) => rows.filter((row) => row.word === word).map(({ amount }) => abs(amount))
  const fulfillment = sum(of('shipping'))
  const fees = sum(of('fee'))
  const discount = sum(of('discount'))
  const inside = [...of('tax_included'), ...(total.taxInside === null ? [] : [total.taxInside])]
  const added = sum(of('tax'))
  const isSaid = inside.length > 0 || rows.some(({ saysTaxIncluded }) => saysTaxIncluded)
  for (const { subtotal, after } of subtotalsOf(rows, total)) {
    const bridge = bridgeOf(total.amount - subtotal - fulfillment - fees, { added, discount, unknown: after })
    if (bridge === null) continue
    const { fit, parts } = bridge
    const isTaxIncluded = inside.length > 0 || (added > 0n ? !fit.isTaxAdded : isSaid)
    const delivered = parts.filter((row) => isDelivery(row, language))
    const others = parts.filter((row) => !delivered.includes(row)).map(({ amount }) => amount)
    const totals: Totals = {
      subtotal,
      fulfillment: fulfillment + sum(delivered.map(({ amount }) => amount)),
      fees: fees + sum(others.filter((amount) => amount > 0n)),
      tax: added + (fit.isTaxAdded && added > 0n ? 0n : sum(inside)),
      isTaxIncluded,
      discount: (fit.isDiscounted ? discount : 0n) - sum(others.filter((amount) => amount < 0n)),
      total: total.amount,
      currency: total.currency,
      text: total.text,
    }
    const kinds = new Set(rows.map(({ word }) => word)).size
    return { totals, rows: rows.length, kinds }
  }
  return null
}

type Subtotal = {
  readonly subtotal: bigint
  /** The rows between it and the total whose words say nothing of what they are. */
  readonly after: readonly TotalRow[]
}

/**
 * What the goods cost: as the summary says, be it called a total of the basket; else the sum of its rows that no word is known of.
 */
function subtotalsOf(rows: readonly TotalRow[], total: TotalRow): Subtotal[] {
  const last = rows.indexOf(total)
  const said = rows.filter(({ word }) => word === 'subtotal').toReversed()
  const totals = rows
    .slice(0, last)
    .filter(({ word }) => word === 'total')
    .toReversed()
  const goods = rows.filter(({ word, amount }) => word === null && amount >= 0n)
  const named = [...said, ...totals].map((row) => ({
    subtotal: row.amount,
    after: rows.slice(rows.indexOf(row) + 1, last).filter(isUnknown),
  }))
  if (said.length > 0 || goods.length === 0) return named
  return [{ subtotal: sum(goods.map(({ amount }) => amount)), after: [] }, ...named]
}

/** No word of a summary, or one of what is in no sum, which is taken off all the same: `Reward points −$2.00`. */
function isUnknown({ word, amount }: TotalRow): boolean {
  return word === null || (word === 'other' && amount < 0n)
}

function isDelivery({ label, amount }: TotalRow, language: string): boolean {
  return amount >= 0n && findWords('deliveries', label.slice(0, 200), language).length > 0
}

type Fit = { readonly isTaxAdded: boolean; readonly isDiscounted: boolean }

const unknownMax = 6

/** Rows that say nothing of themselves are parts of the sum where it adds up with them: as few as possible are left out. */
function bridgeOf(
  left: bigint,
  { added, discount, unknown }: { added: bigint; discount: bigint; unknown: readonly TotalRow[] },
): { fit: Fit; parts: readonly TotalRow[] } | null {
  const plain = fitting(left, { added, discount })
  if (plain !== null) return { fit: plain, parts: [] }
  const some = unknown.slice(0, unknownMax)
  const sets = Array.from({ length: 2 ** some.length }, (_, set) =>
    some.filter((_row, at) => set & (1 << at)),
  )
  for (const parts of sets.toSorted((a, b) => b.length - a.length)) {
    const fit = fitting(left - sum(parts.map(({ amount }) => amount)), { added, discount })
    if (fit !== null) return { fit, parts }
  }
  return null
}

/** What is left of the total is the tax less the discount; tax may be inside the prices, and the discount taken off already. */
function fitting(left: bigint, { added, discount }: { added: bigint; discount: bigint }): Fit | null {
  for (const isDiscounted of [true, false])
    for (const isTaxAdded of [true, false])
      if (left === (isTaxAdded ? added : 0n) - (isDiscounted ? discount : 0n))
        return { isTaxAdded, isDiscounted }
  return null
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((a, b) => a + b, 0n)
}

function abs(amount: bigint): bigint {
  return amount < 0n ? -amount : amount
}
