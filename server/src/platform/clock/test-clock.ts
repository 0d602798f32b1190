import type pg from 'pg'
import { withSession } from '../database/session.ts'

const applicationName = 'prokura clock'

/** The statements that turn a database's clock into a test clock. */
export const testClockSql = `
  create table if not exists test_clock (singleton boolean primary key default true check (singleton), ahead interval not null);
  insert into test_clock (ahead) values ('0') on conflict do nothing;
  create or replace function prokura_now() returns timestamptz language sql stable parallel safe as
    $$ select statement_timestamp() + (select ahead from test_clock) $$;`

/**
 * Turns a database into one whose clock can be advanced: an offset row, and a clock function that adds it. It is never undone, and never
 * done to a database that serves people: rows that were written ahead of time would lie in the future.
 */
export async function installTestClock(url: string): Promise<void> {
  await withSession({ url, applicationName }, async (client) => {
    await client.query(testClockSql)
  })
}

/** Moves a test clock forward; null when the database has no test clock. */
export async function advanceTestClock(url: string, seconds: number): Promise<Date | null> {
  return withSession({ url, applicationName }, async (client) => {
    if (!(await hasTestClock(client))) return null
    await client.query(`update test_clock set ahead = ahead + make_interval(secs => $1)`, [seconds])
    const { rows } = await client.query<{ now: Date }>('select prokura_now() as now')
    return rows[0]?.now ?? null
  })
}

async function hasTestClock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('test_clock') is not null as found`,
  )
  return rows[0]?.found ?? false
}
