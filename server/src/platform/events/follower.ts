import type { Actor, Reads, Tenant } from '../../contract/context.ts'
import type { Statement } from '../../contract/statement.ts'
import type { Id, IdPrefix } from '../../core/id.ts'

/** An event as what follows from it reads it. `object` and `envelope` are its frozen bytes; parse them only where needed. */
export type RelayedEvent = {
  readonly id: Id<'evt'>
  readonly type: string
  /** Whose event it is; a recipient of another account is in `recipientAccountId`, in the same mode. */
  readonly tenant: Tenant
  readonly aggregateId: string
  readonly sequence: number
  readonly cartId: Id<'cart'> | null
  readonly actor: Actor
  readonly requestId: string
  readonly object: string
  readonly recipientAccountId: Id<'acct'> | null
  readonly envelope: string | null
  readonly createdAt: Date
  /** Whether somebody outside may want to be told the tenant's own events: see `listenToTenant`. */
  readonly isHeard: boolean
}

/** The relay's transaction, as its followers see it. Awaited statements cost the whole batch a round trip: one for all events. */
export type FollowTransaction = Reads & {
  /** Queues a write; it is committed together with the batch, or not at all. */
  write(statement: Statement<unknown>): void
  /** After the commit, tells workers that rows of this kind of work may be due. */
  wake(kind: string): void
  readonly now: Date
  newId<P extends IdPrefix>(prefix: P): Id<P>
}

/**
 * Writes what follows from events, in the transaction that takes their pointers away: exactly once per event. Within an aggregate
 * events come in sequence, over one batch and from batch to batch. A follower that fails is left behind with its events, which are
 * tried again later and later, each once what came before it in its aggregate has been followed; the others go on.
 */
export type Follower = {
  /** Stands in rows of what it is behind with: as lasting as a column. */
  readonly name: string
  /** The event types it wants; without, every event. Called only when there is one. */
  readonly types?: readonly string[]
  follow(tx: FollowTransaction, events: readonly RelayedEvent[]): void | Promise<void>
}
