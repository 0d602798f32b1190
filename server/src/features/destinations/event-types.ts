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

/** Sent to the destination that is tested, whatever it subscribes to. */
export const testEventType = 'destination.test'

/** These make their own delivery, to the one destination that they are for. */
export const sentAtOnce: ReadonlySet<string> = new Set([testEventType, 'quote.requested'])

const orderResponderTypes: readonly EventType[] = ['order.requested', 'order.confirmed', 'order.rejected']

export type Choice = { responds_to_quotes: boolean; event_types: readonly EventType[] }

/** As stored and shown: each type once, in the order of the list, with `quote.requested` for the designated responder. */
export function subscribedTypes({ responds_to_quotes, event_types }: Choice): EventType[] {
  return eventTypes.filter(
    (type) => event_types.includes(type) || (responds_to_quotes && type === 'quote.requested'),
  )
}

/** What is really sent there: a quote request goes to the designated responder alone. */
export function deliveredTypes({ responds_to_quotes, event_types }: Choice): EventType[] {
  return event_types.filter((type) => responds_to_quotes || type !== 'quote.requested')
}

/** Whoever is told of orders and of how they ended may decide them. */
export function canRespondToOrders(types: readonly string[]): boolean {
  return orderResponderTypes.every((type) => types.includes(type))
}

/** Where this destination may answer this event, as a path; null where it may not. */
export function responsePath(eventType: string, aggregateId: string, choice: Choice): string | null {
  if (eventType === 'order.requested' && canRespondToOrders(choice.event_types)) {
    return `/v1/merchant/orders/${aggregateId}/responses`
  }
  if (eventType === 'quote.requested' && choice.responds_to_quotes) {
    return `/v1/merchant/quotes/${aggregateId}/responses`
  }
  return null
}
