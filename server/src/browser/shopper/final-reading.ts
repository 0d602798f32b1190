import type { ShopOffer } from '../../channels/browser/shopping-words.ts'
import type { PageSnapshot } from '../reading/page-snapshot.ts'
import { type Errand, hintOf } from './errand.ts'
import { matchLines } from './match-lines.ts'
import { isPaidOtherwise, totalsOf } from './read-page.ts'

export type Verdict =
  | { readonly kind: 'agrees'; readonly totalText: string | null }
  | { readonly kind: 'differs'; readonly why: 'price' | 'goods' | 'payment' }
  /** No total is there: another page than the one that was agreed to. */
  | { readonly kind: 'unread' }

/** Whether a page asks for what was offered, or less. A page of a payment company shows the total, and need not show the goods. */
export function judgePage(
  errand: Errand,
  page: PageSnapshot,
  { offer, isElsewhere }: { offer: ShopOffer; isElsewhere: boolean },
): Verdict {
  const totals = totalsOf(page, hintOf(errand, page))
  if (totals.total === null) return { kind: 'unread' }
  if (totals.currency !== null && totals.currency !== offer.currency) return { kind: 'differs', why: 'price' }
  if (totals.total > offer.total || totals.total <= 0n) return { kind: 'differs', why: 'price' }
  if (totals.lines.length > 0) {
    if (matchLines(errand, totals.lines) === null) return { kind: 'differs', why: 'goods' }
  } else if (!isElsewhere && errand.hasLines) return { kind: 'differs', why: 'goods' }
  if (isPaidOtherwise(page)) return { kind: 'differs', why: 'payment' }
  return { kind: 'agrees', totalText: totals.totalText }
}
