import type { Mode } from '../../../contract/context.ts'
import type { Audience } from '../../../contract/event.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { sql } from '../../../platform/database/fragment.ts'
import { storedEvents } from '../../../platform/events/reads.sql.ts'

/** A delivery that is ours to attempt, with everything the attempt needs. */
export type ClaimedDelivery = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'dlv'>
  /** Its place in the table, for as long as nothing else changes it. */
  row_at: string
  lease_token: bigint
  step_failures: number
  destination_id: Id<'dest'>
  event_id: Id<'evt'>
  event_account_id: Id<'acct'>
  event_type: string
  aggregate_id: string
  attempt_count: number
  series_from: number
  created_at: Date
  endpoint_url: string
  audience: Audience
  responds_to_quotes: boolean
  event_types: string[]
  /** Whether the endpoint has ever answered, and how often it was changed before. */
  confirmed: boolean
  endpoint_changes: number
  event_created_at: Date
  /** What is sent, or what it is made of. */
  envelope: string | null
  object: string | null
  /** Those that sign, oldest first, each as its position and its sealed bytes: `1:5f0a… 2:77c1…`. */
  secrets: string
}

/** Retries whose time has come, looked at by one claim at most. */
const laterMax = 500

/**
 * Steps from destination to destination that has something to do now, and takes from each what it has room for: a dead endpoint
 * with a million deliveries costs the others one probe, and those that wait for a later attempt cost nothing. Retries are found by their
 * time; those that are not taken when it comes are marked, and found by their destination from then on, as `claimStatement` does it. `busy` is how many of its deliveries this process has under way, by
 * destination, and `held` how many places they take, by account; whoever has least comes first. An account never takes more than two
 * thirds of the places that it finds, so that all endpoints of one can hang and others still find some. No destination gets more than
 * an equal share of the limit and one, so that few are looked at in vain; only those that are taken are locked. The first attempt of an
 * event waits until the events before it on the same aggregate have had theirs.
 */
export const claimDeliveries = statement<
  ClaimedDelivery,
  {
    limit: number
    lease_seconds: number
    room: number
    room_failing: number
    /** Places of this process that are free. */
    free: number
    /** JSON, so that a destination is found in it without walking through it. */
    busy: string
    held: string
  }
