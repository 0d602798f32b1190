import type { Mode } from '../../contract/context.ts'
import { statement } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'
import { hasSubscribers, type PackedEvent, packedColumns } from './relay.sql.ts'

/** An event that one follower still has to handle. */
export type BacklogEvent = PackedEvent & {
  follower: string
  tries: number
  /** The previous event of the same follower and aggregate, if it waits too. */
  before_sequence: number | null
  /** Whether a person asked for it. */
  is_hurried: boolean
  is_heard: boolean
}

/** Columns of the rows, one array each. */
export type BacklogArrays = {
  followers: string[]
  account_ids: string[]
  modes: string[]
  aggregate_ids: string[]
  sequences: number[]
}

type Held = { shard: number; epoch: bigint }

/**
 * Puts events aside for their followers to handle later. The earliest event that waits for the same follower and aggregate also decides
 * when the others are tried.
 */
export const insertBacklog = statement<
  never,
  BacklogArrays & { shard: number; event_ids: string[]; now: Date }
>(
  'relay_insert_backlog',
  `insert into follower_backlog (shard, follower, account_id, mode, aggregate_id, sequence, event_id, behind_since, due_at)
   select $shard::smallint, m.follower, m.account_id, m.mode, m.aggregate_id, m.sequence, m.event_id, $now::timestamptz, coalesce((
     select max(b.due_at) from follower_backlog b
     where b.shard = $shard and b.follower = m.follower and b.account_id = m.account_id and b.mode = m.mode
       and b.aggregate_id = m.aggregate_id
   ), $now::timestamptz)
   from unnest($followers::text[], $account_ids::text[], $modes::mode[], $aggregate_ids::text[], $sequences::int[], $event_ids::text[])
     as m (follower, account_id, mode, aggregate_id, sequence, event_id)`,
)

/** Whether any follower is behind in the shard. */
export const selectIsBehind = statement<{ is_behind: boolean }, { shard: number }>(
  'relay_select_is_behind',
  `/* tenantless: the relay serves every tenant of its shard */
   select (select due_at from follower_backlog where shard = $shard order by due_at limit 1) is not null as is_behind`,
)

/** Which of these aggregates have events that wait, and for which follower. */
export const selectDetained = statement<
  { follower: string; account_id: Id<'acct'>; mode: Mode; aggregate_id: string },
  Omit<BacklogArrays, 'sequences'> & { shard: number }
>(
  'relay_select_detained',
  `select f.follower, a.account_id, a.mode, a.aggregate_id
   from unnest($followers::text[]) as f (follower)
   cross join unnest($account_ids::text[], $modes::mode[], $aggregate_ids::text[]) as a (account_id, mode, aggregate_id)
   where exists (
     select from follower_backlog b
     where b.shard = $shard and b.follower = f.follower and b.account_id = a.account_id and b.mode = a.mode
       and b.aggregate_id = a.aggregate_id
   )`,
)

/**
 * The due events of these followers, and the events that a person asked for, of any follower that is known; each aggregate in sequence.
 */
export const selectDue = statement<
  BacklogEvent,
  { shard: number; known: string[]; followers: string[]; now: Date; limit: number }
>(
  'relay_select_due',
  `/* tenantless: the relay serves every tenant of its shard */
   select b.follower, b.tries, b.due_at = '-infinity' as is_hurried, ${packedColumns}, listener.is_heard is not null as is_heard, (
     select max(p.sequence) from follower_backlog p
     where p.shard = $shard and p.follower = b.follower and p.account_id = b.account_id and p.mode = b.mode
       and p.aggregate_id = b.aggregate_id and p.sequence < b.sequence
   ) as before_sequence
   from (
     select * from follower_backlog
     where shard = $shard and due_at <= $now and follower = any ($known) and (follower = any ($followers) or due_at = '-infinity')
     order by due_at, follower, account_id, mode, aggregate_id, sequence limit $limit
   ) as b
   join events e on e.account_id = b.account_id and e.mode = b.mode and e.aggregate_id = b.aggregate_id and e.sequence = b.sequence
   ${hasSubscribers}
   order by b.due_at, b.follower, b.account_id, b.mode, b.aggregate_id, b.sequence`,
)

const backlogList = `unnest($followers::text[], $account_ids::text[], $modes::mode[], $aggregate_ids::text[], $sequences::int[])
     as m (follower, account_id, mode, aggregate_id, sequence)`

