import type { ActingContext, Tenant } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { insertDeliveryToResponder } from './deliveries.sql.ts'
import { deliveryWork } from './delivery.ts'

/**
 * Queues the delivery, to a designated responder, of an event that is emitted in the same transaction and that somebody waits for: it
 * does not wait for the relay. `tenant` is the destination's; the event may belong to another account of the same mode. It fails like a
 * serialization failure where the destination is no longer the responder, or is not enabled.
 */
export function sendAtOnce(
  ctx: ActingContext,
  send: {
    tenant: Tenant
    destinationId: Id<'dest'>
    event: { id: Id<'evt'>; accountId: Id<'acct'>; type: string; aggregateId: string; sequence: number }
  },
): void {
  const { tenant, destinationId, event } = send
  ctx.tx.write(
    insertDeliveryToResponder({
      account_id: tenant.accountId,
      mode: tenant.mode,
      id: ctx.newId('dlv'),
      destination_id: destinationId,
      event_id: event.id,
      event_account_id: event.accountId,
      event_type: event.type,
      aggregate_id: event.aggregateId,
      sequence: event.sequence,
      now: ctx.now,
    }),
  )
  ctx.tx.wake(deliveryWork, { isAwaited: true })
}
