import type { Id, IdPrefix } from '../core/id.ts'
import type { EventType, MerchantDataOf, ObjectOf } from './event.ts'
import type { Limits, SlotName } from './limits.ts'
import type { Port } from './port.ts'
import type { Scope } from './scopes.ts'
import type { Statement } from './statement.ts'

export type Mode = 'test' | 'live'

/** Whose rows a call sees: fixed by its key, never by its arguments. */
export type Tenant = { readonly accountId: Id<'acct'>; readonly mode: Mode }

/** Who acts: written into every event and audit entry. Of a call with an API key it is the agent that the key belongs to. */
export type Actor =
  | { readonly type: 'api_key'; readonly id: Id<'agent'> }
  | { readonly type: 'destination'; readonly id: Id<'dest'> }
  | { readonly type: 'chat'; readonly id: Id<'chat'> }
  | { readonly type: 'system'; readonly id: string }
  | { readonly type: 'anonymous'; readonly id: null }

/** Single reads outside a transaction, on shared pipelined connections. */
export type Reads = {
  rows<Row>(statement: Statement<Row>): Promise<Row[]>
  /** The first row or null. */
  maybe<Row>(statement: Statement<Row>): Promise<Row | null>
}

/**
 * Reads of what another account has made as large as it is: a second each, on connections of which each owner has its share. Throws
 * `TookTooLong`, which says nothing about anybody else's data.
 */
export type Apart = <T>(owner: Tenant, work: (reads: Reads) => Promise<T>) => Promise<T>

/**
 * The one transaction of a call or a work step. It opens with the first awaited statement, and the writes queued by `write` and
 * the events queued by `emit` travel with COMMIT in one round trip; if nothing was awaited before them, plain inserts become one
 * statement without BEGIN. A thrown problem rolls everything back.
 */
export type Transaction = Reads & {
  /**
   * Queues a write. It runs, in order, with the commit. One that names what it `replaces` takes the place of an earlier one of that
   * name that has not been sent: both write the same row whole, so the earlier would be work for nothing.
   */
  write(statement: Statement<unknown>, replaces?: string): void
  /** Whether a write of this name has been queued and not been sent. */
  isQueued(name: string): boolean
  /** Queues an event, the record of a state change; deliveries, audit and streams follow from it. */
  emit<T extends EventType>(event: EventDraft<T>): void
  /**
   * After the commit, tells workers that rows of this kind of work may be due; at once where somebody waits for it. A hint: a lost one
   * costs a poll's time.
   */
  wake(kind: string, how?: { isAwaited: boolean }): void
}

/** Lanes of the relay: what somebody waits for, what follows, what is bulk. */
export type Lane = 'interactive' | 'normal' | 'bulk'

/** A state change, as its aggregate's owner sees it. Sequences are consecutive per aggregate and reserved on its locked row. */
export type EventDraft<T extends EventType = EventType> = {
  /** Fixed beforehand where another row of the same transaction refers to the event; else made at the commit. */
  readonly id?: Id<'evt'>
  readonly type: T
  readonly aggregateId: string
  readonly sequence: number
  /** The object after the change, rendered as REST renders it, without secrets. */
  readonly object: ObjectOf<T>
  readonly cartId?: Id<'cart'>
  /** Overrides the call's actor and tenant where a step acts on another account's row (a merchant answering a buyer's order). */
  readonly actor?: Actor
  readonly tenant?: Tenant
  /** Who else is told, by webhook: the account whose destinations are matched, and what they are sent under `data`. */
  readonly recipient?: { readonly accountId: Id<'acct'>; readonly data: MerchantDataOf<T> }
  readonly lane?: Lane
}

/** Sealing of what must not stand readable in a row: bound to what it is and whose. */
export type Sealer = {
  seal(plaintext: string, what: string, id: string): Buffer
  open(sealed: Buffer, what: string, id: string): string
  /** The keyed hash that tokens are stored and found by. */
  hashToken(token: string): Buffer
}

