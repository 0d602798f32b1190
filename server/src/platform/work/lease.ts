import type { Mode } from '../../contract/context.ts'
import type { Id } from '../../core/id.ts'

/** What every claimed row says: whose it is, under which token it is held, and how often its step has failed since it last did not. */
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
  /** Milliseconds until the lease ends, counted from before the claim was sent; negative when it has ended. */
  remainingMs(): number
  /** Throws `LeaseLost` unless at least this much of the lease is left. Ask just before sending anything outside. */
  assertHeld(marginMs?: number): void
}

/** Somebody else may hold the row by now; whoever meets this writes nothing more. Not a failure of the step. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'

  constructor(message = 'the lease has ended or passed to somebody else') {
    super(message)
  }
}

/** The row that a fenced statement (`… and lease_token = $lease_token returning …`) answered; throws `LeaseLost` when it has none. */
export function expectHeld<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (row === undefined) throw new LeaseLost()
  return row
}

/** `claimedAtMs` is `performance.now()` from before the claim was sent: the database started the lease later than that. */
export function createLease(token: bigint, claimedAtMs: number, leaseSeconds: number): Lease {
  const endsAtMs = claimedAtMs + leaseSeconds * 1000
  const remainingMs = () => endsAtMs - performance.now()
  return {
    token,
    remainingMs,
    assertHeld(marginMs = 0) {
      if (remainingMs() <= marginMs) throw new LeaseLost()
    },
  }
}
