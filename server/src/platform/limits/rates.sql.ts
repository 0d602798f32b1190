import { statement } from '../../contract/statement.ts'

type Counter = { name: string; subject: string; now: Date; seconds: number }

/* The tenant, where there is one, is a part of the subject: some rates are counted over all tenants. */
const recent = `from unnest(c.taken) as t where t > $now::timestamptz - make_interval(secs => $seconds)`

/** The statements on counters of one form: the vault has a table of its own, because it reads none of the others. */
export type RateStatements = ReturnType<typeof ratesIn>

/** `prefix` tells the names of the statements apart. */
export function ratesIn(table: string, prefix = '') {
  return {
    /**
     * Counts one more, unless the limit was reached in the window: then it returns no row. The row stays locked until the transaction
     * ends, so that the next transaction sees this count.
     */
    take: statement<{ taken: number }, Counter & { limit: number }>(
      `take_from_${prefix}rate`,
      // guard rate-in-a-window: no more than the limit is counted in any window
      `/* tenantless: the subject names the tenant, where the rate has one */
   insert into ${table} as c (name, subject, taken, expires_at)
   values ($name, $subject, array[$now::timestamptz], $now::timestamptz + make_interval(secs => $seconds))
   on conflict (name, subject) do update set
     taken = array(select t ${recent} order by t) || excluded.taken,
     expires_at = greatest(c.expires_at, excluded.expires_at)
   where (select count(*) ${recent}) < $limit
   returning cardinality(c.taken) as taken`,
    ),
    /** When there is room again: when the oldest of the last `limit` leaves the window. */
    roomAt: statement<{ room_at: Date | null }, Counter & { limit: number }>(
      `select_room_of_${prefix}rate`,
      `/* tenantless: the subject names the tenant, where the rate has one */
   select (array(select t ${recent} order by t desc))[$limit] + make_interval(secs => $seconds) as room_at
   from ${table} c where c.name = $name and c.subject = $subject`,
    ),
    /** Removes a few that no longer count. It skips rows that others hold, so it waits for nobody. */
    sweep: statement<never, { now: Date; limit: number }>(
      `sweep_${prefix}rates`,
      `/* tenantless: what has expired is nobody's */
   delete from ${table} where ctid = any (array(
     select ctid from ${table} where expires_at < $now order by expires_at limit $limit for update skip locked
   ))`,
    ),
  }
}
