import { type Audience, type EventCatalog, familyOf } from '../../../contract/event.ts'

/** Sent to the tested destination, whatever it subscribes to. */
export const testEventType = 'destination.test'

const orderResponderTypes: readonly string[] = ['order.requested', 'order.confirmed', 'order.rejected']

type Choice = { audience: Audience; responds_to_quotes: boolean; event_types: readonly string[] }

/** What a destination of an audience can subscribe to: types, or for buyers also families such as `order.*`. */
export function selectorsOf(audience: Audience, { subscribable }: EventCatalog): readonly string[] {
  const types = subscribable[audience]
  return audience === 'merchant' ? types : [...new Set(types.map(familySelector)), ...types]
}

/**
 * As stored and shown: each type once, in the order of the catalog; with `quote.requested` for the designated responder, and with its
 * types instead of a family.
 */
export function subscribedTypes(
  { audience, responds_to_quotes, event_types }: Choice,
  { subscribable }: EventCatalog,
): string[] {
  return subscribable[audience].filter(
    (type) =>
      event_types.includes(type) ||
      (audience === 'buyer'
        ? event_types.includes(familySelector(type))
        : responds_to_quotes && type === 'quote.requested'),
  )
}

function familySelector(type: string): string {
  return `${familyOf(type)}.*`
}

/** The types that are really sent there: a merchant's quote request goes to its designated responder alone. */
export function deliveredTypes({ audience, responds_to_quotes, event_types }: Choice): string[] {
  return event_types.filter(
    (type) => audience === 'buyer' || responds_to_quotes || type !== 'quote.requested',
  )
}

/** A merchant's destination that receives the requests and the ends of orders may decide them. */
export function canRespondToOrders({ audience, event_types }: Omit<Choice, 'responds_to_quotes'>): boolean {
  // guard buyers-answer-nothing: a destination of a buyer may not answer
  return audience === 'merchant' && orderResponderTypes.every((type) => event_types.includes(type))
}

/** The path at which this destination may answer this event; null where it may not. */
export function responsePath(eventType: string, aggregateId: string, choice: Choice): string | null {
  if (eventType === 'order.requested' && canRespondToOrders(choice)) {
    return `/v1/merchant/orders/${aggregateId}/responses`
  }
  if (eventType === 'quote.requested' && choice.audience === 'merchant' && choice.responds_to_quotes) {
    return `/v1/merchant/quotes/${aggregateId}/responses`
  }
  return null
}