/**
 * Removes rows whose follower has handled the event, if this epoch still holds the shard. It returns since when the follower had failed,
 * so that the end of a reported failure can be reported too.
 */
export const takeBacklog = statement<
  { event_id: Id<'evt'>; tries: number; failing_since: Date | null; tried_at: Date | null },
  BacklogArrays & Held
>(
  'relay_take_backlog',
  // guard late-epoch: a relay that lost its shard while it caught up writes nothing
  `with held as (
     select shard from outbox_shards where shard = $shard and epoch = $epoch for share
   )
   delete from follower_backlog b using ${backlogList}, held
   where b.shard = held.shard and b.follower = m.follower and b.account_id = m.account_id and b.mode = m.mode
     and b.aggregate_id = m.aggregate_id and b.sequence = m.sequence
   returning b.event_id, b.tries, b.failing_since, b.tried_at`,
)

type Failure = {
  tries: number
  failing_since: Date
  /** When it was tried before; null at the first try. */
  tried_before: Date | null
  /** Whether this try parked it. */
  is_newly_parked: boolean
}

/**
 * Counts a failed try and sets the time of the next one; every event behind it waits as long. An event that has failed for too long is
 * parked: from then on it is tried now and then.
 */
export const countFailure = statement<
  Failure,
  Held & {
    follower: string
    account_id: string
    mode: string
    aggregate_id: string
    sequence: number
    error: string
    now: Date
    due_at: Date
    parks_after_seconds: number
    parked_due_at: Date
  }
>(
  'relay_count_failure',
  // guard behind-waits-for-its-head: events behind one that fails wait as long as it does
  // guard parked-after-hours: an event that has failed for hours is named as parked
  `with held as (
     select shard from outbox_shards where shard = $shard and epoch = $epoch for share
   ), before as (
     select b.tries, b.tried_at, b.parked_at, coalesce(b.failing_since, $now::timestamptz) as failing_since,
       coalesce(b.failing_since, $now::timestamptz) <= $now::timestamptz - make_interval(secs => $parks_after_seconds::float8) as parks
     from follower_backlog b, held
     where b.shard = held.shard and b.follower = $follower and b.account_id = $account_id and b.mode = $mode
       and b.aggregate_id = $aggregate_id and b.sequence = $sequence
   ), counted as (
     update follower_backlog b set
       due_at = case when f.parks then $parked_due_at::timestamptz else $due_at::timestamptz end,
       tries = case when b.sequence = $sequence then b.tries + 1 else b.tries end,
       failing_since = case when b.sequence = $sequence then f.failing_since else b.failing_since end,
       tried_at = case when b.sequence = $sequence then $now::timestamptz else b.tried_at end,
       last_error = case when b.sequence = $sequence then $error else b.last_error end,
       parked_at = case when b.sequence = $sequence and f.parks then coalesce(b.parked_at, $now::timestamptz) else b.parked_at end
     from before f, held
     where b.shard = held.shard and b.follower = $follower and b.account_id = $account_id and b.mode = $mode
       and b.aggregate_id = $aggregate_id and b.sequence >= $sequence
   )
   select f.tries + 1 as tries, f.failing_since, f.tried_at as tried_before, f.parks and f.parked_at is null as is_newly_parked
   from before f`,
)

/**
 * A follower that fails at everything is tried only now and then, so most of its events wait untried. These are parked by the time that
 * they have waited.
 */
export const parkUntried = statement<
  { account_id: Id<'acct'>; mode: Mode; aggregate_id: string; event_id: Id<'evt'> },
  Held & { follower: string; now: Date; parks_after_seconds: number; limit: number }
>(
  'relay_park_untried',
  `/* tenantless: the relay serves every tenant of its shard */
   update follower_backlog b set parked_at = $now
   from (
     select u.follower, u.account_id, u.mode, u.aggregate_id, u.sequence from follower_backlog u
     join outbox_shards s on s.shard = u.shard and s.epoch = $epoch
     where u.shard = $shard and u.follower = $follower and u.tries = 0 and u.parked_at is null
       and u.behind_since <= $now::timestamptz - make_interval(secs => $parks_after_seconds::float8)
     limit $limit
   ) as late
   where b.shard = $shard and b.follower = late.follower and b.account_id = late.account_id and b.mode = late.mode
     and b.aggregate_id = late.aggregate_id and b.sequence = late.sequence
   returning b.account_id, b.mode, b.aggregate_id, b.event_id`,
)

