import type { PurchaseSummary } from '../parts.ts'
import type { Doing } from './memory.ts'
import { priceText } from './price-text.ts'
import type { Call, Heard, Talk, Wanted } from './talk.ts'

export function aboutPurchase(
  talk: Talk,
  wish: Wanted<'follow' | 'why' | 'return' | 'cancel' | 'retry'>,
): Call[] {
  const { purchase } = talk.memory
  talk.remember({ doing: { what: wish.action, wish } })
  if (purchase === null) return [{ name: 'v1_list_purchase_intents', args: { limit: 1 } }]
  return [onPurchase(talk, wish.action, purchase)]
}

function onPurchase(_talk: Talk, what: Doing['what'], id: string): Call {
  const name =
    what === 'cancel'
      ? 'v1_cancel_purchase_intent'
      : what === 'retry'
        ? 'v1_retry_purchase_intent'
        : 'v1_get_purchase_intent'
  return { name, args: { purchase_intent_id: id } }
}

export function purchaseHeard(
  talk: Talk,
  doing: Doing,
  answers: readonly Heard[],
  purchases: readonly PurchaseSummary[],
): Call[] {
  const last = answers.at(-1)
  if (last?.name === 'v1_list_purchase_intents') {
    const id = newestIn(last.result)
    if (id === null) return talk.tell(talk.say.noPurchase)
    talk.remember({ purchase: id })
    return [onPurchase(talk, doing.what, id)]
  }
  if (doing.what === 'button' && purchases.some(({ status }) => status === 'awaiting_approval'))
    return talk.tell(talk.say.approvedByPerson)
  const calls = tell(talk, purchases)
  if (doing.what === 'buy') talk.remember({ subject: null })
  return calls
}

/** How purchases stand, in a sentence each. */
export function tell(talk: Talk, purchases: readonly PurchaseSummary[]): Call[] {
  for (const purchase of purchases) {
    talk.remember({ purchase: purchase.purchase_intent_id, speaksOf: 'purchase' })
    talk.tell(standing(talk, purchase))
  }
  return []
}

function standing(talk: Talk, purchase: PurchaseSummary): string {
  const title = purchase.items
    .map(({ title: each, quantity }) => (quantity > 1 ? `${quantity} × ${each}` : each))
    .join(', ')
  const price = (amount: number) => priceText(talk.memory.language, amount, purchase.currency)
  switch (purchase.status) {
    case 'awaiting_approval':
      return talk.say.approve(title, purchase.merchants.join(', '), price(purchase.max_allowed_amount))
    case 'succeeded':
      return talk.say.bought(title, price(purchase.actual_amount))
    case 'failed':
      return talk.say.failed(title, purchase.failure_code ?? '')
    case 'cancelled':
      return talk.say.cancelled(title)
    case 'declined':
      return talk.say.declined(title)
    default:
      return purchase.needs_person ? talk.say.needsPerson(title) : talk.say.buying(title)
  }
}

function newestIn(list: unknown): string | null {
  const [first] = (list as { data?: { id?: unknown }[] } | null)?.data ?? []
  return typeof first?.id === 'string' ? first.id : null
}
