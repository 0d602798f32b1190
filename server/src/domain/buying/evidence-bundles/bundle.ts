import type { Tenant } from '../../../contract/context.ts'
import { documentVersion } from '../../../contract/openapi.ts'
import { toWire } from '../../../core/money.ts'
import { keySetPath } from '../../../platform/signatures/signing-key.ts'
import type { Order } from '../../trade/orders/public.ts'
import { png } from '../evidence/public.ts'
import type { LoadedCart, LoadedIntent } from '../intents/public.ts'
import type { Traces } from './bundle.sql.ts'
import type { History } from './history.ts'
import { moneyOf } from './money.ts'
import { bundleType } from './port.ts'

export type BundleFacts = {
  readonly tenant: Tenant
  readonly purchase: LoadedIntent
  readonly history: History
  readonly traces: Traces
  readonly orders: readonly Order[]
  readonly publicUrl: string
  readonly now: Date
}

/**
 * What is signed. Apart from `made_at` it says the same as long as the purchase is the same: nothing in it is counted from the time at which
 * it was asked for. Codes, numbers of cards and what can still be charged are not in it, nor is what the caller keeps with a purchase.
 */
export function bundleOf(facts: BundleFacts): object {
  const { tenant, purchase, history, publicUrl, now } = facts
  const { intent } = purchase
  return {
    format: bundleType,
    format_version: 1,
    made_at: now.toISOString(),
    made_by: {
      address: publicUrl,
      key_set: `${publicUrl}${keySetPath}`,
      software: 'Prokura',
      version: documentVersion,
    },
    purchase: {
      id: intent.id,
      mode: tenant.mode,
      status: intent.status,
      reference_id: intent.reference_id,
      currency_code: intent.currency,
      actual_amount: toWire(intent.actual_amount),
      partial: intent.partial,
      failure_reason: intent.failure,
      cancel_reason: intent.cancel_reason,
      created_at: intent.created_at.toISOString(),
      started_at: timeOf(intent.started_at),
      completed_at: timeOf(intent.completed_at),
    },
    terms: termsOf(facts),
    decision: decisionOf(facts),
    carts: purchase.carts.map((cart) => cartOf(facts, cart)),
    money: moneyOf(facts.traces),
    events: history.events,
  }
}

function timeOf(at: Date | null): string | null {
  return at?.toISOString() ?? null
}

/** What was agreed to: what is bought and at most for how much, for whom, and where it goes. */
function termsOf({ purchase: { intent } }: BundleFacts): object {
  const { fulfillment, buyer } = intent
  const { method, speed, max_fee_amount, address } = fulfillment
  const shipTo = address && placeOf(address)
  return {
    items: intent.items.map(({ id, url, quantity, unit_amount, variant, quote_id, inputs }) => ({
      id,
      url,
      quantity,
      expected_amount: unit_amount,
      variant,
      quote_id,
      inputs: inputs ?? null,
    })),
    expected_amount: toWire(intent.expected_amount),
    max_allowed_amount: toWire(intent.max_allowed_amount),
    promo_code: intent.promo_code,
    fulfillment: { method, speed, max_fee_amount, ship_to: shipTo },
    // Fixed when money was released; before that nobody was told of anybody.
    buyer: buyer && {
      first_name: buyer.first_name,
      last_name: buyer.last_name,
      email: buyer.email,
      phone: buyer.phone,
      bill_to: buyer.bill_to === 'ship_to' ? shipTo : buyer.bill_to && placeOf(buyer.bill_to),
    },
  }
}

type Address = NonNullable<LoadedIntent['intent']['fulfillment']['address']>

function placeOf({ recipient_name, line1, line2, city, state, postal_code, country }: Address): object {
  return { recipient_name, line1, line2, city, state, postal_code, country }
}

/** Who decided that it is bought, by which rules, and what showed that the card is its holder's. */
function decisionOf({ purchase: { intent }, history, traces }: BundleFacts): object {
  const cardOf = (id: string | null) => {
    const card = traces.cards.find((one) => one.id === id)
    return card ? { id: card.id, brand: card.card_brand, last4: card.card_last4 } : null
  }
  const { payment_proof: proof, payment_verified_at: provenAt } = intent
  return {
    policy_decision: intent.policy_decision,
    approval_required: intent.approval_required,
    approvals: history.approvals,
    card: cardOf(intent.payment_method_id),
    card_proof: proof && {
      kind: proof.kind,
      proven_at: timeOf(provenAt),
      card: cardOf(proof.payment_method_id),
    },
    confirmed_payments: history.confirmations,
  }
}

/** One shop's part: what it named as its price, what it answered, and the pages on which it was bought. */
function cartOf({ history, orders, traces }: BundleFacts, cart: LoadedCart): object {
  const orderIds = new Set([cart.order_row_id, ...cart.attempts_data.map(({ order_row_id }) => order_row_id)])
  return {
    id: cart.id,
    merchant: { name: cart.merchant_name, domain: cart.merchant_domain },
    channel: cart.channel,
    status: cart.status,
    attempt_number: cart.attempt_number,
    items: cart.items,
    currency_code: cart.currency,
    max_allowed_amount: toWire(cart.max_allowed_amount),
    actual_amount: toWire(cart.actual_amount),
    refunded_amount: toWire(cart.refunded_amount),
    offers: history.offers.get(cart.id) ?? [],
    order_id: cart.order_id,
    order_url: cart.order_url,
    transaction_id: cart.transaction_id,
    orders: orders.filter(({ id }) => orderIds.has(id)),
    failure_reason: cart.failure,
    earlier_attempts: cart.attempts_data.map(({ attempt_number, order_id, transaction_id, failure }) => ({
      attempt_number,
      order_id,
      transaction_id,
      failure_reason: failure,
    })),
    started_at: timeOf(cart.started_at),
    completed_at: timeOf(cart.completed_at),
    pictures: traces.pictures
      .filter(({ cart_id }) => cart_id === cart.id)
      .map(({ id, attempt, stage, taken_at, url_host, bytes, sha256 }) => ({
        id,
        attempt_number: attempt,
        stage,
        at: taken_at.toISOString(),
        url_host,
        media_type: png,
        bytes,
        sha256: sha256.toString('hex'),
      })),
  }
}
