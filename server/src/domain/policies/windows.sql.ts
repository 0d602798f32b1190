import { statement } from '../../contract/statement.ts'
import type { Tenanted } from '../../platform/aggregate/aggregate.ts'
import { byAge, type Sweep, type Swept } from '../../platform/retention/sweep.ts'

/**
 * A column: of each interval the window of the policy `p` that was last used, as `CounterWindows`. Each is found by one probe of the key,
 * however many have ended.
 */
export const windowsOf = `(select coalesce(json_object_agg(w.interval, json_build_object('start', w.start, 'end', w.ends_at,
     'reserved', w.reserved::text, 'spent', w.spent::text, 'count', w.count)), '{}')
   from unnest('{day,week,month,year,all_time,created}'::text[]) as each(interval)
   cross join lateral (
     select * from policy_windows
     where account_id = $account_id and mode = $mode and policy_id = p.id and interval = each.interval
     order by start desc limit 1) w) as windows`

/** Says when windows end that run on after the zone of their policy has changed. Run it under the lock of the policy. */
export const endWindows = statement<
  never,
  Tenanted & { id: string; intervals: string[]; starts: string[]; ends: (Date | null)[] }
>(
  'end_policy_windows',
  `insert into policy_windows (account_id, mode, policy_id, interval, start, ends_at)
   select $account_id, $mode::mode, $id, n.interval, n.start, n.ends_at
   from unnest($intervals::text[], $starts::text[], $ends::timestamptz[]) as n(interval, start, ends_at)
   order by n.interval collate "C"
   on conflict (account_id, mode, policy_id, interval, start) do update set ends_at = excluded.ends_at`,
)

/** A window may take nearly twice its length where its policy has changed its zone. */
const deleteOldWindows = statement<Swept, { before: Date; limit: number }>(
  'sweep_policy_windows',
  `/* tenantless: a sweep is of every account */
   with old as (
     select account_id, mode, policy_id, interval, start from policy_windows
     where interval <> 'all_time' and start < to_char($before::timestamptz, 'YYYY-MM-DD') and reserved = 0
       and start::timestamptz < $before::timestamptz - case interval when 'year' then interval '2 years' when 'month' then interval '2 months'
         when 'week' then interval '2 weeks' else interval '2 days' end
     order by start limit $limit for update skip locked
   ), gone as (
     delete from policy_windows w using old o
     where w.account_id = o.account_id and w.mode = o.mode and w.policy_id = o.policy_id and w.interval = o.interval and w.start = o.start
     returning w.start
   )
   select count(*)::int as rows, min(start)::timestamptz as oldest from gone`,
)

/** Windows that have ended, long after the purchases in them were settled. */
export const sweepWindows: Sweep = {
  name: 'policy_windows',
  removes: 'ended windows of policies',
  keeps: 'finishedWorkDays',
  batches: (pools, before) => byAge(pools, (limit) => deleteOldWindows({ before, limit })),
}
