import { randomBytes } from 'node:crypto'
import type { Form } from './form.ts'
import type { payBy } from './granted-tokens.ts'
import type { Intent, Refund } from './memory.ts'
import { StripeError } from './stripe-error.ts'

const amountMin = 50
const amountMax = 99_999_999

/** An intent as it is made: nothing was tried, and nothing is held. */
export function createIntent(form: Form, nowMs: number): Intent {
  const amount = form.requiredNumber('amount')
  const currency = form.required('currency')
  if (!/^[a-z]{3}$/.test(currency))
    throw new StripeError(400, { code: 'invalid_currency', param: 'currency', message: 'Invalid currency' })
  if (amount < amountMin)
    throw new StripeError(400, { code: 'amount_too_small', param: 'amount', message: 'Amount is too small' })
  if (amount > amountMax)
    throw new StripeError(400, { code: 'amount_too_large', param: 'amount', message: 'Amount is too large' })
  return {
    id: `pi_${randomBytes(12).toString('hex')}`,
    status: 'requires_payment_method',
    amount,
    amount_received: 0,
    amount_refunded: 0,
    currency,
    capture_method: captureMethodIn(form),
    description: form.text('description'),
    metadata: form.group('metadata'),
    last_payment_error: null,
    paid_by: null,
    created_ms: nowMs,
  }
}

/** Stripe captures at once unless it is told otherwise. */
function captureMethodIn(form: Form): Intent['capture_method'] {
  const given = form.text('capture_method') ?? 'automatic'
  if (given === 'manual') return 'manual'
  if (given === 'automatic' || given === 'automatic_async') return 'automatic'
  throw new StripeError(400, { param: 'capture_method', message: 'Invalid capture_method' })
}

/** Whether the request that makes an intent confirms it too. */
export function confirmsAtOnce(form: Form): boolean {
  const given = form.text('confirm') ?? 'false'
  if (given !== 'true' && given !== 'false')
    throw new StripeError(400, { param: 'confirm', message: 'Invalid boolean: confirm' })
  return given === 'true'
}

export function confirmIntent(intent: Intent, outcome: ReturnType<typeof payBy>): Intent {
  if (outcome === 'approved')
    return intent.capture_method === 'manual'
      ? { ...intent, status: 'requires_capture', last_payment_error: null }
      : { ...intent, status: 'succeeded', amount_received: intent.amount, last_payment_error: null }
  if (outcome === 'acting') return { ...intent, status: 'requires_action', last_payment_error: null }
  const decline = { type: 'card_error', code: 'card_declined', decline_code: outcome.decline }
  return { ...intent, last_payment_error: { ...decline, message: 'Your card was declined.' } }
}

export function captureIntent(intent: Intent, form: Form): Intent {
  if (intent.status !== 'requires_capture') throw unexpectedState(intent)
  const amount = form.number('amount_to_capture') ?? intent.amount
  if (amount > intent.amount)
    throw new StripeError(400, { code: 'amount_too_large', param: 'amount_to_capture', message: 'Too much' })
  return { ...intent, status: 'succeeded', amount_received: amount }
}

export function cancelIntent(intent: Intent): Intent {
  if (intent.status === 'succeeded' || intent.status === 'canceled') throw unexpectedState(intent)
  return { ...intent, status: 'canceled' }
}

export function refundIntent(intent: Intent, form: Form): { intent: Intent; refund: Refund } {
  const left = intent.amount_received - intent.amount_refunded
  const amount = form.number('amount') ?? left
  if (left === 0)
    throw new StripeError(400, { code: 'charge_already_refunded', message: 'There is nothing to refund' })
  if (amount > left)
    throw new StripeError(400, { param: 'amount', message: 'More than what was not refunded' })
  const { id: payment_intent, currency } = intent
  const refund = {
    id: `re_${randomBytes(12).toString('hex')}`,
    payment_intent,
    amount,
    currency,
    metadata: form.group('metadata'),
  }
  return { intent: { ...intent, amount_refunded: intent.amount_refunded + amount }, refund }
}

export function unexpectedState(intent: Intent): StripeError {
  return new StripeError(400, {
    code: 'payment_intent_unexpected_state',
    message: `This PaymentIntent has a status of ${intent.status}`,
    payment_intent: renderIntent(intent, false),
  })
}

export function renderIntent(intent: Intent, expandsCharge: boolean): object {
  const { id, created_ms, amount_refunded, paid_by, ...rest } = intent
  const isTried = intent.status === 'requires_capture' || intent.status === 'succeeded'
  const charge = { id: `ch_${id.slice(3)}`, object: 'charge', amount_refunded }
  return {
    id,
    object: 'payment_intent',
    livemode: false,
    ...rest,
    created: Math.floor(created_ms / 1000),
    latest_charge: isTried ? (expandsCharge ? charge : charge.id) : null,
  }
}

export function renderRefund(refund: Refund): object {
  return { object: 'refund', status: 'succeeded', ...refund }
}
