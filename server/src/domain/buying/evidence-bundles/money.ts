import { toWire } from '../../../core/money.ts'
import type { Traces } from './bundle.sql.ts'

/** What rails hold, were asked and have given back, under the names that they know it by. */
export function moneyOf({ holds, calls, refunds }: Traces): object {
  return {
    holds: holds.map((hold) => ({
      cart_id: hold.cart_id,
      attempt_number: hold.attempt,
      kind: hold.kind,
      rail: hold.rail,
      // guard open-credentials-are-not-named: who has a credential that is not used up could charge it
      reference: hold.kind === 'credential' && hold.status === 'authorized' ? null : hold.reference,
      status: hold.status,
      currency_code: hold.currency,
      amount: toWire(hold.amount),
      captured_amount: toWire(hold.captured_amount),
      refunded_amount: toWire(hold.refunded_amount),
      capture_reference: hold.capture_reference,
      claimed_at: hold.claimed_at?.toISOString() ?? null,
      created_at: hold.created_at.toISOString(),
      updated_at: hold.updated_at.toISOString(),
    })),
    calls: calls.map((call) => ({
      cart_id: call.cart_id,
      attempt_number: call.attempt,
      step: call.step,
      rail: call.rail,
      state: call.state,
      amount: call.amount === null ? null : toWire(call.amount),
      reference: call.reference,
      refusal_code: call.refusal_code,
      decline_code: call.decline_code,
      sent_at: call.sent_at.toISOString(),
      settled_at: call.settled_at?.toISOString() ?? null,
    })),
    refunds: refunds.map((refund) => ({
      id: refund.id,
      order: refund.order_id,
      rail: refund.rail,
      reference: refund.reference,
      status: refund.status,
      currency_code: refund.currency,
      amount: toWire(refund.amount),
      created_at: refund.created_at.toISOString(),
      settled_at: refund.settled_at?.toISOString() ?? null,
    })),
  }
}