/** A follower that had failed at everything works again: events that wait for their next try are tried at once. */
export const hastenFollower = statement<never, Held & { follower: string; now: Date }>(
  'relay_hasten_follower',
  `/* tenantless: the relay serves every tenant of its shard */
   update follower_backlog b set due_at = $now
   from outbox_shards s
   where s.shard = $shard and s.epoch = $epoch and b.shard = $shard and b.follower = $follower and b.due_at > $now`,
)

export type BehindState = 'waiting' | 'failing' | 'parked'

const stateOf = (parked: string, tries: string) =>
  `case when ${parked} is not null then 'parked' when ${tries} > 0 then 'failing' else 'waiting' end`

/** How far behind each follower is. */
export const countBehind = statement<
  { follower: string; state: BehindState; events: number; oldest_seconds: number },
  Record<never, never>
>(
  'relay_count_behind',
  `/* tenantless: an operator's view */
   select follower, ${stateOf('parked_at', 'tries')} as state, count(*)::float8 as events,
     extract(epoch from prokura_now() - min(behind_since))::float8 as oldest_seconds
   from follower_backlog group by follower, state order by follower, state`,
)

/** What one follower has not handled of one aggregate, and the event that it fails at or waits with. */
export type BehindAggregate = {
  follower: string
  account_id: Id<'acct'>
  mode: Mode
  aggregate_id: string
  /** How many events it has not handled: the first one and all behind it. */
  events: number
  event_id: Id<'evt'>
  event_type: string | null
  state: BehindState
  behind_since: Date
  failing_since: Date | null
  parked_at: Date | null
  tries: number
  last_error: string | null
  /** How many aggregates are in this state, counted beyond any limit. */
  of_aggregates: number
}

/** The aggregates that followers are behind with, the oldest first. */
export const selectBehind = statement<BehindAggregate, { states: BehindState[]; limit: number }>(
  'relay_select_behind',
  `/* tenantless: an operator's view */
   select f.follower, f.account_id, f.mode, f.aggregate_id, f.events, f.event_id, e.type as event_type, f.state, f.behind_since,
     f.failing_since, f.parked_at, f.tries, f.last_error, (count(*) over ())::int as of_aggregates
   from (
     select distinct on (b.follower, b.account_id, b.mode, b.aggregate_id) b.*, ${stateOf('b.parked_at', 'b.tries')} as state,
       (count(*) over (partition by b.follower, b.account_id, b.mode, b.aggregate_id))::int as events
     from follower_backlog b
     order by b.follower, b.account_id, b.mode, b.aggregate_id, b.sequence
   ) as f
   left join events e on e.account_id = f.account_id and e.mode = f.mode and e.aggregate_id = f.aggregate_id and e.sequence = f.sequence
   where f.state = any ($states)
   order by f.behind_since, f.event_id, f.follower limit $limit`,
)

/** Makes waiting events due at once. For an event that waits behind another one, that other one is tried. */
export const hurryBacklog = statement<
  { follower: string; account_id: Id<'acct'>; mode: Mode; aggregate_id: string; event_id: Id<'evt'> },
  { shard: number; account_id: string; mode: string; event_ids: string[] }
>(
  'relay_hurry_backlog',
  `update follower_backlog b set due_at = '-infinity', parked_at = null
   from (
     select distinct follower, aggregate_id from follower_backlog
     where account_id = $account_id and mode = $mode and event_id = any ($event_ids)
   ) as asked
   where b.shard = $shard and b.follower = asked.follower and b.account_id = $account_id and b.mode = $mode
     and b.aggregate_id = asked.aggregate_id
   returning b.follower, b.account_id, b.mode, b.aggregate_id, b.event_id`,
)

/** The tenants whose events followers are behind with. */
export const selectBehindTenants = statement<
  { account_id: Id<'acct'>; mode: Mode; event_ids: Id<'evt'>[] },
  { event_ids: readonly string[] | null }
>(
  'relay_select_behind_tenants',
  `/* tenantless: an operator names events of anybody */
   select account_id, mode, array_agg(distinct event_id) as event_ids from follower_backlog
   where $event_ids::text[] is null or event_id = any ($event_ids) group by account_id, mode order by account_id, mode`,
)
