import { type FailureReason, failureOf } from '../intents/public.ts'
import type { EffectRefusal } from './journal.ts'
import type { Step } from './step.ts'

/** The failure with which a step ends a cart. */
export function failureFor({ code, isRetrySame, refusal }: Extract<Step, { kind: 'fail' }>): FailureReason {
  if (code === 'no_room') return failureOf('internal_error', { retry_policy: 'later', message: noRoom })
  return failureOf(code, { ...(isRetrySame ? { retry_policy: 'same' } : {}), ...declineOf(refusal) })
}

const noRoom =
  'Our browser had no room to buy it in half an hour. The merchant is not the reason. Try again later.'

/** The failure of a cart whose order was refused. */
export function refusedOrder(refusal: EffectRefusal): FailureReason {
  const code = orderFailures[refusal.code] ?? 'order_rejected_by_merchant'
  return { ...refusedByMerchant(code, refusal.message), ...declineOf(refusal) }
}

/** Where a shop that cannot be bought at says why, a change may help: of the item, of the buyer's data. */
export function refusedByMerchant(code: FailureReason['code'], message: string | null): FailureReason {
  if (message === null) return failureOf(code)
  const after = code === 'merchant_unsupported' ? ({ retry_policy: 'after_change' } as const) : {}
  return failureOf(code, { merchant_message: message, ...after })
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