>(
  'claim_deliveries',
  sql`with recursive /* tenantless: the worker serves every account */ ready as (
     (select account_id, mode, destination_id from deliveries where is_due order by account_id, mode, destination_id limit 1)
     union all
     select next.account_id, next.mode, next.destination_id from ready
     cross join lateral (
       select v.account_id, v.mode, v.destination_id from deliveries v
       where v.is_due and (v.account_id, v.mode, v.destination_id) > (ready.account_id, ready.mode, ready.destination_id)
       order by v.account_id, v.mode, v.destination_id limit 1
     ) next
   ), come_due as materialized (
     select ctid as row_at, account_id, mode, destination_id from deliveries
     where not is_due and coalesce(due_at, 'infinity') <= prokura_now() and (lease_until is null or lease_until <= prokura_now())
     order by coalesce(due_at, 'infinity') limit ${String(laterMax)} for no key update skip locked
   ), open as (
     select account_id, mode, destination_id from ready
     union
     select account_id, mode, destination_id from come_due
   ), places as (
     select open.account_id, open.mode, open.destination_id, d.audience, d.endpoint_url, d.responds_to_quotes, d.event_types,
       d.confirmed_at is not null as confirmed, d.endpoint_changes,
       coalesce(($busy::jsonb ->> open.destination_id)::int, 0) as under_way,
       coalesce(($held::jsonb ->> open.account_id)::int, 0) as held,
       case when d.failing_since is null then $room::int else $room_failing::int end as room
     from open
     join webhook_destinations d on d.account_id = open.account_id and d.mode = open.mode and d.id = open.destination_id
     where d.status = 'enabled'
   ), roomy as (
     select *, (2 * $free::int - held) / 3 as account_room, count(*) over () as destinations from places
     where room > under_way and 2 * $free::int - held >= 3
   ), candidates as (
     select r.audience, r.endpoint_url, r.responds_to_quotes, r.event_types, r.confirmed, r.endpoint_changes, r.held, r.account_room, due.row_at, due.due_at,
       row_number() over (partition by r.account_id order by r.under_way + due.place, due.due_at) as turn
     from roomy r
     cross join lateral (
       select first.row_at, first.due_at, row_number() over (order by first.due_at, first.id) as place from (
         select v.ctid as row_at, v.id, v.due_at from deliveries v
         where v.account_id = r.account_id and v.mode = r.mode and v.destination_id = r.destination_id
           and v.due_at <= prokura_now() and (v.lease_until is null or v.lease_until <= prokura_now())
           and (v.sequence = 1 or v.first_attempt_at is not null or not exists (
             select from deliveries e
             where e.account_id = v.account_id and e.mode = v.mode and e.destination_id = v.destination_id
               and e.aggregate_id = v.aggregate_id and e.sequence < v.sequence and e.first_attempt_at is null
           ))
         order by v.due_at limit least(r.room - r.under_way, $limit::int / r.destinations + 1)
       ) first
     ) due
   ), taken as materialized (
     select v.ctid as row_at, p.audience, p.endpoint_url, p.responds_to_quotes, p.event_types, p.confirmed,
       p.endpoint_changes
     from (select * from candidates where turn <= account_room order by held + turn, due_at limit $limit) p
     join deliveries v on v.ctid = p.row_at
     -- Somebody else may have taken it since it was picked.
     where v.due_at <= prokura_now() and (v.lease_until is null or v.lease_until <= prokura_now())
     for no key update of v skip locked
   ), marked as (
     update deliveries v set is_due = true
     where v.ctid = any (array(select row_at from come_due except select row_at from taken))
   )
   update deliveries v set lease_token = v.lease_token + 1, lease_until = prokura_now() + make_interval(secs => $lease_seconds)
   from taken t, ${storedEvents} e
   where v.ctid = t.row_at
     and e.account_id = v.event_account_id and e.mode = v.mode and e.id = v.event_id
     -- So that whichever index the planner prefers leads to one event, also before the tables have statistics.
     and e.aggregate_id = v.aggregate_id and e.sequence = v.sequence
   returning v.account_id, v.mode, v.id, v.ctid as row_at, v.lease_token, v.step_failures, v.destination_id, v.event_id,
     v.event_account_id, v.event_type, v.aggregate_id, v.attempt_count, v.series_from, v.created_at, t.audience, t.endpoint_url, t.responds_to_quotes,
     t.event_types, t.confirmed, t.endpoint_changes, 
     e.created_at as event_created_at,
     -- What a merchant is told, and a test, stands in the event; what a buyer is told is made of its object.
     case when t.audience = 'merchant' or e.type = 'destination.test' then e.envelope end as envelope,
     case when t.audience = 'buyer' and e.type <> 'destination.test' then e.object end as object,
     (select string_agg(s.position || ':' || encode(s.sealed, 'hex'), ' ' order by s.position) from destination_secrets s
      where s.account_id = v.account_id and s.mode = v.mode and s.destination_id = v.destination_id
        and (s.expires_at is null or s.expires_at > prokura_now())) as secrets`,
)

/** One array per column, one element per attempt. */
export type AttemptArrays = {
  account_ids: readonly string[]
  modes: readonly string[]
  ids: readonly string[]
  row_ats: readonly string[]
  destination_ids: readonly string[]
  tokens: readonly string[]
  results: readonly string[]
  delays: readonly (number | null)[]
  ats: readonly string[]
  http_statuses: readonly (number | null)[]
  latencies: readonly number[]
  errors: readonly (string | null)[]
  excerpts: readonly (string | null)[]
  digests: readonly Buffer[]
}

