import type { Mode } from '../../contract/context.ts'
import { type DeclaredStatement, type Statement, statement } from '../../contract/statement.ts'
import type { Claim, Claimed, Look } from './lease.ts'
import type { ClaimTurn } from './turns.ts'

/** It makes claims that bring their looks. */
type DeclaredClaim<Row, Params> = ((params: Params) => Claim<Row>) &
  Pick<DeclaredStatement<Row, Params>, 'text' | 'row' | 'params'>

type Key = { account_id: string; mode: string; id: string; lease_token: bigint }

const claimedColumns = ['account_id', 'mode', 'id', 'lease_token', 'step_failures'] as const

/** What a row needs: for the name of each array of means, the column or expression that is compared with it, and its type. */
type By<Means> = Readonly<Record<keyof Means & string, readonly [expression: string, type: string]>>

type ClaimOptions = {
  /** Columns that a step needs besides those of every claim. */
  more: readonly string[]
  /** A condition on the due rows of `q` that may be claimed; empty: all. */
  only?: string
}

/**
 * Claims rows of such a table (see `leaseStatements`) that are due and that nobody holds: one row of each tenant in turn, and of each
 * tenant the longest due first. It skips rows that another worker is claiming at this moment, and rows that refer to a claimed row can
 * still be written. See `claim` for the columns and indexes that the table needs.
 */
export function claimStatement<Row extends Claimed>(
  table: string,
  more: readonly Exclude<keyof Row & string, keyof Claimed>[] = [],
  only = '',
): DeclaredClaim<Row, ClaimTurn> {
  return claim(table, { modes: ['mode', 'mode'] }, { more, only }, { modes: 'enum_range(null::mode)' })
}

/**
 * The same for a table whose rows need means that not every worker has. `by` says what a row needs. The claim takes one array for each
 * need and searches each combination by itself, so that due rows which this worker cannot serve cost nothing, however many there are.
 * `only` is a condition on the due rows of `q` that may be claimed, with parameters of its own: rows that it leaves out are looked at.
 */
export function claimByMeansStatement<
  Row extends Claimed,
  Means extends { modes: readonly Mode[] },
  Given extends object = Record<never, never>,
>(
  table: string,
  by: By<Means>,
  more: readonly Exclude<keyof Row & string, keyof Claimed>[] = [],
  only = '',
): DeclaredClaim<Row, ClaimTurn & Means & Given> {
  return claim(table, by, { more, only })
}

/** How many rows that became due by time alone one claim looks at, at most. */
const laterMax = 200

// guard rows-are-claimed-by-one: a purchase that one worker holds is left alone by others
const isFree = '(q.lease_until is null or q.lease_until <= prokura_now())'

/** Written as the indexes of claims have it; no other indexes have it. */
const dueAt = `coalesce(q.due_at, 'infinity')`

const isDue = `q.is_due and ${dueAt} <= prokura_now() and ${isFree}`
const hasComeDue = `not q.is_due and ${dueAt} <= prokura_now() and ${isFree}`

/**
 * Rows that were due when they were written (`is_due`, which a trigger keeps) are found by their tenant. The claim steps from tenant to
 * tenant that has work, beginning behind the last one that had its turn, and takes from each as many rows as there is room for. Rows that
 * became due by time are found by their time; those that are not taken are marked, and found by their tenant from then on. So the cost of
 * a claim follows what it takes, whatever one tenant has waiting, and however many rows wait for their time.
 *
 * The table has two indexes: `<what a row needs, mode first>, account_id, <dueAt>` for rows that are due, and `<what a row needs>,
 * <dueAt>` for the rest. Rows are updated by their `ctid`, right after they were locked; from an array of these the planner knows that
 * they are few.
 */
