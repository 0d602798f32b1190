import { type CartRow, canCancelCart, canRetryCart } from '../cart.ts'
import { confirmingCart } from '../decide/payment-action.ts'
import { isUnknown } from '../decide-finish.ts'
import type { IntentRow } from '../intent.ts'
import { type IntentStatus, isTerminalIntent } from '../machine.ts'

const toWait = 'call v1_get_purchase_intent with wait_seconds and after_sequence'

/** Why a purchase cannot be approved, and what to do instead. */
export function whyNotApprovable(intent: Pick<IntentRow, 'status' | 'next_action'>): string {
  const { status } = intent
  if (confirmingCart(intent) !== null)
    return `The purchase is approved already, and a payment waits for its person. Show them \`summary\` and \`next_action.url\`, then ${toWait}.`
  switch (status) {
    // It still looks as if it waited, but its time is over.
    case 'awaiting_approval':
      return 'The time for an approval is over. To ask again, create a new purchase intent.'
    case 'approved':
    case 'queued':
      return `The purchase is approved already, and is being bought. To learn how it ends, ${toWait}.`
    case 'awaiting_merchant_auth':
    case 'merchant_auth_failed':
      return `The purchase is approved already, and waits for a person to sign in at the merchant. Show them \`summary\`, then ${toWait}.`
    case 'succeeded':
    case 'failed':
    case 'cancelled':
    case 'declined':
      return `The purchase has ended (\`${status}\`), so there is nothing to approve. \`summary\` of v1_get_purchase_intent says how it ended.`
    default:
      return status satisfies never
  }
}

/** Why a purchase, or a cart of it, cannot be cancelled, and what can be. */
export function whyNotCancellable(
  status: IntentStatus,
  carts: readonly Pick<CartRow, 'status' | 'past_no_return'>[],
): string {
  if (isTerminalIntent(status))
    return `The purchase has ended (\`${status}\`), so there is nothing left to cancel. \`summary\` of v1_get_purchase_intent says how it ended.`
  return carts.some(canCancelCart)
    ? 'A cart was already bought or is about to be, so it can no longer be cancelled. `cart_ids` cancels the others: call v1_cancel_purchase_intent with the ids of the carts whose `can_cancel` is true.'
    : `Every cart was already bought or is about to be, so none can be cancelled any more. To learn how the purchase ends, ${toWait}.`
}

type CartFacts = Pick<
  CartRow,
  'status' | 'attempt_number' | 'max_attempts' | 'outcome_known' | 'stage' | 'id'
>

/** Why nothing is tried again, and what to do instead. */
export function whyNotRetryable(status: IntentStatus, carts: readonly CartFacts[]): string {
  if (status !== 'failed') return whyNotFailed(status)
  // Before anything else: if it is bought again in a new purchase, it may be paid twice.
  if (carts.some(isUnknown))
    return 'It is not known whether a merchant took an order, so that cart is not retried and must not be bought again. A person must find out, and report it with v1_reconcile_purchase_intent.'
  if (carts.some(canRetryCart))
    return 'A cart in `cart_ids` cannot be retried. Call v1_retry_purchase_intent without `cart_ids`, or with those whose `can_retry` is true.'
  if (carts.some(({ status: one, stage }) => one === 'failed' && stage === 'cleanup'))
    return `The money that the failed attempt held is still being released. Read v1_get_purchase_intent until \`can_retry\` of the cart is true, then retry.`
  return 'The failed carts have no attempts left. Create a new purchase intent for what is still wanted, without anything that was bought.'
}

function whyNotFailed(status: Exclude<IntentStatus, 'failed'>): string {
  switch (status) {
    case 'succeeded':
      return 'The purchase has succeeded, so there is nothing to retry. `summary` of v1_get_purchase_intent says what was bought.'
    case 'cancelled':
    case 'declined':
      return `The purchase was ${status}, so it cannot be retried. Create a new purchase intent for what is still wanted.`
    case 'awaiting_approval':
      return `The purchase waits for a person. Show them \`summary\`, then ${toWait}.`
    default:
      return `The purchase is still under way, and only a failed purchase can be retried. To learn how it ends, ${toWait}.`
  }
}
