import type { Audience, EventCatalog, EventFacts } from '../../../contract/event.ts'
import type { Follower, FollowTransaction, RelayedEvent } from '../../../platform/events/follower.ts'
import { deliveryWork } from './delivery.ts'
import { insertMatches, insertWaitingMatches, matchDestinations } from './follow-deliveries.sql.ts'

/** Stands in rows of what it is behind with. */
export const deliveriesFollower = 'deliveries'

/** Makes a delivery for every destination of those who are told of an event that was subscribed to it when it was made. */
export function followDeliveries({ types }: EventCatalog): Follower {
  return {
    name: deliveriesFollower,
    async follow(tx, events) {
      await deliver(
        tx,
        events.flatMap((event) => toldOf(event, types.get(event.type))),
      )
    },
  }
}

async function deliver(tx: FollowTransaction, told: readonly Told[]): Promise<void> {
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
}

/** An event on its way to one audience. */
type Told = { event: RelayedEvent; audience: Audience; accountId: string }

/** Both may be one account: then each of its audiences is told what concerns it. */
function toldOf(event: RelayedEvent, facts: EventFacts | undefined): Told[] {
  const told: Told[] = []
  // What somebody waits for has made its own delivery, to whom it asks.
  const hasOwn = facts?.isSentAtOnce === true || facts?.oneDestination !== undefined
  if (event.recipientAccountId !== null && !hasOwn)
    told.push({ event, audience: 'merchant', accountId: event.recipientAccountId })
  if (event.isHeard && facts?.buyer !== undefined)
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
