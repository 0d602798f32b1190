import type { Follower, RelayedEvent } from '../../platform/events/follower.ts'
import { deliveryWork } from './delivery.ts'
import { sentAtOnce } from './event-types.ts'
import { insertMatches, matchDestinations } from './follow-deliveries.sql.ts'

/** Makes a delivery for every destination of the recipient that was subscribed to an event when it was made. */
export const followDeliveries: Follower = {
  name: 'deliveries',
  async follow(tx, events) {
    const told = events.filter((event) => event.recipientAccountId !== null && !sentAtOnce.has(event.type))
    if (told.length === 0) return
    const matches = await tx.rows(matchDestinations(columnsOf(told)))
    if (matches.length === 0) return
    const byId = new Map(told.map((event) => [event.id, event]))
    const pairs = matches.flatMap(({ event_id, destination_id }) => {
      const event = byId.get(event_id)
      return event ? [{ event, destinationId: destination_id }] : []
    })
    tx.write(
      insertMatches({
        ...columnsOf(pairs.map(({ event }) => event)),
        ids: pairs.map(() => tx.newId('dlv')),
        destination_ids: pairs.map(({ destinationId }) => destinationId),
        now: tx.now,
      }),
    )
    tx.wake(deliveryWork)
  },
}

function columnsOf(events: readonly RelayedEvent[]) {
  return {
    account_ids: events.map((event) => event.recipientAccountId ?? ''),
    modes: events.map((event) => event.tenant.mode),
    event_ids: events.map((event) => event.id),
    event_account_ids: events.map((event) => event.tenant.accountId),
    types: events.map((event) => event.type),
    aggregate_ids: events.map((event) => event.aggregateId),
    sequences: events.map((event) => event.sequence),
    created_ats: events.map((event) => event.createdAt.toISOString()),
  }
}
