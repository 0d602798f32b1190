import type { ActingContext, Mode } from '../../contract/context.ts'
import type { Statement } from '../../contract/statement.ts'
import type { Faults } from '../faults/faults.ts'
import type { Log } from '../logs/logs.ts'
import type { StepFailure } from './lease.sql.ts'
import type { Claimed, Lease } from './lease.ts'
import type { ClaimTurn, Running } from './turns.ts'

/**
 * One kind of work: rows that are due and leased. The row is the job; its slice owns the statements, the worker owns the loop.
 * Statements compare times with `prokura_now()`.
 */
export type WorkKind<Row extends Claimed = Claimed> = {
  /** As in `ctx.tx.wake(kind)`. */
  readonly kind: string
  readonly leaseSeconds: number
  /** Steps that run at once in one process; those of one tenant take two thirds of it at most, so that others find some. */
  readonly concurrency: number
  /** Steps that have run for longer than this, so many at most, are not counted among those: others go on beside them. */
  readonly slow?: { readonly afterMs: number; readonly places: number }
  /** Of one account as many steps may be slow at once; more of its rows are given back until then. Default: any number. */
  readonly slowPerAccount?: number
  /** Rows claimed at once, at most; default 20 (never more than there are free places). */
  readonly batch?: number
  /** How long a row without a hint waits at most; default 500. */
  readonly pollMs?: number
  /** The rows that `claim` takes, where not every process has the means for all; with none, nothing is claimed. */
  readonly serves?: readonly Served[]
  /** It sees to its tenants' shares itself, and wakes itself when there is room for more. */
  readonly sharesOut?: boolean
  /** See `claimStatement`. `running` is what this process is working on. */
  claim(turn: ClaimTurn, running: readonly Running<Row>[]): Statement<Row>
  /** Gives an untouched row back: `lease_until = null`, compared with the token; due again after so many seconds. See `leaseStatements`. */
  release(row: Claimed, seconds?: number): Statement<unknown>
  /** After a step that threw: not due for this long, so that it does not spin, and one failure more; compared with the token. */
  postpone(row: Claimed, failure: StepFailure): Statement<unknown>
  /** After a step that did not throw, of a row whose steps before had: none of them counts any more; compared with the token. */
  recover(row: Claimed): Statement<unknown>
  /** Load, decide, call, decide, apply. It ends the lease itself, in its last write; what throws is postponed and tried again. */
  step(ctx: StepContext, row: Row): Promise<void>
}

/** Rows that need the same means: those of a mode, of a way of buying in it, or none at all. */
export type Served = { readonly mode?: Mode; readonly channel?: string }

/** What a step gets: the call's context without its one transaction, since a step commits before and after each external call. */
export type StepContext = Omit<ActingContext, 'tx'> & {
  readonly lease: Lease
  /** Aborts when the process stops: finish or leave, within six seconds. */
  readonly signal: AbortSignal
  readonly log: Log
  readonly faults: Faults
  /**
   * One transaction with events, as a call has it; its `now` is fresh. Run again after a deadlock or serialization failure, so it must
   * do nothing outside the database. Whatever it throws rolls back.
   */
  transaction<T>(work: (ctx: ActingContext) => Promise<T>): Promise<T>
  /** One statement that is a transaction by itself, and makes no events: a third of the round trips and statements. Run again likewise. */
  single<Row>(statement: Statement<Row>): Promise<Row[]>
}
