import type { Mode } from '../../contract/context.ts'
import type { Statement } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'

/**
 * A claim, and a look that finds out whether the claim would find a row: the same conditions, but it locks, orders and shares out nothing.
 * A kind whose claim brings no look is claimed at every poll.
 */
export type Claim<Row> = Statement<Row> & { readonly look?: Statement<Look> }
export type Look = { is_due: boolean }

/**
 * What every claimed row says: its tenant, the token under which it is held, and how often its step has failed since the last success.
 */
export type Claimed = {
  account_id: Id<'acct'>
  mode: Mode
  id: string
  lease_token: bigint
  step_failures: number
}

/** The right to work on a row, by this process's monotonic clock. */
export type Lease = {
  readonly token: bigint
  /** Milliseconds until the lease ends, counted from before the claim was sent; negative after its end. */
  remainingMs(): number
  /** Throws `LeaseLost` unless at least this much of the lease is left. Ask just before sending anything outside. */
  assertHeld(marginMs?: number): void
  /** It was renewed in the database: it lasts once more as long, from before that was sent (`performance.now()`). */
  renewed(sentAtMs: number): void
}

/** Another worker may hold the row, so the worker that gets this error writes nothing more. It is not a failure of the step. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'

  constructor(message = 'the lease has ended or passed to somebody else') {
    super(message)
  }
}

/** The row that a fenced statement (`… and lease_token = $lease_token returning …`) returned; throws `LeaseLost` when there is none. */
export function expectHeld<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  // guard lost-lease-throws: a fenced statement that finds no row stops its worker
  if (row === undefined) throw new LeaseLost()
  return row
}

/**
 * `claimedAtMs` is `performance.now()` from before the claim was sent: the database started the lease later than that. `onRenewed`: its
 * step has more time.
 */
export function createLease(
  token: bigint,
  claimedAtMs: number,
  leaseSeconds: number,
  onRenewed: () => void = () => undefined,
): Lease {
  let endsAtMs = claimedAtMs + leaseSeconds * 1000
  const remainingMs = () => endsAtMs - performance.now()
  return {
    token,
    remainingMs,
    assertHeld(marginMs = 0) {
      // guard lease-ends-in-the-process: a process knows that its lease is over before the database gives the row away
      if (remainingMs() <= marginMs) throw new LeaseLost()
    },
    renewed(sentAtMs) {
      endsAtMs = sentAtMs + leaseSeconds * 1000
      onRenewed()
    },
  }
}