/** Whether to look for more that is due where outcomes came from; asking costs as much as the rest. */
export type AskMore = { ask_more: boolean }

export type SettledDelivery = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'dlv'>
  /** The destination has known nothing but failure since then; null after a success. */
  failing_since: Date | null
  /** Whether the destination has more that is due, for which there is room from now on or which waited for this first attempt; false unasked. */
  has_more: boolean
}

/**
 * Writes what became of attempts, many at once, each only if its lease is still ours: a worker that lost a lease writes nothing.
 * An attempt counts here and not before: one whose outcome was lost with its process is made again. Each delivery is looked for where
 * the claim left it, without an index; one that has changed since, as by an answer to its event, is not found there.
 */
export const settleDeliveries = settlement('settle_deliveries', 'v.ctid = o.row_at and ')

/** The same for those that were not found in their places: wherever they are. */
export const settleMovedDeliveries = settlement('settle_moved_deliveries', '')

function settlement(name: string, place: string) {
  return statement<SettledDelivery, AttemptArrays & AskMore>(
    name,
    `with outcome as /* tenantless: attempts of many accounts, each named by its own key */ (
     select * from unnest($account_ids::text[], $modes::mode[], $ids::text[], $row_ats::tid[], $destination_ids::text[],
       $tokens::bigint[], $results::text[], $delays::float8[], $ats::timestamptz[], $http_statuses::smallint[], $latencies::int[],
       $errors::text[], $excerpts::text[], $digests::bytea[])
     as o (account_id, mode, id, row_at, destination_id, token, result, delay, at, http_status, latency_ms, error, excerpt, digest)
   ), written as (
     update deliveries v set
       status = case when o.result = 'failed' and d.status = 'archived' then 'exhausted' else o.result end,
       due_at = case when o.result = 'failed' and d.status <> 'archived' then prokura_now() + make_interval(secs => o.delay) end,
       attempt_count = v.attempt_count + 1, first_attempt_at = coalesce(v.first_attempt_at, prokura_now()),
       last_attempt_at = prokura_now(), lease_until = null, updated_at = prokura_now()
     from outcome o
     join webhook_destinations d on d.account_id = o.account_id and d.mode = o.mode and d.id = o.destination_id
     where ${place}v.account_id = o.account_id and v.mode = o.mode and v.id = o.id and v.lease_token = o.token
     returning v.account_id, v.mode, v.id, v.destination_id, v.attempt_count, o.result, o.at, o.http_status, o.latency_ms, o.error,
       o.excerpt, o.digest, d.failing_since
   ), attempts as (
     insert into delivery_attempts (account_id, mode, delivery_id, position, at, http_status, latency_ms, error, response_excerpt,
       body_digest)
     select account_id, mode, id, attempt_count, at, http_status, latency_ms, error, excerpt, digest from written
   ), held as (
     -- Every row carries what holds of its destination: joining outcomes with outcomes would cost the square of a batch.
     select account_id, mode, id, destination_id, failing_since, bool_or(result = 'succeeded') over of_destination as any_success,
       row_number() over of_destination = 1 as is_first
     from written window of_destination as (partition by account_id, mode, destination_id)
   ), marked as (
     update webhook_destinations d set failing_since = case when h.any_success then null else prokura_now() end
     from held h
     where d.account_id = h.account_id and d.mode = h.mode and d.id = h.destination_id
       and h.is_first and h.any_success = (h.failing_since is not null)
   )
   select account_id, mode, id, case when any_success then null else failing_since end as failing_since,
     $ask_more::boolean and exists (
       select from deliveries e
       where e.account_id = held.account_id and e.mode = held.mode and e.destination_id = held.destination_id
         and e.due_at <= prokura_now() and e.lease_until is null
     ) as has_more
   from held`,
  )
}
