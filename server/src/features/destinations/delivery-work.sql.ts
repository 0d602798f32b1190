import type { Mode } from '../../contract/context.ts'
import { statement } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'
import type { EventType } from './event-types.ts'

/** A delivery that is ours to attempt, with everything the attempt needs. */
export type ClaimedDelivery = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'dlv'>
  lease_token: bigint
  destination_id: Id<'dest'>
  event_id: Id<'evt'>
  event_type: string
  aggregate_id: string
  attempt_count: number
  series_from: number
  endpoint_url: string
  responds_to_quotes: boolean
  event_types: EventType[]
  envelope: string
  secret_positions: number[]
  secrets: Buffer[]
}

/**
 * Steps from destination to destination over the index of what is open, and takes from each what it has room for: a dead endpoint
 * with a million deliveries costs the others one probe. One that answers only failure has room for two attempts at a time.
 * The first attempt of an event waits until the events before it on the same aggregate have had theirs.
 */
export const claimDeliveries = statement<
  ClaimedDelivery,
  { limit: number; lease_seconds: number; room: number; room_failing: number }
>(
  'claim_deliveries',
  `with recursive /* tenantless: the worker serves every account */ open as (
     (select account_id, mode, destination_id from deliveries where due_at is not null
      order by account_id, mode, destination_id limit 1)
     union all
     select next.account_id, next.mode, next.destination_id from open
     cross join lateral (
       select v.account_id, v.mode, v.destination_id from deliveries v
       where v.due_at is not null and (v.account_id, v.mode, v.destination_id) > (open.account_id, open.mode, open.destination_id)
       order by v.account_id, v.mode, v.destination_id limit 1
     ) next
   ), places as (
     select open.*, d.endpoint_url, d.responds_to_quotes, d.event_types,
       case when d.failing_since is null then $room::int else $room_failing::int end - (
         select count(*)::int from deliveries f
         where f.account_id = open.account_id and f.mode = open.mode and f.destination_id = open.destination_id
           and f.lease_until > prokura_now()
       ) as room
     from open
     join destinations d on d.account_id = open.account_id and d.mode = open.mode and d.id = open.destination_id
     where d.status = 'enabled'
   ), picked as (
     select places.account_id, places.mode, due.id, places.endpoint_url, places.responds_to_quotes, places.event_types
     from places
     cross join lateral (
       select taken.*, row_number() over (order by taken.due_at, taken.id) as place from (
         select v.id, v.due_at from deliveries v
         where v.account_id = places.account_id and v.mode = places.mode and v.destination_id = places.destination_id
           and v.due_at <= prokura_now() and (v.lease_until is null or v.lease_until <= prokura_now())
           and (v.first_attempt_at is not null or not exists (
             select from deliveries e
             where e.account_id = v.account_id and e.mode = v.mode and e.destination_id = v.destination_id
               and e.aggregate_id = v.aggregate_id and e.sequence < v.sequence and e.first_attempt_at is null
           ))
         order by v.due_at limit greatest(places.room, 0)
         for update skip locked
       ) taken
     ) due
     order by due.place, due.due_at limit $limit
   )
   update deliveries v set lease_token = v.lease_token + 1, lease_until = prokura_now() + make_interval(secs => $lease_seconds)
   from picked p, events e
   where v.account_id = p.account_id and v.mode = p.mode and v.id = p.id
     and e.account_id = v.event_account_id and e.mode = v.mode and e.id = v.event_id
     -- So that whichever index the planner prefers leads to one event, also before the tables have statistics.
     and e.aggregate_id = v.aggregate_id and e.sequence = v.sequence
   returning v.account_id, v.mode, v.id, v.lease_token, v.destination_id, v.event_id, v.event_type, v.aggregate_id,
     v.attempt_count, v.series_from, p.endpoint_url, p.responds_to_quotes, p.event_types, e.envelope,
     (select array_agg(s.position order by s.position) from destination_secrets s
      where s.account_id = v.account_id and s.mode = v.mode and s.destination_id = v.destination_id
        and (s.expires_at is null or s.expires_at > prokura_now())) as secret_positions,
     (select array_agg(s.sealed order by s.position) from destination_secrets s
      where s.account_id = v.account_id and s.mode = v.mode and s.destination_id = v.destination_id
        and (s.expires_at is null or s.expires_at > prokura_now())) as secrets`,
)

