import type { Stripe } from 'stripe'
import { entryIdOf, entryOfRefund, renderEntry } from './balance-entries.ts'
import { automaticTransferId, chargeIdOf } from './charges.ts'
import { checkAmount } from './currencies.ts'
import { isChargedBack } from './disputes/dispute.ts'
import type { Refund } from './memory.ts'
import { entryOf } from './payment-intents.ts'
import { noSuch, StripeError } from './stripe-error.ts'
import { reversed } from './transfers/transfers.ts'
import { type Asked, newId, type Operations, page, seconds } from './work.ts'

export const refundOperations: Operations = [
  {
    method: 'POST',
    path: '/v1/refunds',
    operation: 'refund',
    work(asked) {
      const { form, memory, nowMs } = asked
      const before = memory.intents.get(form.required('payment_intent'))
      if (before === undefined) throw noSuch('payment_intent', 'payment_intent', 404)
      const left = before.amount_received - before.amount_refunded
      const amount = form.number('amount') ?? left
      const isReversed = form.flag('reverse_transfer') ?? false
      if (isReversed && before.destination === null)
        throw new StripeError(400, {
          param: 'reverse_transfer',
          message: 'The charge has no transfer to reverse',
        })
      form.flag('refund_application_fee')
      form.text('reason')
      if (left === 0)
        throw new StripeError(400, {
          code: 'charge_already_refunded',
          message: 'There is nothing to refund',
        })
      if (amount > left)
        throw new StripeError(400, { param: 'amount', message: 'More than what was not refunded' })
      checkAmount(before.currency, { amount, param: 'amount' })
      if (isChargedBack(memory, before.id))
        throw new StripeError(400, { code: 'charge_disputed', message: 'The charge has been charged back.' })
      const id = newId('re')
      const back = isReversed
        ? reversed(asked, { id: automaticTransferId(before) ?? '', amount, refund: id, metadata: {} })
        : null
      const value: Refund = {
        id,
        payment_intent: before.id,
        amount,
        currency: before.currency,
        metadata: form.group('metadata'),
        transfer_reversal: back?.reversal.id ?? null,
        created_ms: nowMs,
      }
      const intent = { ...before, amount_refunded: before.amount_refunded + amount }
      return {
        body: renderRefund(value, asked),
        facts: [
          { kind: 'intent', value: intent },
          { kind: 'refund', value },
          ...(back?.facts ?? []),
          entryOf(asked, intent, 'refund', amount),
        ],
      }
    },
  },
  {
    method: 'GET',
    path: '/v1/refunds',
    operation: 'list_refunds',
    work(asked) {
      const intent = asked.form.text('payment_intent')
      const all = [...asked.memory.refunds.values()]
      const ofIntent = intent === null ? all : all.filter((one) => one.payment_intent === intent)
      return { body: page(asked, ofIntent, (one) => renderRefund(one, asked)) }
    },
  },
  {
    method: 'GET',
    path: '/v1/refunds/:id',
    operation: 'read_refund',
    work(asked) {
      const refund = asked.memory.refunds.get(asked.call.params.id ?? '')
      if (refund === undefined) throw noSuch('refund', 'id', 404)
      return { body: renderRefund(refund, asked) }
    },
  },
]

export function renderRefund(
  refund: Refund,
  { memory, expands }: Pick<Asked, 'memory' | 'expands'>,
): Stripe.Refund {
  const intent = memory.intents.get(refund.payment_intent)
  return {
    id: refund.id,
    object: 'refund',
    amount: refund.amount,
    balance_transaction: expands.has('balance_transaction')
      ? renderEntry(entryOfRefund(refund), refund.id)
      : entryIdOf(refund),
    charge: intent ? chargeIdOf(intent) : null,
    created: seconds(refund.created_ms),
    currency: refund.currency,
    customer: intent?.customer ?? null,
    customer_account: null,
    metadata: refund.metadata,
    payment_intent: refund.payment_intent,
    payment_method: intent?.payment_method ?? null,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: refund.transfer_reversal,
  }
}
