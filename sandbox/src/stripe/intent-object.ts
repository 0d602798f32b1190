import type { Stripe } from 'stripe'
import { automaticTransferId, chargeIdOf, renderCharge } from './charges.ts'
import type { Intent } from './memory.ts'
import { nextAction } from './next-action.ts'
import { renderMethod } from './payment-methods.ts'
import { transferNamed } from './transfers/transfer.ts'
import { renderTransfer } from './transfers/transfers.ts'
import { type Shown, seconds } from './work.ts'

export function ended(intent: Intent, canceled: NonNullable<Intent['canceled']>): Intent {
  return { ...intent, status: 'canceled', asking: null, canceled }
}

/** A hold that nobody has captured in time is released by itself. */
export function standing(intent: Intent, nowMs: number): Intent {
  const { status, held_until_ms: endsMs } = intent
  if (status !== 'requires_capture' || endsMs === null || nowMs < endsMs) return intent
  return ended(intent, { at_ms: endsMs, reason: 'automatic' })
}

function isExpanded(expands: ReadonlySet<string>, field: string): boolean {
  return [...expands].some((one) => one === field || one.startsWith(`${field}.`))
}

function chargeOf(intent: Intent, asked: Shown): Stripe.Charge {
  const charge = renderCharge(intent, asked)
  const id = automaticTransferId(intent)
  const transfer = id === null ? null : transferNamed(asked.memory, id)
  if (transfer === null || !asked.expands.has('latest_charge.transfer')) return charge
  return { ...charge, transfer: renderTransfer(transfer, asked) }
}

export function renderIntent(intent: Intent, asked: Shown): Stripe.PaymentIntent {
  const { account, expands, memory, pagesUrl } = asked
  const { id, asking, canceled, destination, last_payment_error: error } = intent
  const method = memory.methods.get(intent.payment_method ?? '')
  const charge = chargeIdOf(intent)
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: intent.amount,
    amount_capturable: intent.status === 'requires_capture' ? intent.amount : 0,
    amount_received: intent.amount_received,
    application: null,
    application_fee_amount: intent.application_fee_amount,
    automatic_payment_methods: null,
    canceled_at: canceled === null ? null : seconds(canceled.at_ms),
    cancellation_reason: canceled?.reason ?? null,
    capture_method: intent.capture_method,
    client_secret: `${id}_secret`,
    confirmation_method: 'automatic',
    created: seconds(intent.created_ms),
    currency: intent.currency,
    customer: intent.customer,
    customer_account: null,
    description: intent.description,
    excluded_payment_method_types: null,
    last_payment_error:
      error === null
        ? null
        : // The codes of test cards are among those of Stripe.
          ({
            type: 'card_error',
            ...error,
            message: 'Your card was declined.',
          } as Stripe.PaymentIntent.LastPaymentError),
    latest_charge: charge !== null && isExpanded(expands, 'latest_charge') ? chargeOf(intent, asked) : charge,
    livemode: account.isLive,
    managed_payments: null,
    metadata: intent.metadata,
    next_action: asking === null ? null : nextAction(pagesUrl, 'payment', id, asking),
    on_behalf_of: intent.on_behalf_of,
    payment_method:
      method !== undefined && expands.has('payment_method')
        ? renderMethod(method, account)
        : intent.payment_method,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: intent.setup_future_usage,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: intent.status,
    transfer_data: destination === null ? null : { destination },
    transfer_group: null,
  }
}
