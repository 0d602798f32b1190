import type { ActingContext, Mode } from '../../contract/context.ts'
import type { Statement } from '../../contract/statement.ts'
import type { Faults } from '../faults/faults.ts'
import type { Log } from '../logs/logs.ts'
import type { StepFailure } from './lease.sql.ts'
import type { Claim, Claimed, Lease } from './lease.ts'
import type { ClaimTurn, Running } from './turns.ts'

/**
 * One kind of work: rows that are due and leased. The row is the job; its slice owns the statements, the worker owns the loop. Statements
 * compare times with `prokura_now()`.
 */
export type WorkKind<Row extends Claimed = Claimed> = {
  /** As in `ctx.tx.wake(kind)`. */
  readonly kind: string
  readonly leaseSeconds: number
  /** How many steps run at once in one process; those of one tenant take at most two thirds, so that others find some. */
  readonly concurrency: number
  /** Steps that have run longer than `afterMs` do not count among those, up to `places` of them: other steps begin beside them. */
  readonly slow?: { readonly afterMs: number; readonly places: number }
  /** How many steps of one account may be slow at once; further rows of it are given back until then. Default: any number. */
  readonly slowPerAccount?: number
  /** Rows claimed at once, at most; default 20 (never more than there are free places). */
  readonly batch?: number
  /** How many milliseconds a row without a hint waits at most; default 500. The worker looks as often as its most impatient kind asks. */
  readonly pollMs?: number
  /** The rows that `claim` takes, where not every process has the means for all of them; an empty list claims nothing. */
  readonly serves?: readonly Served[]
  /**
   * Whether its claims are `provisional` (see `Pools`). If the server then crashes, the row is claimed again under the same token, and the
   * first claimant may still be at work: only for steps that may be made twice.
   */
  readonly claimsProvisionally?: boolean
  /** Whether it divides its places among tenants itself, and wakes itself when there is room for more. */
  readonly sharesOut?: boolean
  /** See `claimStatement`. `running` are the rows that this process is working on. */
  claim(turn: ClaimTurn, running: readonly Running<Row>[]): Claim<Row>
  /**
   * Gives back a row whose step has not begun: `lease_until = null`, compared with the token; it is due again after this many seconds.
   * See `leaseStatements`.
   */
  release(row: Claimed, seconds?: number): Statement<unknown>
  /** After a step that threw: delays the row, so that it does not spin, and counts the failure; compared with the token. */
  postpone(row: Claimed, failure: StepFailure): Statement<unknown>
  /** After a step that succeeded, on a row whose earlier steps threw: clears their count; compared with the token. */
  recover(row: Claimed): Statement<unknown>
  /**
   * Load, decide, call, decide, apply. The step ends the lease itself, in its last write. A step that throws is postponed and tried
   * again.
   */
  step(ctx: StepContext, row: Row): Promise<void>
}

/** Rows that need the same means: rows of a mode, of a way of buying in it, or rows without needs. */
export type Served = { readonly mode?: Mode; readonly channel?: string }

/** What a step gets: the call's context without its one transaction, since a step commits before and after each external call. */
export type StepContext = Omit<ActingContext, 'tx'> & {
  readonly lease: Lease
  /** Aborts when the process stops: the step must finish or leave within six seconds. */
  readonly signal: AbortSignal
  readonly log: Log
  readonly faults: Faults
  /**
   * One transaction with events, as in a call; its `now` is fresh. It is run again after a deadlock or a serialization failure, so it
   * must do nothing outside the database. Anything that it throws rolls back. `root` is the object whose row it locks first, and to which
   * all rows belong that its other statements for many lock or write (`Statement.many`): named, it may run as one with transactions of
   * other roots.
   */
  transaction<T>(work: (ctx: ActingContext) => Promise<T>, root?: string): Promise<T>
  /**
   * One statement that is a transaction by itself and makes no events: a third of the round trips and statements. It may be run again as
   * well.
   */
  single<Row>(statement: Statement<Row>): Promise<Row[]>
  /** The same, `provisional` as in `Pools`: for what is done again where it is undone. */
  provisional<Row>(statement: Statement<Row>): Promise<Row[]>
}
