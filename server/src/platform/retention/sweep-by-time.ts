import { type Statement, statement } from '../../contract/statement.ts'
import { byAge, type Sweep, type Swept } from './sweep.ts'

type TimedRows = {
  readonly table: string
  /** The column that says since when nobody needs a row. */
  readonly since: string
  /** The key of a row, with account and mode where it is of one. */
  readonly key: string
  /** What it removes, in words. */
  readonly removes: string
}

/** Removes rows of a table some days after a moment that they tell. */
export function sweepByTime({ table, since, key, removes }: TimedRows): Sweep {
  const deleteOld = statement<Swept, { before: Date; limit: number }>(
    `sweep_${table}`,
    `/* tenantless: a sweep is of every account */
   with old as (
     select account_id, mode, ${key} from ${table} where ${since} < $before order by ${since} limit $limit for update skip locked
   ), gone as (
     delete from ${table} r using old o where r.account_id = o.account_id and r.mode = o.mode and r.${key} = o.${key}
       returning r.${since} as ended_at
   )
   select count(*)::int as rows, min(ended_at) as oldest from gone`,
  )
  return sweepBy(deleteOld, { table, removes })
}

/** The same of a table whose rows are of no account. */
export function sweepOfInstallation({ table, since, key, removes }: TimedRows): Sweep {
  const deleteOld = statement<Swept, { before: Date; limit: number }>(
    `sweep_${table}`,
    `/* tenantless: of the installation */
   with old as (
     select ${key} from ${table} where ${since} < $before order by ${since} limit $limit for update skip locked
   ), gone as (
     delete from ${table} r using old o where r.${key} = o.${key} returning r.${since} as ended_at
   )
   select count(*)::int as rows, min(ended_at) as oldest from gone`,
  )
  return sweepBy(deleteOld, { table, removes })
}

function sweepBy(
  deleteOld: (params: { before: Date; limit: number }) => Statement<Swept>,
  { table, removes }: Pick<TimedRows, 'table' | 'removes'>,
): Sweep {
  return {
    name: table,
    removes,
    keeps: 'finishedWorkDays',
    batches: (pools, before) => byAge(pools, (limit) => deleteOld({ before, limit })),
  }
}
