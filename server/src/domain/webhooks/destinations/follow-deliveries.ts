import type { Follower, RelayedEvent } from '../../../platform/events/follower.ts'
import { deliveryWork } from './delivery.ts'
import { type Audience, buyerEventTypes, sentAtOnce } from './event-types.ts'
import { insertMatches, insertWaitingMatches, matchDestinations } from './follow-deliveries.sql.ts'

/** Makes a delivery for every destination of those who are told of an event that was subscribed to it when it was made. */
export const followDeliveries: Follower = {
  name: 'deliveries',
  async follow(tx, events) {
    const told = events.flatMap(toldOf)
    if (told.length === 0) return
    const matches = await tx.rows(
      matchDestinations({ ...columnsOf(told), audiences: told.map(({ audience }) => audience) }),
    )
    if (matches.length === 0) return
    const known = new Map(told.map((one) => [keyOf(one.audience, one.event.id), one]))
    const pairs = matches.flatMap(({ event_id, audience, destination_id, confirmed }) => {
      const one = known.get(keyOf(audience, event_id))
      return one ? [{ ...one, destinationId: destination_id, confirmed }] : []
    })
    const write = (insert: typeof insertMatches, some: typeof pairs) =>
      some.length === 0
        ? undefined
        : tx.write(
            insert({
              ...columnsOf(some),
              ids: some.map(() => tx.newId('dlv')),
              destination_ids: some.map(({ destinationId }) => destinationId),
              now: tx.now,
            }),
          )
    write(
      insertMatches,
      pairs.filter(({ confirmed }) => confirmed),
    )
    write(
      insertWaitingMatches,
      pairs.filter(({ confirmed }) => !confirmed),
    )
    tx.wake(deliveryWork)
  },
}

/** An event on its way to one audience. */
type Told = { event: RelayedEvent; audience: Audience; accountId: string }

const buyersHear: ReadonlySet<string> = new Set(buyerEventTypes)

/** Both may be one account: then each of its audiences is told what concerns it. */
function toldOf(event: RelayedEvent): Told[] {
  const told: Told[] = []
  // What somebody waits for has made its own delivery, to whom it asks.
  if (event.recipientAccountId !== null && !sentAtOnce.has(event.type))
    told.push({ event, audience: 'merchant', accountId: event.recipientAccountId })
  if (event.isHeard && buyersHear.has(event.type))
    told.push({ event, audience: 'buyer', accountId: event.tenant.accountId })
  return told
}

function keyOf(audience: Audience, eventId: string): string {
  return `${audience}/${eventId}`
}

function columnsOf(told: readonly Told[]) {
  return {
    account_ids: told.map(({ accountId }) => accountId),
    modes: told.map(({ event }) => event.tenant.mode),
    event_ids: told.map(({ event }) => event.id),
    event_account_ids: told.map(({ event }) => event.tenant.accountId),
    types: told.map(({ event }) => event.type),
    aggregate_ids: told.map(({ event }) => event.aggregateId),
    sequences: told.map(({ event }) => event.sequence),
    created_ats: told.map(({ event }) => event.createdAt.toISOString()),
  }
}