function claim<Row extends Claimed, Params extends ClaimTurn>(
  table: string,
  by: Readonly<Record<string, readonly [expression: string, type: string]>>,
  { more, only = '' }: ClaimOptions,
  given: Readonly<Record<string, string>> = {},
): DeclaredClaim<Row, Params> {
  const needs = Object.entries(by)
  const names = needs.map(([name]) => name)
  const arrays = needs.map(([name, [, type]]) => given[name] ?? `$${name}::${type}[]`).join(', ')
  // guard claims-by-means: a worker claims nothing that it has no means for
  const matches = (of: string) =>
    needs.map(([name, [expression]]) => `${expression} = ${of}.${name}`).join(' and ')
  const allowed = only === '' ? '' : ` and ${only}`
  const needsOf = (of: string) => names.map((name) => `${of}.${name}`).join(', ')
  const next = (of: string, isWrapped: string, bounds: string) =>
    `select q.account_id, ${isWrapped} as is_wrapped from ${table} q
       where ${matches(of)} and ${isDue}${allowed} and ${bounds} order by q.account_id limit 1`
  const room = (of: string) =>
    `coalesce(($rooms::jsonb ->> (${of}.mode || ' ' || ${of}.account_id))::int, $room::int)`
  const look = lookBy<Params>(table, { names, arrays, matches, allowed })
  const declared = statement<Row, Params>(
    `claim_due_${table}`,
    // guard claims-go-round: a place that comes free goes to the next tenant, not to the one that had the last
    // guard a-turn-each: every tenant has a turn before one has a second
    // guard nobody-is-stepped-over: a claim comes round to the tenants before the one that it began with
    // guard what-came-due-is-found: a row that is not claimed when it is due does not hold up rows that are due later
    // guard shares-are-kept: a claim gives a tenant no more places than there are for it
    `with recursive /* tenantless: a claim scan; every row it returns names its tenant */ means as (
     -- The ring of tenants begins behind the last that had its turn.
     select one.*, $after_account::text || case when one.modes > $after_mode::mode then '' else chr(1) end as start
     from unnest(${arrays}) as one (${names.join(', ')})
   ), visited as (
     (select ${needsOf('m')}, m.start, next.account_id, next.is_wrapped, 1 as visits from means m cross join lateral (
       (${next('m', 'false', 'q.account_id >= m.start')})
       union all (${next('m', 'true', 'q.account_id < m.start')})
       limit 1
     ) next)
     union all
     select ${needsOf('v')}, v.start, next.account_id, next.is_wrapped, v.visits + 1 from visited v cross join lateral (
       (${next('v', 'v.is_wrapped', `q.account_id > v.account_id and q.account_id < case when v.is_wrapped then v.start else '~' end`)})
       union all (${next('v', 'true', 'not v.is_wrapped and q.account_id < v.start')})
       limit 1
     ) next
     where v.visits < $visits::int
   ), tenants as (
     select *, count(*) over () as tenants from (
       select v.*, coalesce(($rooms::jsonb ->> (v.modes || ' ' || v.account_id))::int, $room::int) as room from visited v
     ) as seen where room > 0
   ), due as materialized (
     select one.* from tenants t cross join lateral (
       select q.ctid as row_at, q.account_id, q.mode, q.due_at from ${table} q
       where ${matches('t')} and q.account_id = t.account_id and ${isDue}${allowed}
       -- Half as many again as each tenant's share, so that those who have less leave nothing undone.
       order by ${dueAt} limit least(t.room, $limit::int,
         case when t.tenants < $limit::int then ($limit::int * 3 + t.tenants * 2 - 1) / (t.tenants * 2) else 1 end)
       for no key update skip locked
     ) as one
   ), come_due as materialized (
     select one.* from means m cross join lateral (
       select q.ctid as row_at, q.account_id, q.mode, q.due_at from ${table} q
       where ${matches('m')} and ${hasComeDue}${allowed}
       order by ${dueAt} limit ${laterMax} for no key update skip locked
     ) as one
   ), taken as materialized (
     select row_at from (
       select c.*, row_number() over (partition by c.account_id, c.mode order by c.due_at) as turn, ${room('c')} as room
       from (select * from due union all select * from come_due) as c
     ) as candidates
     where turn <= room
     order by turn, (account_id, mode) <= ($after_account::text, $after_mode::mode), account_id, mode limit $limit::int
   ), marked as (
     update ${table} c set is_due = true
     where c.ctid = any (array(select row_at from come_due except select row_at from taken))
   )
   update ${table} c set lease_token = c.lease_token + 1, lease_until = prokura_now() + make_interval(secs => $lease_seconds)
   where c.ctid = any (array(select row_at from taken))
   returning ${[...claimedColumns, ...more].map((column) => `c.${column}`).join(', ')}`,
  )
  return Object.assign((params: Params) => ({ ...declared(params), look: look(params) }), {
    text: declared.text,
  })
}

