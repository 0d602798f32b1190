/** Who is told: a merchant of what concerns it, or a buyer's account of what is its own. */
export const audiences = ['merchant', 'buyer'] as const
export type Audience = (typeof audiences)[number]

/** What a merchant's destination can subscribe to. */
export const eventTypes = [
  'quote.requested',
  'order.requested',
  'order.confirmed',
  'order.rejected',
  'order.expired',
  'order.cancelled',
  'order.repriced',
  'order.fulfillment_updated',
  'order.completed',
  'order.refund_requested',
  'order.refunded',
  'order.refund_failed',
  'order.return_requested',
  'order.return_declined',
  'payment.authorized',
  'payment.captured',
  'payment.voided',
  'payment.failed',
  'payment.refunded',
] as const

export type EventType = (typeof eventTypes)[number]

/** What can happen to a purchase intent, and to one of its carts. */
export const intentEvents = [
  'created',
  'awaiting_approval',
  'approved',
  'declined',
  'queued',
  'started',
  'awaiting_merchant_auth',
  'merchant_auth_submitted',
  'merchant_auth_failed',
  'reapproval_required',
  'retried',
  'cancelled',
  'succeeded',
  'failed',
  'reconciled',
] as const
export const cartEvents = [
  'created',
  'started',
  'offer_updated',
  'awaiting_merchant_auth',
  'payment_authorized',
  'order_placed',
  'payment_captured',
  'succeeded',
  'failed',
  'cancelled',
] as const

/** What a buyer's destination can subscribe to: everything that happens to the account's own objects of these families. */
export const buyerEventTypes: readonly string[] = [
  ...named('purchase_intent', intentEvents),
  ...named('cart', cartEvents),
  // Whatever happens to an order, both sides are told.
  ...eventTypes.filter((type) => type.startsWith('order.')),
  ...named('quote', [
    'requested',
    'quoted',
    'declined',
    'requires_input',
    'failed',
    'expired',
    'cancelled',
    'ordered',
  ]),
]

/** `order.*` and its kind: every type of a family, as a caller may write it. */
export const buyerEventFamilies: readonly string[] = [
  ...new Set(buyerEventTypes.map((type) => `${type.split('.')[0]}.*`)),
]

function named(family: string, names: readonly string[]): string[] {
  return names.map((name) => `${family}.${name}`)
}

/** Sent to the destination that is tested, whatever it subscribes to. */
export const testEventType = 'destination.test'

/** These make their own delivery, to the one destination that they are for. */
export const sentAtOnce: ReadonlySet<string> = new Set([testEventType, 'quote.requested'])

const orderResponderTypes: readonly EventType[] = ['order.requested', 'order.confirmed', 'order.rejected']

export type Choice = { audience: Audience; responds_to_quotes: boolean; event_types: readonly string[] }

/**
 * As stored and shown: each type once, in the order of the list; with `quote.requested` for the designated responder, and with its
 * types instead of a family.
 */
export function subscribedTypes({ audience, responds_to_quotes, event_types }: Choice): string[] {
  if (audience === 'buyer') {
    return buyerEventTypes.filter(
      (type) => event_types.includes(type) || event_types.includes(`${type.split('.')[0]}.*`),
    )
  }
  return eventTypes.filter(
    (type) => event_types.includes(type) || (responds_to_quotes && type === 'quote.requested'),
  )
}

/** What is really sent there: a merchant's quote request goes to its designated responder alone. */
export function deliveredTypes({ audience, responds_to_quotes, event_types }: Choice): string[] {
  return event_types.filter(
    (type) => audience === 'buyer' || responds_to_quotes || type !== 'quote.requested',
  )
}

/** A merchant's destination that is told of orders and of how they ended may decide them. */
export function canRespondToOrders({ audience, event_types }: Omit<Choice, 'responds_to_quotes'>): boolean {
  return audience === 'merchant' && orderResponderTypes.every((type) => event_types.includes(type))
}

/** Where this destination may answer this event, as a path; null where it may not. */
export function responsePath(eventType: string, aggregateId: string, choice: Choice): string | null {
  if (eventType === 'order.requested' && canRespondToOrders(choice)) {
    return `/v1/merchant/orders/${aggregateId}/responses`
  }
  if (eventType === 'quote.requested' && choice.audience === 'merchant' && choice.responds_to_quotes) {
    return `/v1/merchant/quotes/${aggregateId}/responses`
  }
  return null
}
