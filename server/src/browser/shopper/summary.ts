import { rankActions } from '../reading/action-of.ts'
import { linesOf, type ShownLine } from '../reading/lines-of.ts'
import { readAmount } from '../reading/money-text.ts'
import type { PageSnapshot } from '../reading/page-snapshot.ts'
import { shownTotals, totalsOf } from '../reading/totals-of.ts'
import { findWords } from '../reading/words/words.ts'
import type { Goods, ShopTask, Summary } from './shop-task.ts'

/** Of several totals the highest: nobody may be charged more than was agreed to. Null: the page shows none. */
export function summaryOf({ request }: ShopTask, page: PageSnapshot): Summary | null {
  const { currency } = request
  const parts = totalsOf(page, { currency })
  if (parts !== null) return { ...parts, parts }
  const [highest] = [...shownTotals(page, { currency }), ...onButtons(page, currency)].sort((a, b) =>
    a.amount < b.amount ? 1 : -1,
  )
  if (highest === undefined) return null
  return { total: highest.amount, currency: highest.currency, text: highest.text, parts: null }
}

/**
 * What all of it costs, where the page that asks for the card does not say: the last summary, and the delivery that was chosen after it.
 * Null: nobody has said it.
 */
export function knownTotal({ lastSummary, delivery, request, goods }: ShopTask): Summary | null {
  if (lastSummary === null || goods?.kind !== 'wanted') return null
  const { summary, isWithDelivery, saysDelivery } = lastSummary
  const { parts } = summary
  if (isWithDelivery || request.fulfillment.method !== 'ship') return summary
  const before = parts?.fulfillment ?? 0n
  if (delivery === null) return saysDelivery || before > 0n ? summary : null
  // Of a total that does not add up nobody knows which delivery is in it.
  if (saysDelivery && parts === null) return null
  const total = summary.total - before + delivery
  return { ...summary, total, parts: parts === null ? null : { ...parts, fulfillment: delivery, total } }
}

/** `Pay $25.92`. */
function onButtons(page: PageSnapshot, currency: string) {
  const hint = { currency, language: page.language }
  return rankActions(page, 'place_order').flatMap(({ name }) => readAmount(name, hint) ?? [])
}

/** Whether a page shows the goods that are wanted, as many as are wanted, and no others. */
export function goodsOn(task: ShopTask, page: PageSnapshot): Goods {
  const { items, currency } = task.request
  const lines = linesOf(page, titlesOn(task, page), currency)
  if (lines.every(({ isShown }) => !isShown))
    return { kind: showsGoods(page, currency) ? 'other' : 'hidden', lines }
  const isWanted = lines.every(
    ({ isShown, quantity }, index) => isShown && (quantity === null || quantity === items[index]?.quantity),
  )
  return { kind: isWanted && !hasMore(task, page, lines) ? 'wanted' : 'other', lines }
}

/** Where a product has no title of its own, the line of its page that stands in the cart with a quantity. */
function titlesOn({ titles, request }: ShopTask, page: PageSnapshot): string[] {
  return request.items.map(({ id }) => {
    const all = titles.get(id) ?? []
    const counted =
      all.length < 2 ? undefined : all.find((title) => linesOf(page, [title])[0]?.quantity != null)
    return counted ?? all[0] ?? ''
  })
}

/** Goods that nobody asked for are in the sum, whatever they are called. */
function hasMore({ request }: ShopTask, page: PageSnapshot, lines: readonly ShownLine[]): boolean {
  const totals = totalsOf(page, request)
  if (totals === null || lines.some(({ amount }) => amount === null)) return false
  return lines.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n) < totals.subtotal
}

/** An amount in the summary that is no part of the sum by its name: something that is bought. */
function showsGoods({ rows, language }: PageSnapshot, currency: string): boolean {
  const wordsOf = (label: string) => findWords('totals', label.slice(0, 200), language)
  const summaries = new Set(
    rows.filter(({ label }) => wordsOf(label).some(({ key }) => key === 'total')).map(({ group }) => group),
  )
  return rows.some(
    ({ label, value, group }) =>
      summaries.has(group) &&
      /\p{L}{2}/u.test(label) &&
      wordsOf(label).length === 0 &&
      readAmount(value, { currency, language }) !== null,
  )
}