type Search = {
  names: readonly string[]
  arrays: string
  matches: (of: string) => string
  allowed: string
}

/** In the order of the indexes of claims, so that the planner takes these also where it thinks that many rows are due. */
function lookBy<Params extends Record<string, unknown>>(
  table: string,
  { names, arrays, matches, allowed }: Search,
): DeclaredStatement<Look, Params> {
  return statement<Look, Params>(
    `look_${table}`,
    `select /* tenantless: one answer about the rows of every tenant */ exists (
     select from unnest(${arrays}) as m (${names.join(', ')}) cross join lateral (
       (select 1 from ${table} q where ${matches('m')} and ${isDue}${allowed} order by q.account_id limit 1)
       union all (select 1 from ${table} q where ${matches('m')} and ${hasComeDue}${allowed} order by ${dueAt} limit 1)
     ) as one) as is_due`,
  )
}

/** What a step that threw leaves on its row: after how many seconds it is tried again, and its error. */
export type StepFailure = { readonly seconds: number; readonly error: string }

/**
 * What a worker writes on a row beside its steps, in a table with the usual columns: account_id, mode, id, due_at, lease_until,
 * lease_token, step_failures, step_failing_since, step_error. A failed step keeps its lease until the lease ends, since a call that it
 * sent may still be on its way; `endLease` is for work that does no harm when it is done twice. A worker that has given the lease back,
 * or passed it on, has nothing to postpone. `recover`: the step has succeeded after earlier steps of the row had failed.
 */
export function leaseStatements(
  table: string,
  options: { endLease?: boolean } = {},
): {
  release(row: Claimed, seconds?: number): Statement<unknown>
  postpone(row: Claimed, failure: StepFailure): Statement<unknown>
  recover(row: Claimed): Statement<unknown>
  /** Holds the row for so long again; no row is returned where somebody else holds it by now. */
  renew(
    row: Pick<Claimed, 'account_id' | 'mode' | 'id' | 'lease_token'>,
    seconds: number,
  ): Statement<{ id: string }>
} {
  // guard postpone-under-the-lease: a worker that lost a row does not change when it is due
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
    // guard failures-are-counted: a step that fails again and again is seen
    // guard failing-since-the-first-failure: an hour of failure is an hour, however often it was tried
    `update ${table} set ${ending}due_at = prokura_now() + make_interval(secs => $seconds), step_failures = step_failures + 1,
       step_failing_since = coalesce(step_failing_since, prokura_now()), step_error = $error
     where ${held} and lease_until is not null`,
  )
  const recover = statement<never, Key>(
    `recover_${table}`,
    `update ${table} set step_failures = 0, step_failing_since = null, step_error = null where ${held}`,
  )
  const renew = statement<{ id: string }, Key & { seconds: number }>(
    `renew_${table}`,
    `update ${table} set lease_until = prokura_now() + make_interval(secs => $seconds) where ${held} and lease_until is not null
     returning id`,
  )
  return {
    renew: ({ account_id, mode, id, lease_token }, seconds) =>
      renew({ account_id, mode, id, lease_token, seconds }),
    release: (row, seconds = 0) => release({ ...keyOf(row), seconds }),
    postpone: (row, failure) => postpone({ ...keyOf(row), ...failure }),
    recover: (row) => recover(keyOf(row)),
  }
}

function keyOf({ account_id, mode, id, lease_token }: Claimed): Key {
  return { account_id, mode, id, lease_token }
}
