import { endedStatuses } from '../disputes/dispute.ts'
import type { Dispute, Fact, Intent, Memory, StripeEvent, Subject } from '../memory.ts'

/** What an event says, before it is one. */
export type Noticed = Pick<StripeEvent, 'type' | 'about' | 'owner'>

type Type = StripeEvent['type']

/**
 * What a fact is told of, by the memory before it. A hold that ends by itself makes no event here, as nobody notices it before they read it.
 */
export function noticedIn(memory: Memory, fact: Fact): Noticed[] {
  switch (fact.kind) {
    case 'intent':
      return aboutIntent(memory.intents.get(fact.value.id) ?? null, fact.value)
    case 'refund': {
      const intent = memory.intents.get(fact.value.payment_intent)
      if (intent === undefined) return []
      const told = said(intent.owner, { kind: 'refund', value: fact.value })
      return [
        told('refund.created'),
        said(intent.owner, { kind: 'charge', value: intent })('charge.refunded'),
      ]
    }
    case 'dispute': {
      const owner = memory.intents.get(fact.value.payment_intent)?.owner
      const before = memory.disputes.get(fact.value.id) ?? null
      const types = ofDispute(before, fact.value)
      return owner === undefined ? [] : types.map(said(owner, { kind: 'dispute', value: fact.value }))
    }
    default:
      return []
  }
}

function said(owner: string, about: Subject): (type: Type) => Noticed {
  return (type) => ({ type, about, owner })
}

function aboutIntent(before: Intent | null, value: Intent): Noticed[] {
  const ofIntent = said(value.owner, { kind: 'payment_intent', value })
  const ofCharge = said(value.owner, { kind: 'charge', value })
  const made = before === null ? [ofIntent('payment_intent.created')] : []
  const isTried = value.last_payment_error !== null && value.last_payment_error !== before?.last_payment_error
  const failed = isTried ? [ofIntent('payment_intent.payment_failed')] : []
  return before?.status === value.status
    ? [...made, ...failed]
    : [
        ...made,
        ...failed,
        ...byStatus(before, value).map((one) => (isOfCharge(one) ? ofCharge(one) : ofIntent(one))),
      ]
}

function isOfCharge(type: Type): boolean {
  return type.startsWith('charge.')
}

function byStatus(before: Intent | null, { status }: Intent): Type[] {
  const wasHeld = before?.status === 'requires_capture'
  switch (status) {
    case 'requires_action':
      return ['payment_intent.requires_action']
    case 'requires_capture':
      return ['charge.succeeded', 'payment_intent.amount_capturable_updated']
    case 'succeeded':
      return [wasHeld ? 'charge.captured' : 'charge.succeeded', 'payment_intent.succeeded']
    case 'canceled':
      return [...(wasHeld ? (['charge.refunded'] as const) : []), 'payment_intent.canceled']
    case 'requires_payment_method':
    case 'requires_confirmation':
      return []
    default:
      return status satisfies never
  }
}

function ofDispute(before: Dispute | null, { status, withdrawn_ms, reinstated_ms }: Dispute): Type[] {
  const isOver = endedStatuses.includes(status)
  return [
    ...(before === null ? (['charge.dispute.created'] as const) : []),
    ...(before !== null && !isOver ? (['charge.dispute.updated'] as const) : []),
    ...(withdrawn_ms !== null && before?.withdrawn_ms == null
      ? (['charge.dispute.funds_withdrawn'] as const)
      : []),
    ...(reinstated_ms !== null && before?.reinstated_ms == null
      ? (['charge.dispute.funds_reinstated'] as const)
      : []),
    ...(isOver ? (['charge.dispute.closed'] as const) : []),
  ]
}