/** One array per column, one element per attempt. */
export type AttemptArrays = {
  account_ids: readonly string[]
  modes: readonly string[]
  ids: readonly string[]
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

export type SettledDelivery = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'dlv'>
  /** The destination has known nothing but failure since then; null after a success. */
  failing_since: Date | null
  /** Whether the destination has more that is due, for which there is room from now on or which waited for this first attempt. */
  has_more: boolean
}

/**
 * Writes what became of attempts, many at once, each only if its lease is still ours: a worker that lost a lease writes nothing.
 * An attempt counts here and not before: one whose outcome was lost with its process is made again.
 */
export const settleDeliveries = statement<SettledDelivery, AttemptArrays>(
  'settle_deliveries',
  `with outcome as /* tenantless: attempts of many accounts, each named by its own key */ (
     select * from unnest($account_ids::text[], $modes::mode[], $ids::text[], $tokens::bigint[], $results::text[],
       $delays::float8[], $ats::timestamptz[], $http_statuses::smallint[], $latencies::int[], $errors::text[], $excerpts::text[],
       $digests::bytea[])
     as o (account_id, mode, id, token, result, delay, at, http_status, latency_ms, error, excerpt, digest)
   ), held as (
     select v.account_id, v.mode, v.id, v.destination_id, o.result, o.delay, o.at, o.http_status, o.latency_ms, o.error, o.excerpt,
       o.digest
     from outcome o
     join deliveries v on v.account_id = o.account_id and v.mode = o.mode and v.id = o.id and v.lease_token = o.token
     order by v.account_id, v.mode, v.id for no key update of v
   ), verdict as (
     select t.*, d.failing_since, d.status, exists (
       select from deliveries e
       where e.account_id = t.account_id and e.mode = t.mode and e.destination_id = t.destination_id
         and e.due_at <= prokura_now() and e.lease_until is null
     ) as has_more
     from (
       select account_id, mode, destination_id, bool_or(result = 'succeeded') as any_success
       from held group by account_id, mode, destination_id
     ) t
     join destinations d on d.account_id = t.account_id and d.mode = t.mode and d.id = t.destination_id
   ), written as (
     update deliveries v set
       status = case when h.result = 'failed' and t.status = 'archived' then 'exhausted' else h.result end,
       due_at = case when h.result = 'failed' and t.status <> 'archived' then prokura_now() + make_interval(secs => h.delay) end,
       attempt_count = v.attempt_count + 1, first_attempt_at = coalesce(v.first_attempt_at, prokura_now()),
       last_attempt_at = prokura_now(), lease_until = null, updated_at = prokura_now()
     from held h
     join verdict t on t.account_id = h.account_id and t.mode = h.mode and t.destination_id = h.destination_id
     where v.account_id = h.account_id and v.mode = h.mode and v.id = h.id
     returning v.account_id, v.mode, v.id, v.attempt_count
   ), attempts as (
     insert into delivery_attempts (account_id, mode, delivery_id, position, at, http_status, latency_ms, error, response_excerpt,
       body_digest)
     select w.account_id, w.mode, w.id, w.attempt_count, h.at, h.http_status, h.latency_ms, h.error, h.excerpt, h.digest
     from written w join held h on h.account_id = w.account_id and h.mode = w.mode and h.id = w.id
   ), marked as (
     update destinations d set failing_since = case when t.any_success then null else prokura_now() end
     from verdict t
     where d.account_id = t.account_id and d.mode = t.mode and d.id = t.destination_id
       and t.any_success = (t.failing_since is not null)
   )
   select h.account_id, h.mode, h.id, case when t.any_success then null else t.failing_since end as failing_since, t.has_more
   from held h
   join verdict t on t.account_id = h.account_id and t.mode = h.mode and t.destination_id = h.destination_id`,
)
