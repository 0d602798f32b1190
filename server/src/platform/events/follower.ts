import type { Actor, Reads, Tenant } from '../../contract/context.ts'
import type { Statement } from '../../contract/statement.ts'
import type { Id, IdPrefix } from '../../core/id.ts'
import type { Pools } from '../database/pool.ts'
import type { OutboxArrays } from './outbox.sql.ts'

/** An event as the audit chain takes it: the digest stands for everything else that it says. */
export type ChainedEvent = Pick<
  RelayedEvent,
  'id' | 'type' | 'tenant' | 'aggregateId' | 'sequence' | 'createdAt'
> & { readonly digest: Buffer }

/** An event as followers read it. `object` and `envelope` are its frozen bytes; parse them only where needed. */
export type RelayedEvent = {
  readonly id: Id<'evt'>
  readonly type: string
  /** The tenant that the event belongs to; a recipient of another account is in `recipientAccountId`, in the same mode. */
  readonly tenant: Tenant
  readonly aggregateId: string
  readonly sequence: number
  readonly cartId: string | null
  readonly actor: Actor
  readonly requestId: string
  readonly object: string
  readonly recipientAccountId: Id<'acct'> | null
  readonly envelope: string | null
  readonly createdAt: Date
  /** Whether somebody outside may listen to the tenant's own events: see `listenToTenant`. */
  readonly isHeard: boolean
  /** Whether the follower that acts at once has acted for it. */
  readonly isDelivered: boolean
}

/** The events of one transaction, while it is being committed. */
type EventsAtOnce = {
  readonly events: readonly RelayedEvent[]
  readonly now: Date
  newId<P extends IdPrefix>(prefix: P): Id<P>
}

/** What a follower writes in the transaction of the events, as long as what it knows is still so. */
type ActsAtOnce = {
  /** What it knows of each tenant that it was asked about. The statement that writes compares it. */
  readonly known: readonly { readonly tenant: Tenant; readonly version: bigint }[]
  /** Inserts what follows together with what is left to the relay; null where nothing follows. */
  readonly write: ((outbox: OutboxArrays) => Statement<unknown>) | null
  /** The tables that it inserts into. */
  readonly into: readonly string[]
  /** The kind of work that is due then. */
  readonly wakes: string
}

/** Null: it leaves these events to the relay. */
export type ActAtOnce = (given: EventsAtOnce) => ActsAtOnce | null

/**
 * The relay's transaction, as its followers see it. Each awaited statement costs the whole batch a round trip: use one for all events.
 */
export type FollowTransaction = Reads & {
  /** Queues a write; it is committed together with the batch, or not at all. */
  write(statement: Statement<unknown>): void
  /** After the commit, tells workers that rows of this kind of work may be due. */
  wake(kind: string): void
  readonly now: Date
  newId<P extends IdPrefix>(prefix: P): Id<P>
}

/**
 * Writes what follows from events, in the transaction that takes their rows out of the outbox: exactly once per event. Within an aggregate events
 * arrive in sequence, in one batch and from batch to batch. When a follower fails, the others go on without it. Its events are tried
 * again at growing intervals, each one after the earlier events of its aggregate have been handled.
 */
export type Follower = {
  /** It is stored in the rows of its backlog, so it must stay the same as a column must. */
  readonly name: string
  /** The event types that it handles; if missing, every event. It is called only when there is an event for it. */
  readonly types?: readonly string[]
  /** Nobody waits for what it does: an event that only it has to handle wakes no relay, and is taken with its next look, within a second. */
  readonly isPatient?: boolean
  follow(tx: FollowTransaction, events: readonly RelayedEvent[]): void | Promise<void>
  /** Where it can act in the transaction of the events already: opened once in each process. What it leaves, `follow` gets. */
  readonly atOnce?: (pools: Pick<Pools, 'read'>) => ActAtOnce
}
