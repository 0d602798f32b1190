import type { Statement } from '../../contract/statement.ts'
import { statement } from '../../contract/statement.ts'
import type { Claimed } from './lease.ts'

type Key = { account_id: string; mode: string; id: string; lease_token: bigint }

/**
 * The `release` and `postpone` of a table with the usual columns: account_id, mode, id, due_at, lease_until, lease_token. A failed step
 * keeps its lease until it ends by itself, since what it sent may still be on its way; `endLease` is for work that nobody can do twice
 * to harm. Whoever has given the lease back, or passed it on, has nothing to postpone.
 */
export function leaseStatements(
  table: string,
  options: { endLease?: boolean } = {},
): {
  release(row: Claimed): Statement<unknown>
  postpone(row: Claimed, seconds: number): Statement<unknown>
} {
  const held = 'account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token'
  const ending = options.endLease ? 'lease_until = null, ' : ''
  const release = statement<never, Key>(
    `release_${table}`,
    `update ${table} set lease_until = null where ${held}`,
  )
  const postpone = statement<never, Key & { seconds: number }>(
    `postpone_${table}`,
    `update ${table} set ${ending}due_at = prokura_now() + make_interval(secs => $seconds)
     where ${held} and lease_until is not null`,
  )
  return {
    release: (row) => release(keyOf(row)),
    postpone: (row, seconds) => postpone({ ...keyOf(row), seconds }),
  }
}

function keyOf({ account_id, mode, id, lease_token }: Claimed): Key {
  return { account_id, mode, id, lease_token }
}
