import type { ActingContext } from '../../../../contract/context.ts'
import type { Id } from '../../../../core/id.ts'
import { derivedId } from '../../../../platform/ids/derived-id.ts'
import type { CartRow } from '../cart.ts'
import { atStage } from '../cart-stage.ts'
import type { IntentItem, IntentRow } from '../intent.ts'
import type { divideCap } from './cap.ts'
import { untriedPromo } from './promo-code.ts'

/** One merchant's part of a purchase. */
export type CartTerms = {
  group: { name: string; domain: string; merchantAccountId: Id<'acct'> | null; items: IntentItem[] }
  channel: CartRow['channel']
  /** Default: nothing was to choose. */
  route?: CartRow['route']
  position: number
  share: ReturnType<typeof divideCap>[number]
  expected: bigint
  /** Default: three. */
  maxAttempts?: number
}

/** A cart that has just been made, and is due at once. */
export function newCart(
  ctx: Pick<ActingContext, 'now' | 'newId'>,
  intent: IntentRow,
  { group, channel, route = null, position, share, expected, maxAttempts = 3 }: CartTerms,
): CartRow {
  return {
    // Derived, not new: a database that was restored from a backup asks the rail under the keys that the rail knows already.
    id: derivedId('cart', intent.id, position),
    intent_id: intent.id,
    position,
    merchant_name: group.name,
    merchant_domain: group.domain,
    merchant_account_id: group.merchantAccountId,
    channel,
    route,
    items: group.items.map(({ id, url, quantity, unit_amount }) => ({
      id,
      url,
      quantity,
      expected_amount: unit_amount,
      unit_amount: null,
      title: null,
    })),
    status: 'created',
    ...atStage({ kind: 'none' }),
    attempt_number: 1,
    attempt_id: ctx.newId('att'),
    max_attempts: maxAttempts,
    currency: intent.currency,
    expected_amount: expected,
    max_allowed_amount: share.maxAllowed,
    actual_amount: 0n,
    refunded_amount: 0n,
    fee_allowance: share.feeAllowance,
    tax_allowance: share.taxAllowance,
    tolerance_basis_points: intent.tolerance_basis_points,
    hold: null,
    offer: null,
    promo: untriedPromo(intent.promo_code),
    question: null,
    answers: null,
    order_row_id: null,
    order_url: null,
    order_id: null,
    transaction_id: null,
    failure: null,
    outcome_known: true,
    past_no_return: false,
    attempts_data: [],
    due_at: ctx.now,
    lease_until: null,
    lease_token: 0n,
    started_at: null,
    completed_at: null,
    created_at: ctx.now,
    updated_at: ctx.now,
  }
}
