import type { EventCatalog } from '../../../contract/event.ts'
import { buyerBody } from '../../../platform/events/event-body.ts'
import type { ClaimedDelivery } from './delivery-work.sql.ts'

type Claimed = Pick<
  ClaimedDelivery,
  'event_id' | 'event_type' | 'mode' | 'event_created_at' | 'aggregate_id' | 'envelope' | 'object'
>

/** The bytes of a delivery: they follow from the stored event, so that every attempt has the same. */
export function bodyOf(delivery: Claimed, { types }: EventCatalog): string {
  const {
    event_id: id,
    event_type: type,
    mode,
    event_created_at: createdAt,
    aggregate_id: aggregateId,
  } = delivery
  if (delivery.envelope !== null) return delivery.envelope
  if (delivery.object === null) throw new Error(`the event ${id} has nothing that could be sent`)
  const event = { id, type, mode, createdAt, aggregateId, object: delivery.object }
  return buyerBody(event, types.get(type) ?? {})
}
