import type { DeclaredStatement, Statement } from '../../contract/statement.ts'
import { statement } from '../../contract/statement.ts'
import type { Claimed } from './lease.ts'

type Key = { account_id: string; mode: string; id: string; lease_token: bigint }

/**
 * Claims what is due in such a table (see `leaseStatements`) and nobody holds, the longest due first, past rows that somebody else
 * is claiming at this moment; what refers to a claimed row goes on being written. `more`: columns that a step needs besides those of
 * every claim.
 */
export function claimStatement<Row extends Claimed>(
  table: string,
  more: readonly Exclude<keyof Row & string, keyof Claimed>[] = [],
): DeclaredStatement<Row, { limit: number; lease_seconds: number }> {
  const columns = ['account_id', 'mode', 'id', 'lease_token', ...more].map((column) => `c.${column}`)
  return statement(
    `claim_due_${table}`,
    `/* tenantless: a claim scan; every row it returns names its tenant */
     update ${table} c set lease_token = c.lease_token + 1, lease_until = prokura_now() + make_interval(secs => $lease_seconds)
     from (
       select account_id, mode, id from ${table}
       where due_at <= prokura_now() and (lease_until is null or lease_until <= prokura_now())
       order by due_at limit $limit for no key update skip locked
     ) as due
     where c.account_id = due.account_id and c.mode = due.mode and c.id = due.id
     returning ${columns.join(', ')}`,
  )
}

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
