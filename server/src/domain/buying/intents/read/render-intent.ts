import type { Tenant } from '../../../../contract/context.ts'
import { toWire } from '../../../../core/money.ts'
import { type CartRow, refundedOf, renderCart } from '../cart.ts'
import { executionMethodOf } from '../create/execution-method.ts'
import { shownRequest } from '../create/item-request.ts'
import {
  approvalValidUntil,
  approverOf,
  type IntentItem,
  type IntentRow,
  type PurchaseIntent,
} from '../intent.ts'
import { summaryOf } from './summary.ts'

/** An intent with its carts, as the interface and its events show it. */
export function renderIntent(row: IntentRow, carts: readonly CartRow[], tenant: Tenant): PurchaseIntent {
  return {
    id: row.id,
    object: 'purchase_intent',
    mode: tenant.mode,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    profile_id: row.profile_id,
    profile_payment_method_id: row.payment_method_id,
    policy_id: row.policy_id,
    status: row.status,
    summary: summaryOf(row, carts),
    sequence: row.seq,
    ...(row.kept_answers === null ? {} : { shop_answers: row.kept_answers.map((one) => ({ ...one })) }),
    currency_code: row.currency,
    expected_amount: toWire(row.expected_amount),
    max_allowed_amount: toWire(row.max_allowed_amount),
    actual_amount: toWire(row.actual_amount),
    refunded_amount: toWire(refundedOf(carts)),
    items: row.items.map((item) => renderItem(item, row.currency)),
    carts: carts.map((cart) => renderCart(cart, tenant.mode)),
    execution_method: executionMethodOf(row),
    preferences: { fulfillment: renderFulfillment(row.fulfillment), promo_code: row.promo_code },
    next_action: row.next_action,
    failure_reason: row.failure,
    policy_decision: row.policy_decision,
    approval: {
      required: row.approval_required,
      approved_by: approverOf(row),
      approved_at: row.approved_at?.toISOString() ?? null,
      expires_at: row.approval_expires_at?.toISOString() ?? null,
      valid_until: approvalValidUntil(row)?.toISOString() ?? null,
    },
    offer_summary: row.offer_summary,
    partial: row.partial,
    cancel_reason: row.cancel_reason,
    reference_id: row.reference_id,
    metadata: row.metadata,
    started_at: row.started_at?.toISOString() ?? null,
    completed_at: row.completed_at?.toISOString() ?? null,
  }
}

function renderItem(item: IntentItem, currency: string): PurchaseIntent['items'][number] {
  return {
    id: item.id,
    url: item.url,
    quantity: item.quantity,
    expected_amount: item.unit_amount,
    expected_currency: currency,
    variant: item.variant,
    quote_id: item.quote_id,
    ...(item.inputs === undefined ? {} : { inputs: item.inputs }),
    request: item.request ? shownRequest(item.request) : null,
  }
}

function renderFulfillment(
  fulfillment: IntentRow['fulfillment'],
): PurchaseIntent['preferences']['fulfillment'] {
  const { method, speed, address_id, max_fee_amount } = fulfillment
  return { method, speed, address_id, max_fee_amount }
}
