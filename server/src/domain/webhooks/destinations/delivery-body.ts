import type { EventCatalog } from '../../../contract/event.ts'
import { buyerBody } from '../../../platform/events/event-body.ts'
import { unpackText } from '../../../platform/events/packed-text.ts'
import type { ClaimedDelivery } from './delivery-work.sql.ts'

type Claimed = Pick<
  ClaimedDelivery,
  'event_id' | 'event_type' | 'mode' | 'event_created_at' | 'aggregate_id' | 'envelope_bytes' | 'object_bytes'
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
  if (delivery.envelope_bytes !== null) return unpackText(delivery.envelope_bytes)
  if (delivery.object_bytes === null) throw new Error(`the event ${id} has nothing that could be sent`)
  const event = { id, type, mode, createdAt, aggregateId, object: unpackText(delivery.object_bytes) }
  return buyerBody(event, types.get(type) ?? {})
}
