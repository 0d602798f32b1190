import type { DeclaredStatement, Statement } from '../../contract/statement.ts'
import { statement } from '../../contract/statement.ts'
import type { Claimed } from './lease.ts'

type Key = { account_id: string; mode: string; id: string; lease_token: bigint }

/** What a claim is told. */
export type ClaimParams = { limit: number; lease_seconds: number }

const claimedColumns = ['account_id', 'mode', 'id', 'lease_token', 'step_failures'] as const

const isFree = 'due_at <= prokura_now() and (lease_until is null or lease_until <= prokura_now())'

/**
 * Claims what is due in such a table (see `leaseStatements`) and nobody holds, the longest due first, past rows that somebody else
 * is claiming at this moment; what refers to a claimed row goes on being written. `more`: columns that a step needs besides those of
 * every claim.
 */
export function claimStatement<Row extends Claimed>(
  table: string,
  more: readonly Exclude<keyof Row & string, keyof Claimed>[] = [],
): DeclaredStatement<Row, ClaimParams> {
  return claim(
    table,
    more,
    `select account_id, mode, id from ${table}
       where ${isFree}
       order by due_at limit $limit for no key update skip locked`,
  )
}

/**
 * The same for a table whose rows not every worker has the means for. `by` says what a row needs, each as a column or expression and
 * its type; the claim takes one array for each, and looks for every combination by itself, so that however much is due that this
 * worker cannot serve, it costs nothing. An index of those, then `due_at`, has to be there.
 */
export function claimByMeansStatement<Row extends Claimed, Means extends Record<string, readonly unknown[]>>(
  table: string,
  by: Readonly<Record<keyof Means & string, readonly [expression: string, type: string]>>,
  more: readonly Exclude<keyof Row & string, keyof Claimed>[] = [],
): DeclaredStatement<Row, ClaimParams & Means> {
  const needs = Object.entries<readonly [string, string]>(by)
  const arrays = needs.map(([name, [, type]]) => `$${name}::${type}[]`).join(', ')
  const names = needs.map(([name]) => name).join(', ')
  const matches = needs.map(([name, [expression]]) => `${expression} = means.${name}`).join(' and ')
  return claim(
    table,
    more,
    `select one.account_id, one.mode, one.id from unnest(${arrays}) as means (${names})
       cross join lateral (
         select account_id, mode, id, due_at from ${table}
         where ${matches} and ${isFree}
         order by due_at limit $limit for no key update skip locked) as one
       order by one.due_at limit $limit`,
  )
}

function claim<Row extends Claimed, Params extends ClaimParams>(
  table: string,
  more: readonly string[],
  due: string,
): DeclaredStatement<Row, Params> {
  return statement(
    `claim_due_${table}`,
    `/* tenantless: a claim scan; every row it returns names its tenant */
     update ${table} c set lease_token = c.lease_token + 1, lease_until = prokura_now() + make_interval(secs => $lease_seconds)
     from (
       ${due}
     ) as due
     where c.account_id = due.account_id and c.mode = due.mode and c.id = due.id
     returning ${[...claimedColumns, ...more].map((column) => `c.${column}`).join(', ')}`,
  )
}

/** What a step that threw leaves on its row: when it is tried again, and what is said about it. */
export type StepFailure = { readonly seconds: number; readonly error: string }

/**
 * What a worker writes of a row beside its steps, in a table with the usual columns: account_id, mode, id, due_at, lease_until,
 * lease_token, step_failures, step_failing_since, step_error. A failed step keeps its lease until it ends by itself, since what it sent
 * may still be on its way; `endLease` is for work that nobody can do twice to harm. Whoever has given the lease back, or passed it on,
 * has nothing to postpone. `recover`: the step has succeeded after others of the row had failed.
 */
export function leaseStatements(
  table: string,
  options: { endLease?: boolean } = {},
): {
  release(row: Claimed, seconds?: number): Statement<unknown>
  postpone(row: Claimed, failure: StepFailure): Statement<unknown>
  recover(row: Claimed): Statement<unknown>
} {
  const held = 'account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token'
  const ending = options.endLease ? 'lease_until = null, ' : ''
  const release = statement<never, Key & { seconds: number }>(
    `release_${table}`,
    `update ${table} set lease_until = null,
       due_at = case when $seconds::float8 > 0 then prokura_now() + make_interval(secs => $seconds::float8) else due_at end
     where ${held}`,
  )
  const postpone = statement<never, Key & StepFailure>(
    `postpone_${table}`,
    `update ${table} set ${ending}due_at = prokura_now() + make_interval(secs => $seconds), step_failures = step_failures + 1,
       step_failing_since = coalesce(step_failing_since, prokura_now()), step_error = $error
     where ${held} and lease_until is not null`,
  )
  const recover = statement<never, Key>(
    `recover_${table}`,
    `update ${table} set step_failures = 0, step_failing_since = null, step_error = null where ${held}`,
  )
  return {
    release: (row, seconds = 0) => release({ ...keyOf(row), seconds }),
    postpone: (row, failure) => postpone({ ...keyOf(row), ...failure }),
    recover: (row) => recover(keyOf(row)),
  }
}

function keyOf({ account_id, mode, id, lease_token }: Claimed): Key {
  return { account_id, mode, id, lease_token }
}
