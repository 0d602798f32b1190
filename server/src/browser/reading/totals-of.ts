import type { PageSnapshot } from './page-snapshot.ts'
import { type TotalRow, totalGroups, totalLines } from './total-rows.ts'
import type { TotalWord } from './words/shop-words.ts'

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
  const sums = totalGroups(snapshot, hint).flatMap((rows) => addedUp(rows) ?? [])
  const found = sums.length > 0 ? sums : [addedUp(totalLines(snapshot, hint)) ?? []].flat()
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

function addedUp(rows: readonly TotalRow[]): Sum | null {
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
  for (const subtotal of subtotalsOf(rows)) {
    const fit = fitting(total.amount - subtotal - fulfillment - fees, { added, discount })
    if (fit === null) continue
    const isTaxIncluded = inside.length > 0 || (added > 0n ? !fit.isTaxAdded : isSaid)
    const totals: Totals = {
      subtotal,
      fulfillment,
      fees,
      tax: added + (fit.isTaxAdded && added > 0n ? 0n : sum(inside)),
      isTaxIncluded,
      discount: fit.isDiscounted ? discount : 0n,
      total: total.amount,
      currency: total.currency,
      text: total.text,
    }
    const kinds = new Set(rows.map(({ word }) => word)).size
    return { totals, rows: rows.length, kinds }
  }
  return null
}

/** What the goods cost: as the summary says, else the sum of its rows that no word is known of. */
function subtotalsOf(rows: readonly TotalRow[]): bigint[] {
  const said = rows.filter(({ word }) => word === 'subtotal').map(({ amount }) => amount)
  const goods = rows.filter(({ word, amount }) => word === null && amount >= 0n)
  return said.length > 0
    ? [...new Set(said.toReversed())]
    : goods.length > 0
      ? [sum(goods.map(({ amount }) => amount))]
      : []
}

/** What is left of the total is the tax less the discount; tax may be inside the prices, and the discount taken off already. */
function fitting(
  left: bigint,
  { added, discount }: { added: bigint; discount: bigint },
): { isTaxAdded: boolean; isDiscounted: boolean } | null {
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
