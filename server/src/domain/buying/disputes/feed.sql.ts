import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { byAge, type Sweep, type Swept } from '../../../platform/retention/sweep.ts'
import { claimByMeansStatement, leaseStatements } from '../../../platform/work/lease.sql.ts'
import type { Claimed } from '../../../platform/work/lease.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }

export type ClaimedEventFeed = Claimed & { position: string | null }

export const eventFeedLeases = leaseStatements('rail_event_feeds')
export const claimEventFeeds = claimByMeansStatement<ClaimedEventFeed, { modes: readonly Mode[] }>(
  'rail_event_feeds',
  { modes: ['mode', 'mode'] },
  ['position'],
)

/** From now on there is something that can be disputed. */
export const beginEventFeeds = statement<
  never,
  { account_id: Id<'acct'>; modes: readonly Mode[]; id: string; now: Date }
>(
  'begin_rail_event_feeds',
  `insert into rail_event_feeds (account_id, mode, id, due_at)
   select $account_id, mode, $id, $now from unnest($modes::mode[]) as begun (mode)
   on conflict (account_id, mode, id) do nothing`,
)

/** By the worker that holds it: what was read is stored in the same transaction. */
export const lockHeldEventFeed = statement<{ id: string }, Tenanted & { id: string; lease_token: bigint }>(
  'lock_held_rail_event_feed',
  `select id from rail_event_feeds
   where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token for update`,
)

export const restEventFeed = statement<
  never,
  Tenanted & { id: string; position: string | null; seconds: number }
>(
  'rest_rail_event_feed',
  `update rail_event_feeds set position = $position, lease_until = null, due_at = prokura_now() + make_interval(secs => $seconds)
   where account_id = $account_id and mode = $mode and id = $id`,
)

/** Five days after no rail lists them any more, if the operator keeps reports of rails for as long as they are listed. */
const deleteOldEvents = statement<Swept, { before: Date; limit: number }>(
  'sweep_rail_events',
  `/* tenantless: a sweep is of every account_id */
   with old as (
     select mode, id from rail_events where received_at < $before::timestamptz - interval '5 days'
     order by received_at limit $limit for update skip locked
   ), gone as (
     delete from rail_events e using old o where e.mode = o.mode and e.id = o.id returning e.received_at
   )
   select count(*)::int as rows, min(received_at) as oldest from gone`,
)

export const sweepEvents: Sweep = {
  name: 'rail_events',
  removes: 'ids of events that payment rails have told of',
  keeps: 'messageDays',
  batches: (pools, before) => byAge(pools, (limit) => deleteOldEvents({ before, limit })),
}
