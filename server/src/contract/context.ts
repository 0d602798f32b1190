import type { Id, IdPrefix } from '../core/id.ts'
import type { EventType, MerchantDataOf, ObjectOf } from './event.ts'
import type { PersonId, ProfileId } from './ids.ts'
import type { Limits, SlotName } from './limits.ts'
import type { Port } from './port.ts'
import type { Role, Scope, ScopeCatalog } from './scopes.ts'
import type { Statement } from './statement.ts'

export type Mode = 'test' | 'live'

/** The account and mode whose rows a call sees: fixed by its key, never by its arguments. */
export type Tenant = { readonly accountId: Id<'acct'>; readonly mode: Mode }

/** The party that acts: written into every event and audit entry. For a call with an API key it is the agent that the key belongs to. */
export type Actor = {
  [Type in keyof Actors]: { readonly type: Type; readonly id: Actors[Type] }
}[keyof Actors]

/** What names each type of actor. A slice whose objects act adds them here, by declaration merging in its `ids.ts`. */
export interface Actors {
  api_key: Id<'agent'>
  /** It says for whom the chat acts: see `chatActor`. */
  chat: `${Id<'chat'>} for ${Id<'agent'>}`
  /** The URL of its profile. */
  platform: string
  /** The person who uses a component, by the profile that it was opened for. */
  cardholder: ProfileId
  /** Somebody who has signed in. */
  person: PersonId
  /** How it names itself; null: it does not. Nothing proves it. */
  payer: string | null
  system: string
  anonymous: null
}

/** The component in a page that calls. */
export type ActingComponent = {
  /** Its session, by the hash of its token. */
  readonly hash: Buffer
  /** The origin of the page that it stands in. */
  readonly page: string
  /** Whether the integrator's server vouches for its page, by a client secret. */
  readonly isVouched: boolean
  /** The digest of the terms that it has shown; null: it approves nothing. */
  readonly terms: Buffer | null
}

/** How a person has signed in. */
export type SignIn = 'passkey' | 'invitation' | 'printed_link' | 'email_link' | 'provider'

/** The person whose session calls. */
export type ActingPerson = {
  readonly id: PersonId
  /** Their session, by the hash of its token. */
  readonly session: Buffer
  readonly role: Role
  readonly signedInBy: SignIn
  /** Whether the session has shown more than a link: nobody who only reads somebody's mail has such a one. */
  readonly isProven: boolean
}

/** What a person is shown before they confirm a call by a passkey. */
export type ShownTerms = Readonly<Record<string, unknown>>

/** Single reads outside a transaction, on shared pipelined connections. */
export type Reads = {
  rows<Row>(statement: Statement<Row>): Promise<Row[]>
  /** The first row or null. */
  maybe<Row>(statement: Statement<Row>): Promise<Row | null>
}

/**
 * Reads whose length depends on another account's data: a second each, on connections of which each owner has its share. Throws
 * `TookTooLong`, which says nothing about any other account's data.
 */
export type Apart = <T>(owner: Tenant, work: (reads: Reads) => Promise<T>) => Promise<T>

/**
 * The one transaction of a call or a work step. It opens with the first awaited statement, and the writes queued by `write` and the
 * events queued by `emit` travel with COMMIT in one round trip. If nothing was awaited before them, plain inserts become one statement
 * without BEGIN. A thrown problem rolls everything back.
 */
export type Transaction = Reads & {
  /**
   * Queues a write. It runs, in order, with the commit. A write with a name in `replaces` replaces an earlier one of that name that has
   * not been sent: both write the same whole row, so the earlier one would be useless.
   */
  write(statement: Statement<unknown>, replaces?: string): void
  /**
   * Reads that go ahead of what is queued, where a read otherwise sends it first: then all of it can travel with the commit. What is queued
   * for a table that the read names is sent first all the same. For reads by key, and for locks that may come before those of the writes.
   */
  readonly ahead: Reads
  /** Whether a write of this name is queued and has not been sent. */
  isQueued(name: string): boolean
  /** Queues an event, the record of a state change; deliveries, audit and streams follow from it. */
  emit<T extends EventType>(event: EventDraft<T>): void
  /**
   * After the commit, tells workers that rows of this kind of work may be due; at once where somebody waits for it. It is only a hint: a
   * lost one costs the time until the next poll.
   */
  wake(kind: string, how?: { isAwaited: boolean }): void
  /** After the commit, tells those who watch the aggregate to look again, as an event of it does. */
  notify(aggregateId: string): void
}

/** Lanes of the relay: events that somebody waits for, ordinary ones, and bulk. */
export type Lane = 'interactive' | 'normal' | 'bulk'

/** A state change, as its aggregate's owner sees it. Sequences are consecutive per aggregate and reserved on its locked row. */
export type EventDraft<T extends EventType = EventType> = {
  /** Fixed beforehand where another row of the same transaction refers to the event; otherwise made at the commit. */
  readonly id?: Id<'evt'>
  readonly type: T
  readonly aggregateId: string
  readonly sequence: number
  /** The object after the change, rendered as REST renders it, without secrets. */
  readonly object: ObjectOf<T>
  readonly cartId?: string
  /** Replaces the call's actor and tenant where a step acts on another account's row (a merchant that answers a buyer's order). */
  readonly actor?: Actor
  readonly tenant?: Tenant
  /** A further recipient, by webhook: the account whose destinations are matched, and the `data` that they receive. */
  readonly recipient?: { readonly accountId: Id<'acct'>; readonly data: MerchantDataOf<T> }
  readonly lane?: Lane
}

/** Seals values that must not be readable in a row; a sealed value is bound to its description and its owner. */
export type Sealer = {
  seal(plaintext: string, what: string, id: string): Buffer
  open(sealed: Buffer, what: string, id: string): string
  /** The keyed hash by which tokens are stored and found. */
  hashToken(token: string): Buffer
}

