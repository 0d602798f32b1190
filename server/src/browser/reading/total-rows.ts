import { type AmountHint, readAmounts } from './money-text.ts'
import type { PageSnapshot } from './page-snapshot.ts'
import type { TotalWord } from './words/shop-words.ts'
import { findWords } from './words/words.ts'

/** One line of a summary. */
export type TotalRow = {
  /** Null: no word of a summary, so it may be one of the goods. */
  readonly word: TotalWord | null
  readonly label: string
  readonly amount: bigint
  readonly currency: string | null
  readonly text: string
  /** Tax that is said to be inside the amount, in the same line; null where that is not said. */
  readonly taxInside: bigint | null
  readonly saysTaxIncluded: boolean
}

/** The rows that have an amount, group by group in the order of the page; then all together; then what its lines of text say. */
export function totalGroups(snapshot: PageSnapshot, hint: AmountHint): TotalRow[][] {
  const groups = new Map<number, TotalRow[]>()
  for (const { label, value, group } of snapshot.rows.slice(0, rowsMax)) {
    const row = readRow(label, value, hint)
    if (row !== null) groups.set(group, [...(groups.get(group) ?? []), row])
  }
  const own = [...groups.values()].map(withTotal)
  return own.length > 1 ? [...own, withoutRepeats(own.flat())] : own
}

/**
 * Where no row is called the total, the last one is it if it is the sum of what the others say that they are: `Value of the order` may be
 * that before what is added or after it.
 */
function withTotal(rows: TotalRow[]): TotalRow[] {
  const last = rows.at(-1)
  if (last === undefined || rows.some(({ word }) => word === 'total')) return rows
  if (last.word !== null && last.word !== 'subtotal') return rows
  const of = (...words: TotalWord[]) => rows.filter(({ word }) => word !== null && words.includes(word))
  const [subtotal, another] = of('subtotal').filter((row) => row !== last)
  if (subtotal === undefined || another !== undefined || of(...addends).length === 0) return rows
  const sum = (found: readonly TotalRow[]) => found.reduce((all, { amount }) => all + abs(amount), 0n)
  const added = subtotal.amount + sum(of('shipping', 'fee')) - sum(of('discount'))
  const isSum = [added, added + sum(of('tax'))].includes(last.amount)
  return isSum ? [...rows.slice(0, -1), { ...last, word: 'total' }] : rows
}

const addends = ['shipping', 'fee', 'tax', 'discount'] as const satisfies readonly TotalWord[]

function abs(amount: bigint): bigint {
  return amount < 0n ? -amount : amount
}

/** The lines of the text as rows: `Total $27.00`, or a label and below it an amount. */
export function totalLines(snapshot: PageSnapshot, hint: AmountHint): TotalRow[] {
  const lines = snapshot.text.split('\n', 2_000).map((line) => line.trim())
  const rows: TotalRow[] = []
  for (const [index, line] of lines.entries()) {
    if (line === '' || line.length > 120) continue
    const amounts = readAmounts(line, hint)
    const [first] = amounts
    const label = first === undefined ? line : line.slice(0, Math.max(0, line.indexOf(first.text)))
    if (wordOf(label, hint.language) === null) continue
    const value = first === undefined ? (lines[index + 1] ?? '') : line.slice(label.length)
    const row = value.length <= 60 ? readRow(label, value, hint) : null
    if (row !== null) rows.push(row)
  }
  return withoutRepeats(rows)
}

/**
 * Whether a summary has words where the price of the delivery will be: `Calculated at the next step`, `Select a shipping method`. Its total
 * is not the last one.
 */
export function saysDeliveryLater(snapshot: PageSnapshot, hint: AmountHint): boolean {
  const rows = snapshot.rows.slice(0, rowsMax)
  const summed = new Set(
    rows
      .filter(({ label, value }) => ['total', 'subtotal'].includes(readRow(label, value, hint)?.word ?? ''))
      .map(({ group }) => group),
  )
  return rows.some(
    ({ label, value, group }) =>
      summed.has(group) &&
      wordOf(label.slice(0, 300), hint.language) === 'shipping' &&
      /\p{L}{2}/u.test(value) &&
      readAmounts(value.slice(0, 200), hint).length === 0,
  )
}

/** Whether a summary has a price of the delivery in it, be it nothing: `Free shipping $0.00`. */
export function saysDelivery(snapshot: PageSnapshot, hint: AmountHint): boolean {
  return totalGroups(snapshot, hint).some(
    (rows) => rows.some(({ word }) => word === 'total') && rows.some(({ word }) => word === 'shipping'),
  )
}

const rowsMax = 400

/** So many of one kind of goods: `× 2`, `2 x`. */
const counted = /(?:^|[\s(])(?:[x×✕]\s?\d{1,4}(?![\d.,])|\d{1,4}\s?[x×✕](?=\s))/iu

function readRow(label: string, value: string, hint: AmountHint): TotalRow | null {
  if (value.length > 200 || label.length > 300) return null
  const amounts = readAmounts(value, hint)
  const [first, second] = amounts
  if (first === undefined) return null
  const inside = /\p{L}/u.test(value) && hasWord(value, 'tax_included', hint.language)
  // Two amounts in one line are one and its tax, or cannot be told apart.
  if (amounts.length > 2 || (second !== undefined && !inside)) return null
  return {
    // `Shipping box × 2` is bought, whatever it is called.
    word: counted.test(label) ? null : wordOf(label, hint.language),
    label,
    amount: first.amount,
    currency: first.currency,
    text: first.text,
    taxInside: second?.amount ?? null,
    saysTaxIncluded: inside || hasWord(label, 'tax_included', hint.language),
  }
}

function hasWord(text: string, word: TotalWord, language: string): boolean {
  return findWords('totals', withoutNumbers(text), language).some(({ key }) => key === word)
}

/** `includes £2.00 VAT`, `inkl. 19 % MwSt.`: the number stands between the words. */
function withoutNumbers(text: string): string {
  return text.replace(/[\d.,%]+/gu, ' ')
}

/** Of two words of the same length the more exact one counts: `Shipping discount`, `Tax total`. */
const exactness: readonly TotalWord[] = [
  'other',
  'discount',
  'tax_included',
  'tax',
  'shipping',
  'fee',
  'subtotal',
  'total',
]

/** What a label says. What it says to be included is not what it is. */
function wordOf(label: string, language: string): TotalWord | null {
  const found = findWords('totals', withoutNumbers(label), language)
  const head =
    label.split(
      /[(（]|(?<=\S\s)(?:incl|inkl|including|includes|comprenant|iva inc|w tym|exkl|excl|zzgl)/iu,
    )[0] ?? ''
  const inHead = head.trim() === '' ? found : findWords('totals', withoutNumbers(head), language)
  const used = inHead.length > 0 && !found.some(({ key }) => key === 'other') ? inHead : found
  const longest = Math.max(0, ...used.map(({ length }) => length))
  const best = used.filter(({ length }) => length === longest).map(({ key }) => key)
  return exactness.find((word) => best.includes(word)) ?? null
}

/** Pages write the same summary twice, for narrow and for wide screens. */
function withoutRepeats(rows: readonly TotalRow[]): TotalRow[] {
  const seen = new Set<string>()
  return rows.filter(({ word, label, amount, currency }) => {
    const key = `${word ?? label.trim().toLowerCase()} ${amount} ${currency}`
    return !seen.has(key) && seen.add(key)
  })
}
