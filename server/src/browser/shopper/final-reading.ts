import type { Offer } from '../../channels/browser/shopping-words.ts'
import type { PageSnapshot } from '../reading/page-snapshot.ts'
import { cardMethodOf } from './card-method.ts'
import type { ShopTask } from './shop-task.ts'
import { goodsOn, summaryOf } from './summary.ts'

type Verdict =
  | { readonly kind: 'agrees'; readonly totalText: string }
  | { readonly kind: 'differs'; readonly why: 'price' | 'goods' | 'payment' }
  /** No total is there: another page than the one that was agreed to. */
  | { readonly kind: 'unread' }

/** Whether a page asks for what was offered, or less. A page of a payment company shows the total, and need not show the goods. */
export function judgePage(
  task: ShopTask,
  page: PageSnapshot,
  { offer, isElsewhere }: { offer: Offer; isElsewhere: boolean },
): Verdict {
  const summary = summaryOf(task, page)
  if (summary === null) return { kind: 'unread' }
  const { total, currency } = summary
  if (currency !== null && currency !== offer.currency) return { kind: 'differs', why: 'price' }
  if (total > offer.total || total <= 0n) return { kind: 'differs', why: 'price' }
  const goods = goodsOn(task, page).kind
  const isMissing = goods === 'hidden' && task.isShownAtPayment
  if (!isElsewhere && (goods === 'other' || isMissing)) return { kind: 'differs', why: 'goods' }
  if (cardMethodOf(page).kind !== 'chosen') return { kind: 'differs', why: 'payment' }
  return { kind: 'agrees', totalText: summary.text }
}
