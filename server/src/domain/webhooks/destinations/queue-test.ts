import type { ActingContext } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { type DeliveryWrite, insertDelivery } from './deliveries.sql.ts'
import { deliveryWork } from './delivery.ts'
import { type DestinationRow, renderDestination } from './destination.ts'
import { updateDestinationRow } from './destinations.sql.ts'
import { testEventType } from './event-types.ts'
import { writeOf } from './write-destination.ts'

export type QueuedTest = DeliveryWrite & { due_at: Date }

/** How many seconds the endpoint has to store the secret after the reply to create, which shows it. */
export const storeSecretSeconds = 2

/**
 * Queues `destination.test` for a destination that is new or locked: its event and its delivery, which does not wait for the relay.
 * Returns the delivery.
 */
export function queueTest(
  ctx: ActingContext,
  row: DestinationRow,
  { id = ctx.newId('dlv'), dueAt }: { id?: Id<'dlv'>; dueAt: Date },
): QueuedTest {
  const { accountId, mode } = ctx.tenant
  const tested = { ...row, seq: row.seq + 1, updated_at: ctx.now }
  ctx.tx.write(updateDestinationRow(writeOf(tested, ctx)))
  const write = {
    account_id: accountId,
    mode,
    id,
    destination_id: row.id,
    event_id: ctx.newId('evt'),
    event_account_id: accountId,
    event_type: testEventType,
    aggregate_id: row.id,
    sequence: tested.seq,
    due_at: dueAt,
    now: ctx.now,
  }
  ctx.tx.write(insertDelivery(write))
  ctx.tx.emit({
    id: write.event_id,
    type: testEventType,
    aggregateId: row.id,
    sequence: tested.seq,
    object: renderDestination(tested, mode),
    recipient: { accountId, data: { destination: { id: row.id, name: row.name } } },
    lane: 'interactive',
  })
  ctx.tx.wake(deliveryWork)
  return write
}
