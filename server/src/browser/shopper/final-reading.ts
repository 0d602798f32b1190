import type { Offer } from '../../channels/browser/shopping-words.ts'
import type { PageSnapshot } from '../reading/page-snapshot.ts'
import { cardMethodOf } from './card-method.ts'
import type { ShopTask } from './shop-task.ts'
import { goodsOn, summaryOf } from './summary.ts'

type Verdict =
  | { readonly kind: 'agrees'; readonly totalText: string | null }
  | { readonly kind: 'differs'; readonly why: 'price' | 'goods' | 'payment'; readonly says: string }
  /** No total is there: another page than the one that was agreed to. */
  | { readonly kind: 'unread' }

/** Whether a page asks for what was offered, or less. A page of a payment company shows the total, and need not show the goods. */
export function judgePage(
  task: ShopTask,
  page: PageSnapshot,
  { offer, isElsewhere }: { offer: Offer; isElsewhere: boolean },
): Verdict {
  const summary = summaryOf(task, page)
  // The total stands on the page after the card, and is judged there.
  if (summary === null) return task.isTotalLater ? paymentOn(page, null) : { kind: 'unread' }
  const { total, currency, text } = summary
  if (currency !== null && currency !== offer.currency)
    return { kind: 'differs', why: 'price', says: `The shop asks for ${text}.` }
  if (total > offer.total || total <= 0n)
    return {
      kind: 'differs',
      why: 'price',
      says: `The shop asks for ${text}, which is not what was agreed to.`,
    }
  const goods = goodsOn(task, page).kind
  const isMissing = goods === 'hidden' && task.isShownAtPayment
  if (!isElsewhere && (goods === 'other' || isMissing))
    return { kind: 'differs', why: 'goods', says: 'The shop shows other goods than were agreed to.' }
  return paymentOn(page, text)
}

function paymentOn(page: PageSnapshot, totalText: string | null): Verdict {
  const method = cardMethodOf(page)
  if (method.kind === 'chosen') return { kind: 'agrees', totalText }
  const label = method.kind === 'open' ? method.method.label : method.label
  return { kind: 'differs', why: 'payment', says: `A card is not what the shop is paid by: ${label}` }
}
