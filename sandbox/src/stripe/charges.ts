import type { Stripe } from 'stripe'
import { entryOfCharge, renderEntry } from './balance-entries.ts'
import type { Intent } from './memory.ts'
import { cardOf } from './payment-methods.ts'
import type { TestCard } from './test-cards.ts'
import { type Shown, seconds } from './work.ts'

/** What is captured for another account goes there at once, under this id; null: nothing did. */
export function automaticTransferId({ id, destination, status }: Intent): string | null {
  return destination !== null && status === 'succeeded' ? `tr_${id.slice(3)}` : null
}

/** An intent is charged once here, or not at all. */
export function chargeIdOf({ id, held_ms }: Intent): string | null {
  return held_ms === null ? null : `ch_${id.slice(3)}`
}

export function intentOfCharge(charge: string): string {
  return `pi_${charge.slice(3)}`
}

const approved: Stripe.Charge.Outcome = {
  advice_code: null,
  network_advice_code: null,
  network_decline_code: null,
  network_status: 'approved_by_network',
  reason: null,
  seller_message: 'Payment complete.',
  type: 'authorized',
}

export function renderCharge(intent: Intent, { account, expands, memory }: Shown): Stripe.Charge {
  const isCaptured = intent.status === 'succeeded'
  const isReleased = intent.status === 'canceled'
  const heldMs = intent.held_ms ?? intent.created_ms
  const method = memory.methods.get(intent.payment_method ?? '')
  const card = method ? cardOf(method) : null
  const entry = entryOfCharge(intent)
  const transfer = automaticTransferId(intent)
  return {
    id: chargeIdOf(intent) ?? '',
    object: 'charge',
    amount: intent.amount,
    amount_captured: intent.amount_received,
    // What is released counts as given back.
    amount_refunded: isReleased ? intent.amount : intent.amount_refunded,
    application: null,
    application_fee: null,
    application_fee_amount: intent.application_fee_amount,
    balance_transaction:
      entry === null || !expands.has('latest_charge.balance_transaction')
        ? (entry?.id ?? null)
        : renderEntry(entry, entry.source),
    billing_details: {
      address: null,
      email: null,
      name: method?.billing_name ?? null,
      phone: null,
      tax_id: null,
    },
    calculated_statement_descriptor: 'PROKURA',
    captured: isCaptured,
    created: seconds(heldMs),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: [...memory.disputes.values()].some((one) => one.payment_intent === intent.id),
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: account.isLive,
    metadata: intent.metadata,
    on_behalf_of: intent.on_behalf_of,
    outcome: approved,
    paid: true,
    payment_intent: intent.id,
    payment_method: intent.payment_method,
    payment_method_details: card === null ? null : { type: 'card', card: cardOfCharge(intent, card) },
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: isReleased || (isCaptured && intent.amount_refunded === intent.amount_received),
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'succeeded',
    ...(transfer === null ? {} : { transfer }),
    transfer_data: intent.destination === null ? null : { amount: null, destination: intent.destination },
    transfer_group: null,
  }
}

function cardOfCharge(intent: Intent, { brand, last4 }: TestCard): Stripe.Charge.PaymentMethodDetails.Card {
  const { held_until_ms: untilMs } = intent
  return {
    amount_authorized: intent.amount,
    authorization_code: null,
    brand,
    ...(intent.status === 'succeeded' || untilMs === null ? {} : { capture_before: seconds(untilMs) }),
    checks: null,
    country: 'US',
    electronic_commerce_indicator: null,
    exp_month: 1,
    exp_year: 2040,
    funding: 'credit',
    installments: null,
    last4,
    mandate: null,
    network: brand,
    network_transaction_id: null,
    regulated_status: 'unregulated',
    three_d_secure: null,
    transaction_link_id: null,
    wallet: null,
  }
}
