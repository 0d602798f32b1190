import type { Tenant } from '../../../../contract/context.ts'
import type { ProblemCode } from '../../../../contract/problem-codes.ts'
import type { SoldItem } from '../create/sold-items.ts'
import type { IntentItem, IntentRow, LoadedIntent, Reapproval } from '../intent.ts'
import type { LockedIntentRow } from '../intents.sql.ts'
import { isTerminalCart } from '../machine.ts'
import type { Retried } from '../retry/retry-carts.ts'
import { confirmingCart } from './payment-action.ts'

/** Why an intent cannot be approved in its state, before its card and its policies are looked at. */
export function approvalRefusal(
  intent: Pick<LockedIntentRow, 'status' | 'is_approval_over' | 'next_action'>,
  facts: { tenant: Pick<Tenant, 'mode'>; livePayments: boolean },
): ProblemCode | null {
  // guard approved-once: only a purchase that awaits an approval is approved
  // guard approval-in-time: an approval that comes too late is none
  if (intent.status !== 'awaiting_approval' || intent.is_approval_over) return 'not_approvable'
  // guard payment-is-confirmed-elsewhere: no approval stands for what a bank asks the person of a payment
  if (confirmingCart(intent) !== null) return 'not_approvable'
  // guard live-needs-a-rail: live mode approves nothing where nothing can be paid
  if (facts.tenant.mode === 'live' && !facts.livePayments) return 'live_payments_not_configured'
  return null
}

export type ApprovalTerms = {
  readonly expected: bigint
  readonly tax: bigint
  readonly cap: bigint
  readonly reapproval: Reapproval | null
}

/** What an approval agrees to: the purchase as it was created, or the new price of one of its carts. */
export function termsToApprove(
  intent: Pick<IntentRow, 'expected_amount' | 'tax_allowance' | 'max_allowed_amount' | 'reapproval'>,
): ApprovalTerms {
  const { reapproval } = intent
  if (!reapproval) {
    return {
      expected: intent.expected_amount,
      tax: intent.tax_allowance,
      cap: intent.max_allowed_amount,
      reapproval: null,
    }
  }
  return {
    expected: BigInt(reapproval.expected_amount),
    tax: BigInt(reapproval.tax_allowance),
    cap: BigInt(reapproval.max_allowed_amount),
    reapproval,
  }
}

/**
 * Whether an item that is still to be bought has another merchant by now. An order that was placed is not compared any more, nor is a
 * cart that this approval does not try again.
 */
export function isSoldByOthers(
  { carts }: LoadedIntent,
  sold: readonly SoldItem<IntentItem>[],
  retried: Retried | null,
): boolean {
  const buying =
    retried?.carts ?? carts.filter((cart) => !isTerminalCart(cart.status) && cart.order_row_id === null)
  const bought = new Set(buying.flatMap(({ items }) => items.map(({ id }) => id)))
  return sold.some(({ item, hasChanged }) => hasChanged && (carts.length === 0 || bought.has(item.id)))
}
