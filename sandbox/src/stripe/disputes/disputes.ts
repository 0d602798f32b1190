import type { Stripe } from 'stripe'
import { chargeIdOf, intentOfCharge } from '../charges.ts'
import type { Dispute } from '../memory.ts'
import { noSuch } from '../stripe-error.ts'
import { type Operations, page, type Shown, seconds } from '../work.ts'
import { endedStatuses } from './dispute.ts'

/** What the account pays for a dispute, whatever becomes of it. */
const fee = 1_500

export const disputeOperations: Operations = [
  {
    method: 'GET',
    path: '/v1/disputes',
    operation: 'list_disputes',
    work(asked) {
      const { form, memory } = asked
      const charge = form.text('charge')
      const intent = form.text('payment_intent') ?? (charge === null ? null : intentOfCharge(charge))
      const all = [...memory.disputes.values()]
      const found = intent === null ? all : all.filter((one) => one.payment_intent === intent)
      return { body: page(asked, found, (one) => renderDispute(one, asked)) }
    },
  },
  {
    method: 'GET',
    path: '/v1/disputes/:id',
    operation: 'read_dispute',
    work(asked) {
      const dispute = asked.memory.disputes.get(asked.call.params.id ?? '')
      if (dispute === undefined) throw noSuch('dispute', 'id', 404)
      return { body: renderDispute(dispute, asked) }
    },
  },
]

export function renderDispute(dispute: Dispute, { memory, account }: Shown): Stripe.Dispute {
  const { id, amount, currency, status, withdrawn_ms, reinstated_ms } = dispute
  const intent = memory.intents.get(dispute.payment_intent)
  const isOver = endedStatuses.includes(status)
  return {
    id,
    object: 'dispute',
    amount,
    balance_transactions: [
      ...(withdrawn_ms === null ? [] : [movement(dispute, { atMs: withdrawn_ms, isBack: false })]),
      ...(reinstated_ms === null ? [] : [movement(dispute, { atMs: reinstated_ms, isBack: true })]),
    ],
    charge: (intent && chargeIdOf(intent)) ?? '',
    created: seconds(dispute.created_ms),
    currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: isOver ? null : seconds(dispute.due_by_ms),
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: withdrawn_ms === null && !isOver,
    livemode: account.isLive,
    metadata: {},
    payment_intent: dispute.payment_intent,
    reason: dispute.reason,
    status,
  }
}

function movement(
  { id, currency, amount: disputed }: Dispute,
  { atMs, isBack }: { atMs: number; isBack: boolean },
): Stripe.BalanceTransaction {
  const [amount, paid] = isBack ? [disputed, 0] : [-disputed, fee]
  return {
    id: `txn_${isBack ? 'back' : 'out'}${id.slice(3)}`,
    object: 'balance_transaction',
    amount,
    available_on: seconds(atMs),
    balance_type: 'payments',
    created: seconds(atMs),
    currency,
    description: null,
    exchange_rate: null,
    fee: paid,
    fee_details: [],
    net: amount - paid,
    reporting_category: isBack ? 'dispute_reversal' : 'dispute',
    source: id,
    status: 'available',
    type: 'adjustment',
  }
}

const noEvidence: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
}
