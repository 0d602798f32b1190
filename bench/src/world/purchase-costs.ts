import { setTimeout as delay } from 'node:timers/promises'
import type { Counts } from '../benchmark.ts'
import type { World } from './world.ts'

/** An idle session of PostgreSQL reports its last transactions after ten seconds. */
const reportMs = 10_500

type Row = {
  statements: string
  own_statements: string
  transactions: string
  log_bytes: string
  stored_bytes: string
}

/**
 * Counts what the service has done in the database so far, without the statements of the bench itself. PostgreSQL does not count the
 * statements that begin and end transactions.
 */
export async function openCosts({ database }: World): Promise<() => Promise<Required<Counts>>> {
  await database.query('create extension if not exists pg_stat_statements')
  const read = async () => {
    const { rows } = await database.query<Row>(counted)
    const [row] = rows
    if (!row) throw new Error('the database counted nothing')
    return row
  }
  return async () => {
    const now = await read()
    await delay(reportMs)
    const reported = await read()
    // Each statement of an idle service is a transaction by itself, and so is each one of the bench.
    const meanwhile = Number(reported.statements) - Number(now.statements)
    return {
      statements: Number(now.statements),
      transactions: Number(reported.transactions) - meanwhile - Number(reported.own_statements),
      logBytes: Number(now.log_bytes),
      storedBytes: Number(now.stored_bytes),
    }
  }
}

const counted = `
  select s.*, d.xact_commit + d.xact_rollback as transactions, pg_current_wal_insert_lsn() - '0/0' as log_bytes,
    (select sum(pg_total_relation_size(relid)) from pg_stat_user_tables) as stored_bytes
  from pg_stat_database d cross join lateral (
    select sum(calls) filter (where userid <> r.oid) as statements, sum(calls) filter (where userid = r.oid) as own_statements
    from pg_stat_statements, pg_roles r where dbid = d.datid and r.rolname = current_user
  ) as s
  where d.datname = current_database()`