/** The part of the configuration that operations may depend on. */
export type Settings = {
  /** Where the API is reached from outside; never taken from a request. */
  readonly publicUrl: string
  /** Whether test mode may name loopback and plain-http targets. */
  readonly allowLoopback: boolean
  /** Whether live mode has a payment rail. */
  readonly livePayments: boolean
  /** Whether accounts share out the reserved domains of test mode, each counting as verified for whoever holds it. */
  readonly sharesTestDomains: boolean
  /** What one caller may do at most, so that nobody can stop everybody. */
  readonly limits: Limits
}

/** Listens from when it was opened on, so that nothing falls between a look and the wait for the next. */
export type Watch = {
  /** Resolves at once where something has happened since the last time, else when it does, the time is over, or the caller has gone. */
  next(timeoutMs: number): Promise<void>
  /** Since it was opened; by no clock that anybody could move. */
  elapsedMs(): number
  close(): void
}

/** What a handler gets besides its arguments. */
export type CallContext = {
  /** Whose rows this call may see. With `auth: 'optional'` and no key: live mode and no account of its own. */
  readonly tenant: Tenant
  readonly actor: Actor
  /** The key that was shown, which must still be live where money is released; null where there is none. */
  readonly keyId: Id<'key'> | null
  /** The one profile that the caller acts for: what is listed is its alone. Null: all of the account. */
  readonly profileId: Id<'prof'> | null
  readonly scopes: ReadonlySet<Scope>
  readonly requestId: Id<'req'>
  /** Database time at the start of the call, in milliseconds precision. */
  readonly now: Date
  readonly idempotencyKey: string | null
  newId<P extends IdPrefix>(prefix: P): Id<P>
  /** Random bytes; tests own them. */
  random(length: number): Uint8Array
  readonly reads: Reads
  readonly apart: Apart
  readonly tx: Transaction
  readonly sealer: Sealer
  readonly settings: Settings
  /** Aborts when the caller goes away or the server drains. It is made on use. It is no getter: one in the literal gives each context a shape of its own. */
  signal(): AbortSignal
  /** Whether the caller asked for server-sent events. */
  readonly acceptsStream: boolean
  /** 1, and one more each time the database had the call run again: a handler that counted on nothing changing had better not again. */
  readonly attempt: number
  /** Which of the operation's `downloads` the caller wants instead of JSON. */
  readonly accepts: string | null
  /**
   * Takes one of the places that the account and mode has at once, until this call, or the stream that it answers with, has ended. Throws
   * 429 where all are taken; so before anything is committed. Holding one twice takes one.
   */
  hold(limit: SlotName): void
  /** What the operation asks of the outside: one of its `outside.ports`. Its functions throw while the transaction is open. */
  port<T extends object>(port: Port<T>): T
  /** One statement in a transaction of its own, committed at once, whatever becomes of the call, and run once. */
  commitNow<Row>(statement: Statement<Row>): Promise<Row[]>
  /** Whether something has happened to an aggregate. To be closed by whoever opens it. */
  watch(aggregateId: string): Watch
  /**
   * Waits, holding no connection, until `probe` answers something: it asks at once, after every event of the aggregate, and now and then,
   * since a hint may be lost; null when the time is over or the caller has gone. A call that changes something waits in its reply's
   * `settle`, since nothing is committed before that.
   */
  waitFor<T>(
    aggregateId: string,
    timeoutMs: number,
    probe: () => Promise<T | null>,
    how?: HowToWait,
  ): Promise<T | null>
}

export type HowToWait = {
  /** For what this call has just committed: it does not ask at once. */
  readonly isFresh?: boolean
  /** How long it goes without a hint before it asks by itself. Default: soon at first, then every second, for merchants that have ten. */
  readonly quietMs?: number
}

/** What a domain function needs to change something, in a call as in a work step. */
export type ActingContext = Pick<
  CallContext,
  | 'tenant'
  | 'actor'
  | 'requestId'
  | 'now'
  | 'newId'
  | 'random'
  | 'reads'
  | 'apart'
  | 'tx'
  | 'sealer'
  | 'settings'
>
