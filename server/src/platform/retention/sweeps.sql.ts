import { statement } from '../../contract/statement.ts'

/** Uses real time, not the database's test clock: a test clock that is moved ahead takes no lease away. */
export const claimSweeper = statement<{ holder: string }, { holder: string; lease_seconds: number }>(
  'claim_sweeper',
  // guard one-sweeper: one process sweeps at a time
  `/* tenantless: one process sweeps for every account */
   update sweeper set holder = $holder, lease_until = clock_timestamp() + make_interval(secs => $lease_seconds)
   where due_at <= clock_timestamp() and (lease_until <= clock_timestamp() or holder = $holder)
   returning holder`,
)

/** No row: the lease has ended, and another process has it. */
export const extendSweeper = statement<{ holder: string }, { holder: string; lease_seconds: number }>(
  'extend_sweeper',
  `/* tenantless: one process sweeps for every account */
   update sweeper set lease_until = clock_timestamp() + make_interval(secs => $lease_seconds)
   where holder = $holder and lease_until > clock_timestamp()
   returning holder`,
)

export const releaseSweeper = statement<never, { holder: string; wait_seconds: number }>(
  'release_sweeper',
  `/* tenantless: one process sweeps for every account */
   update sweeper set holder = null, lease_until = '-infinity', due_at = clock_timestamp() + make_interval(secs => $wait_seconds)
   where holder = $holder`,
)

/** Written before the first row is removed: a reader that misses a row of that age must not take it for lost. */
export const beginSweep = statement<never, { name: string; before: Date; now: Date }>(
  'begin_sweep',
  `/* tenantless: a sweep is of every account */
   insert into sweeps (name, swept_before, began_at) values ($name, $before, $now)
   on conflict (name) do update
   set swept_before = greatest(sweeps.swept_before, excluded.swept_before), began_at = excluded.began_at`,
)

export const endSweep = statement<never, { name: string; rows: number; oldest: Date | null; now: Date }>(
  'end_sweep',
  `/* tenantless: a sweep is of every account */
   update sweeps set ended_at = $now, rows = $rows, oldest = $oldest, rows_in_all = rows_in_all + $rows where name = $name`,
)

export type SweepRow = {
  name: string
  swept_before: Date
  began_at: Date
  ended_at: Date | null
  rows: bigint
  oldest: Date | null
  rows_in_all: bigint
}

export const selectSweeps = statement<SweepRow, Record<never, never>>(
  'select_sweeps',
  `/* tenantless: a sweep is of every account */
   select name, swept_before, began_at, ended_at, rows, oldest, rows_in_all from sweeps order by name`,
)

/** Rows older than this time may have been swept, for statements that miss them. */
export function sweptBefore(name: string): string {
  return `coalesce((select swept_before from sweeps where name = '${name}'), '-infinity')`
}
