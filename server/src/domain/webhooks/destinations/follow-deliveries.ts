import type { Tenant } from '../../../contract/context.ts'
import type { Audience, EventCatalog, EventFacts } from '../../../contract/event.ts'
import type { Id } from '../../../core/id.ts'
import type {
  ActAtOnce,
  Follower,
  FollowTransaction,
  RelayedEvent,
} from '../../../platform/events/follower.ts'
import { deliveryWork } from './delivery.ts'
import { insertMatches, insertWaitingMatches, matchDestinations } from './follow-deliveries.sql.ts'
import { insertAtOnce } from './known-subscriptions.sql.ts'
import { SubscriptionsKnownHere } from './known-subscriptions.ts'

/** The name in the rows of its backlog. */
export const deliveriesFollower = 'deliveries'

/** Makes a delivery for every destination of an event's recipients that was subscribed to it when it was made. */
export function followDeliveries({ types }: EventCatalog): Follower {
  return {
    name: deliveriesFollower,
    async follow(tx, events) {
      await deliver(
        tx,
        events.flatMap((event) => toldOf(event, types.get(event.type))),
      )
    },
    atOnce: (pools) => deliverAtOnce(types, new SubscriptionsKnownHere(pools)),
  }
}

/** More than this many deliveries of one transaction are left to the relay, so that nobody waits for them. */
const atOnceMax = 16

/** Matches events with the subscriptions that are known here. An endpoint that has not confirmed is left to the relay. */
function deliverAtOnce(types: EventCatalog['types'], subscriptions: SubscriptionsKnownHere): ActAtOnce {
  return ({ events, newId }) => {
    const told = events.flatMap((event) => toldOf(event, types.get(event.type)))
    const known = new Map<string, { tenant: Tenant; version: bigint }>()
    const matches: Matched[] = []
    for (const one of told) {
      const tenant: Tenant = { accountId: one.accountId, mode: one.event.tenant.mode }
      const subscribed = subscriptions.of(tenant)
      if (subscribed === null) return null
      known.set(`${tenant.accountId}/${tenant.mode}`, { tenant, version: subscribed.version })
      const destinations = subscribed.destinations(one.audience, one.event.type)
      // guard confirmed-at-once: an endpoint that has not confirmed gets nothing at once
      if (destinations.some(({ isConfirmed }) => !isConfirmed)) return null
      matches.push(...destinations.map(({ id }) => ({ ...one, destinationId: id })))
      // guard few-at-once: nobody waits for more than sixteen deliveries
      if (matches.length > atOnceMax) return null
    }
    return {
      known: [...known.values()],
      write:
        matches.length === 0
          ? null
          : (outbox) => insertAtOnce({ ...outbox, ...deliveriesOf(matches, newId) }),
      into: ['deliveries', 'due_deliveries'],
      wakes: deliveryWork,
    }
  }
}

type Matched = Told & { destinationId: Id<'dest'> }

function deliveriesOf(matches: readonly Matched[], newId: FollowTransaction['newId']) {
  const columns = columnsOf(matches)
  return {
    delivery_account_ids: columns.account_ids,
    delivery_modes: columns.modes,
    delivery_ids: matches.map(() => newId('dlv')),
    destination_ids: matches.map(({ destinationId }) => destinationId),
    event_ids: columns.event_ids,
    event_account_ids: columns.event_account_ids,
    types: columns.types,
    delivery_aggregate_ids: columns.aggregate_ids,
    sequences: columns.sequences,
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
type Told = { event: RelayedEvent; audience: Audience; accountId: Id<'acct'> }

/** Both may be one account: then each of its audiences receives what concerns it. */
function toldOf(event: RelayedEvent, facts: EventFacts | undefined): Told[] {
  const told: Told[] = []
  // An event that somebody waits for has made its own delivery, to the destination that it asks.
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
