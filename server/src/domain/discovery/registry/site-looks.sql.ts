import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { byAge, type Sweep, type Swept } from '../../../platform/retention/sweep.ts'
import type { FoundProtocol } from './found-protocol.ts'

type SiteLookRow = {
  host: string
  origin: string
  found: readonly FoundProtocol[]
  looked_at: Date
}

/** Looks that are good still. */
export const selectSiteLooks = statement<
  SiteLookRow,
  { account_id: Id<'acct'>; mode: Mode; hosts: readonly string[] }
>(
  'select_site_looks',
  `select host, origin, found, looked_at from site_looks
   where account_id = $account_id and mode = $mode and host = any($hosts::text[]) and good_until > prokura_now()`,
)

/** The last look counts. */
export const keepSiteLook = statement<
  never,
  { account_id: Id<'acct'>; mode: Mode; host: string; origin: string; found: string; good_seconds: number }
>(
  'keep_site_look',
  `insert into site_looks (account_id, mode, host, origin, found, looked_at, good_until)
   values ($account_id, $mode, $host, $origin, $found::jsonb, prokura_now(), prokura_now() + make_interval(secs => $good_seconds))
   on conflict (account_id, mode, host) do update
   set origin = excluded.origin, found = excluded.found, looked_at = excluded.looked_at, good_until = excluded.good_until`,
)

const deleteOldSiteLooks = statement<Swept, { before: Date; limit: number }>(
  'sweep_site_looks',
  `/* tenantless: a sweep is of every account */
   with old as (
     select account_id, mode, host from site_looks where good_until < $before
     order by good_until limit $limit for update skip locked
   ), gone as (
     delete from site_looks s using old o where s.account_id = o.account_id and s.mode = o.mode and s.host = o.host
     returning s.good_until
   )
   select count(*)::int as rows, min(good_until) as oldest from gone`,
)

/** What was seen at sites that nobody has added. */
export const sweepSiteLooks: Sweep = {
  name: 'site_looks',
  removes: 'looks at unknown sites',
  keeps: 'finishedWorkDays',
  batches: (pools, before) => byAge(pools, (limit) => deleteOldSiteLooks({ before, limit })),
}
