import { type FailureReason, failureOf } from '../intents/public.ts'
import type { EffectRefusal } from './cart-facts.ts'
import type { Step } from './step.ts'

/** The failure with which a step ends a cart. */
export function failureFor({ code, isRetrySame, refusal }: Extract<Step, { kind: 'fail' }>): FailureReason {
  return failureOf(code, { ...(isRetrySame ? { retry_policy: 'same' } : {}), ...declineOf(refusal) })
}

/** The failure of a cart whose order was refused. */
export function refusedOrder(refusal: EffectRefusal): FailureReason {
  const message = refusal.message === null ? {} : { merchant_message: refusal.message }
  return failureOf(orderFailures[refusal.code] ?? 'order_rejected_by_merchant', {
    ...message,
    ...declineOf(refusal),
  })
}

const orderFailures: Readonly<Record<string, FailureReason['code']>> = {
  order_rejected_by_merchant: 'order_rejected_by_merchant',
  order_confirmation_timeout: 'order_confirmation_timeout',
  payment_declined: 'payment_declined',
  product_out_of_stock: 'product_out_of_stock',
  price_changed: 'price_changed',
  merchant_auth_failed: 'merchant_auth_failed',
  merchant_changed: 'merchant_changed',
  merchant_unavailable: 'merchant_unavailable',
  merchant_unsupported: 'merchant_unsupported',
  payment_authentication_failed: 'payment_authentication_failed',
}

/** The issuer's decline code, without the rail's own vocabulary. */
function declineOf(refusal: EffectRefusal | null): { decline_code?: string } {
  return refusal?.declineCode ? { decline_code: refusal.declineCode } : {}
}