/** The part of the configuration that operations may depend on. */
export type Settings = {
  /** The public address of the API; never taken from a request. */
  readonly publicUrl: string
  /**
   * The origin of the frames of components, where these leave card numbers (null: nowhere), and whose passkeys theirs are (null: of its
   * host). Without it, this installation shows none.
   */
  readonly elements?: {
    readonly url: string
    readonly vaultUrl: string | null
    readonly rpId?: string | null
  }
  /** Where the payment processor takes the cards of live mode, and what its page loads for that. Without it, the vault takes them. */
  readonly cards?: {
    readonly url: string
    readonly script: string
    /** By directive of a Content-Security-Policy, the origins of the processor that it names. */
    readonly sources: {
      readonly script: readonly string[]
      readonly connect: readonly string[]
      readonly frame: readonly string[]
    }
  }
  /** Whether test mode may name loopback and plain-http targets. */
  readonly allowLoopback: boolean
  /** Whether live mode has a payment rail. */
  readonly livePayments: boolean
  /** By currency, the most that live mode spends in a day of UTC, in minor units; nothing is bought in others. */
  readonly liveCapDaily?: ReadonlyMap<string, bigint>
  /**
   * By mode, the network for which others issue the shared payment tokens that pay merchants here. A mode without one takes none.
   */
  readonly sharedTokenNetworks?: Readonly<Partial<Record<Mode, string>>>
  /**
   * Whether accounts divide the reserved domains of test mode among them, so that each counts as verified for the account that holds it.
   */
  readonly sharesTestDomains: boolean
  /** The limits of one caller, so that no caller can stop the others. */
  readonly limits: Limits
}

/** It listens from the moment when it was opened, so nothing is missed between a look and the next wait. */
export type Watch = {
  /**
   * Resolves at once if something has happened since the last call; otherwise when it happens, the time is over, or the caller has left.
   * Tells whether something has happened.
   */
  next(timeoutMs: number): Promise<boolean>
  /** Milliseconds since it was opened, by a clock that nobody can change. */
  elapsedMs(): number
  close(): void
}

/** What a handler gets besides its arguments. */
export type CallContext = {
  /** The account and mode whose rows this call may see. With `auth: 'optional'` and no key: live mode and no account of its own. */
  readonly tenant: Tenant
  /**
   * The account whose own things the caller sees before they are published: that of its secret key. No account for a caller without a key,
   * or with one that stands in a web page.
   */
  readonly viewer: Id<'acct'>
  readonly actor: Actor
  /** Whether the caller is of the account whose rows the call sees, and spends what that account may have. */
  readonly actsForAccount: boolean
  /** The key of the call, which must still be live where money is released; null where there is none. */
  readonly keyId: Id<'key'> | null
  /** The one profile that the caller acts for: lists contain only its objects. Null: every profile of the account. */
  readonly profileId: ProfileId | null
  /** The component whose session calls; null: nobody's page does. */
  readonly component: ActingComponent | null
  /** The person who has signed in and calls; null: a program does. */
  readonly person: ActingPerson | null
  /** The terms that the person has confirmed for this call; null: they were asked for nothing. */
  readonly confirmed: ShownTerms | null
  readonly scopes: ReadonlySet<Scope>
  readonly requestId: Id<'req'>
  /** Where the request comes from, as requests without a key are counted: an address, or of v6 its network. */
  readonly address: string
  /** Database time at the start of the call, in milliseconds precision. */
  readonly now: Date
  readonly idempotencyKey: string | null
  newId<P extends IdPrefix>(prefix: P): Id<P>
  /** Random bytes; tests have their own source. */
  random(length: number): Uint8Array
  readonly reads: Reads
  readonly apart: Apart
  readonly tx: Transaction
  readonly sealer: Sealer
  readonly settings: Settings
  /** The scopes of all slices: what keys may be given. */
  readonly scopeCatalog: ScopeCatalog
  /**
   * Aborts when the caller leaves or the server drains. It is made on use. It is a function, because a getter in the literal would give
   * each context a shape of its own.
   */
  signal(): AbortSignal
  /** Whether the caller asked for server-sent events. */
  readonly acceptsStream: boolean
  /**
   * 1, and one more each time the database made the call run again: a handler that relied on unchanged rows should not rely on them
   * again.
   */
  readonly attempt: number
  /** Which of the operation's `downloads` the caller accepts instead of JSON. */
  readonly accepts: string | null
  /**
   * Takes one of the places that the account and mode has at once, until this call, or the stream that it answers with, has ended. Throws
   * 429 where all are taken, so call it before anything is committed. Holding one place twice takes one.
   */
  hold(limit: SlotName): void
  /** One of the operation's `outside.ports`, to ask the outside. Its functions throw while the transaction is open. */
  port<T extends object>(port: Port<T>): T
  /** Runs one statement once, in a transaction of its own that is committed at once, even if the call fails later. */
  commitNow<Row>(statement: Statement<Row>): Promise<Row[]>
  /** Watches for events of an aggregate. The caller closes it. */
  watch(aggregateId: string): Watch
  /**
   * Waits, holding no connection, until `probe` returns something. It asks at once, after every event of the aggregate, and at intervals,
   * since a hint may be lost; null when the time is over or the caller has left. A call that changes something waits in its reply's
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
  /** For rows that this call has just committed: it does not ask at once. */
  readonly isFresh?: boolean
  /**
   * How many milliseconds it waits without a hint before it asks. Default: soon at first, then every second, for merchants that have ten.
   */
  readonly quietMs?: number
}

/** The parts of a context that a domain function needs to change something, in a call and in a work step alike. */
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
  | 'scopeCatalog'
>
