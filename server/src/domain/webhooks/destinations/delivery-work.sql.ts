import type { Mode } from '../../../contract/context.ts'
import type { Audience } from '../../../contract/event.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { sql } from '../../../platform/database/fragment.ts'
import { storedEvents } from '../../../platform/events/reads.sql.ts'
import type { StepFailure } from '../../../platform/work/lease.sql.ts'
import { isFree } from './open-deliveries.sql.ts'

/** A claimed delivery, with everything that its attempt needs. */
export type ClaimedDelivery = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'dlv'>
  /** Its place in the queue, valid while no other statement changes it. */
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
  event_created_at: Date
  /** What is sent, or what that is made from, for `unpackText`. */
  envelope_bytes: Buffer | null
  object_bytes: Buffer | null
  /** Its destination as it is: JSON of `ClaimedDestination`, the same text for each of its deliveries until it is changed. */
  destination: string
} & Look

export type ClaimedDestination = {
  audience: Audience
  endpoint_url: string
  responds_to_quotes: boolean
  event_types: string[]
  /** Whether the endpoint has ever answered, and how often it was changed before. */
  confirmed: boolean
  endpoint_changes: number
  /** The secrets that sign, oldest first, each as its position and its sealed bytes: `1:5f0a… 2:77c1…`. */
  secrets: string
}

/** A delivery and the destination that it goes to. */
export type OutgoingDelivery = ClaimedDelivery & ClaimedDestination

/**
 * How far claims have looked, in seconds: what is due before `look_from` is taken or set aside, unless its lease has ended, or its
 * statement was late. For these, a claim looks at everything again after `look_back_at`.
 */
export type Look = { look_from: number; look_back_at: number }

/** How many more rows a claim looks at than it takes, so that it finds enough for which there is room. */
const lookedAtBesides = 32
/** The longest that a statement which makes a delivery takes to commit, and that a later event of an object waits in the line. */
const settledAfter = `interval '2 s'`
const lookBackSeconds = 10

/** A clock that was set back, as where a standby has taken over, hides nothing: the claim looks at everything. */
const lookedFrom = `coalesce(
       case when prokura_now() >= to_timestamp($look_from::float8) and prokura_now() < to_timestamp($look_back_at::float8)
         then to_timestamp($look_from::float8) end, '-infinity')`

/** Whether a claim that begins there would find something. */
export const lookForDeliveries = statement<{ is_due: boolean }, { [Part in keyof Look]: number | null }>(
  'look_due_deliveries',
  `select /* tenantless: one answer about the rows of every tenant */
     exists ((select 1 from due_deliveries q
         where not q.is_set_aside and q.due_at >= (select ${lookedFrom}) and q.due_at <= prokura_now() and ${isFree}
         order by q.due_at limit 1)
       union all (select 1 from due_deliveries q
         where q.is_set_aside and q.due_at <= prokura_now() and ${isFree} order by q.account_id, q.mode, q.destination_id limit 1)) as is_due`,
)

/** The first attempt of an event waits until the earlier events of the same object have had theirs. */
// guard deliveries-in-order: the first deliveries of an order come in its order
const waitsForEarlier = `(q.sequence > 1 and not q.is_tried and exists (
         select from due_deliveries e
         where e.account_id = q.account_id and e.mode = q.mode and e.destination_id = q.destination_id
           and e.aggregate_id = q.aggregate_id and e.sequence < q.sequence and not e.is_tried
       ))`

/**
 * Takes what is due in the order of its time. What cannot be taken, because its destination or account has no room, is set aside, and
 * found by its destination from then on: a dead endpoint with a million deliveries costs the others one probe, and deliveries that wait
 * for a later attempt cost nothing. `busy` is the number of deliveries that this process has under way, by destination, and `held` the
 * number of places that they take, by account; those with the fewest come first. An account never takes more than two thirds of the
 * places that it finds, so that even if all endpoints of one account hang, others still find some. The claim begins where the one before
 * it has ended, so what was taken since costs it nothing either while an open snapshot keeps the database from forgetting it.
 */
export const claimDeliveries = statement<
  ClaimedDelivery,
  {
    limit: number
    lease_seconds: number
    room: number
    room_failing: number
    /** How many places of this process are free. */
    free: number
    /** JSON, so that a destination is found in it without a search. */
    busy: string
    held: string
  } & { [Part in keyof Look]: number | null }
>(
  'claim_deliveries',
  sql`with recursive /* tenantless: the worker serves every account */ look as materialized (
     select ${lookedFrom} as since
   ), aside as (
     (select account_id, mode, destination_id from due_deliveries where is_set_aside order by account_id, mode, destination_id limit 1)
     union all
     select next.account_id, next.mode, next.destination_id from aside
     cross join lateral (
       select q.account_id, q.mode, q.destination_id from due_deliveries q
       where q.is_set_aside and (q.account_id, q.mode, q.destination_id) > (aside.account_id, aside.mode, aside.destination_id)
       order by q.account_id, q.mode, q.destination_id limit 1
     ) next
   ), line as materialized (
     select q.ctid as row_at, q.account_id, q.mode, q.destination_id, q.sequence, q.due_at, ${waitsForEarlier} as waits
     from due_deliveries q
     where not q.is_set_aside and q.due_at >= (select since from look) and q.due_at <= prokura_now() and ${isFree}
     order by q.due_at limit $limit::int + ${String(lookedAtBesides)} for no key update skip locked
   ), open as (
     select account_id, mode, destination_id, bool_or(has_aside) as has_aside from (
       select account_id, mode, destination_id, true as has_aside from aside
       union all select account_id, mode, destination_id, false from line
     ) as either group by account_id, mode, destination_id
   ), places as (
     select open.*,
       coalesce(($busy::jsonb ->> open.destination_id)::int, 0) as under_way,
       coalesce(($held::jsonb ->> open.account_id)::int, 0) as held,
       case when d.failing_since is null then $room::int else $room_failing::int end as room
     from open
     -- One by one, however many rows a plan for any limit expects.
     cross join lateral (
       select d.failing_since from webhook_destinations d
       where d.account_id = open.account_id and d.mode = open.mode and d.id = open.destination_id and d.status = 'enabled' limit 1
     ) d
   ), roomy as (
     select *, (2 * $free::int - held) / 3 as account_room, count(*) over () as destinations from places
     where room > under_way and 2 * $free::int - held >= 3
   ), candidates as (
     select r.*, due.row_at, due.due_at, due.sequence from roomy r
     cross join lateral (
       select q.ctid as row_at, q.due_at, q.sequence from due_deliveries q
       where r.has_aside and q.is_set_aside and q.account_id = r.account_id and q.mode = r.mode and q.destination_id = r.destination_id
         and q.due_at <= prokura_now() and ${isFree} and not ${waitsForEarlier}
       -- No more than an equal share and one, so that few rows are looked at in vain.
       order by q.due_at limit least(r.room - r.under_way, $limit::int / r.destinations + 1)
     ) due
     union all
     select r.*, l.row_at, l.due_at, l.sequence from roomy r
     join line l on l.destination_id = r.destination_id
     where not l.waits
   ), placed as (
     select *, row_number() over (partition by destination_id order by due_at, sequence) as place from candidates
   ), fitting as (
     select * from (
       select *, row_number() over (partition by account_id order by under_way + place, due_at, sequence) as turn
       from placed where place <= room - under_way
     ) as one where turn <= account_room
   ), taken as materialized (
     select q.ctid as row_at, v.* from due_deliveries q
     -- One that has ended, however it was left here, is taken out below.
     left join lateral (
       select v.event_id, v.event_account_id, v.event_type, v.attempt_count, v.series_from, v.created_at from deliveries v
       where v.account_id = q.account_id and v.mode = q.mode and v.id = q.id and v.due_at is not null
     ) v on true
     where q.ctid = any (array(select row_at from fitting order by held + turn, due_at, sequence limit $limit::int))
       -- Somebody else may have taken it since it was looked at.
       and q.due_at <= prokura_now() and ${isFree}
     for no key update of q skip locked
   ), gone as (
     delete from due_deliveries q where q.ctid = any (array(select row_at from taken where event_id is null))
   ), set_aside as (
     update due_deliveries q set is_set_aside = true
     where q.ctid = any (array(
       select row_at from line where not (waits and due_at > prokura_now() - ${settledAfter}) except select row_at from fitting))
   ), leased as (
     update due_deliveries q set lease_token = q.lease_token + 1, lease_until = prokura_now() + make_interval(secs => $lease_seconds)
     from taken t where q.ctid = t.row_at and t.event_id is not null
     returning q.ctid as row_at, q.account_id, q.mode, q.id, q.lease_token, q.step_failures, q.destination_id, q.aggregate_id, q.sequence,
       t.event_id, t.event_account_id, t.event_type, t.attempt_count, t.series_from, t.created_at
   ), told as materialized (
     select d.id, d.audience, json_build_object('destination_id', d.id, 'audience', d.audience, 'endpoint_url', d.endpoint_url,
       'responds_to_quotes', d.responds_to_quotes, 'event_types', d.event_types, 'confirmed', d.confirmed_at is not null,
       'endpoint_changes', d.endpoint_changes, 'secrets',
       (select string_agg(s.position || ':' || encode(s.sealed, 'hex'), ' ' order by s.position) from destination_secrets s
        where s.account_id = d.account_id and s.mode = d.mode and s.destination_id = d.id
          and (s.expires_at is null or s.expires_at > prokura_now()))) as destination
     from (select distinct account_id, mode, destination_id from leased) as one
     cross join lateral (
       select * from webhook_destinations d where d.account_id = one.account_id and d.mode = one.mode and d.id = one.destination_id limit 1
     ) d
   ), looked as materialized (
     select extract(epoch from coalesce(least(min(due_at) filter (where is_left), max(due_at)), prokura_now()) - ${settledAfter})::float8
         as look_from,
       case when (select since from look) > '-infinity' then $look_back_at::float8
         else extract(epoch from prokura_now())::float8 + ${String(lookBackSeconds)} end as look_back_at
     from (
       select due_at, true as is_left from line where waits or row_at in (select row_at from fitting) and row_at not in (select row_at from taken)
       union all select due_at, false from line
     ) as seen
   )
   select v.account_id, v.mode, v.id, v.row_at, v.lease_token, v.step_failures, v.destination_id, v.event_id,
     v.event_account_id, v.event_type, v.aggregate_id, v.attempt_count, v.series_from, v.created_at, e.created_at as event_created_at,
     -- What a merchant is told, and a test, stands in the event; what a buyer is told is made of its object.
     case when t.audience = 'merchant' or e.type = 'destination.test' then e.envelope_bytes end as envelope_bytes,
     case when t.audience = 'buyer' and e.type <> 'destination.test' then e.object_bytes end as object_bytes,
     t.destination::text as destination, looked.look_from, looked.look_back_at
   from leased v
   join told t on t.id = v.destination_id
   cross join lateral (
     select e.created_at, e.type, e.envelope_bytes, e.object_bytes from ${storedEvents} e
     where e.account_id = v.event_account_id and e.mode = v.mode and e.aggregate_id = v.aggregate_id and e.sequence = v.sequence
   ) e
   cross join looked`,
)

/** One array per column, one element per attempt. */
export type AttemptArrays = {
  ids: readonly string[]
  row_ats: readonly string[]
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
  id: Id<'dlv'>
  /** Since when the destination has only failed; null after a success. */
  failing_since: Date | null
  /**
   * Whether deliveries of the destination were set aside, which have room now, or waited for this first attempt; false if `ask_more` is.
   */
  has_more: boolean
}

/**
 * Writes the outcomes of attempts, many at once, each only if its lease is still ours: a worker that lost a lease writes nothing. An
 * attempt counts here and not before: one whose outcome was lost with its process is made again. Each is looked up in the queue at the
 * place where the claim left it, where nothing moves it that does not end the lease. What has ended leaves the queue; what is tried again
 * is put into it by the trigger of its delivery.
 */
export const settleDeliveries = statement<
  SettledDelivery,
  AttemptArrays & {
    /** Whether to look for more due deliveries of the same destinations. */
    ask_more: boolean
  }
>(
  'settle_deliveries',
  // guard delivery-under-its-lease: a worker that lost a delivery writes nothing about it
  `with outcome as /* tenantless: attempts of many accounts, each named by its delivery and lease */ (
     select * from unnest($ids::text[], $row_ats::tid[], $tokens::bigint[], $results::text[], $delays::float8[], $ats::timestamptz[],
       $http_statuses::smallint[], $latencies::int[], $errors::text[], $excerpts::text[], $digests::bytea[])
     as o (id, row_at, token, result, delay, at, http_status, latency_ms, error, excerpt, digest)
   ), ours as materialized (
     -- Locked here and deleted below: where a delivery is being changed, PostgreSQL asks again for what is joined with it, and refuses
     -- to ask a delete.
     select o.*, q.account_id, q.mode, q.destination_id from outcome o
     join due_deliveries q on q.ctid = o.row_at and q.id = o.id and q.lease_token = o.token
     for no key update of q
   ), written as (
     update deliveries v set
       status = case when o.result = 'failed' and d.status = 'archived' then 'exhausted' else o.result end,
       due_at = case when o.result = 'failed' and d.status <> 'archived' then prokura_now() + make_interval(secs => o.delay) end,
       attempt_count = v.attempt_count + 1, first_attempt_at = coalesce(v.first_attempt_at, prokura_now()),
       last_attempt_at = prokura_now(), updated_at = prokura_now()
     from ours o
     join webhook_destinations d on d.account_id = o.account_id and d.mode = o.mode and d.id = o.destination_id
     where v.account_id = o.account_id and v.mode = o.mode and v.id = o.id and v.due_at is not null
     returning v.account_id, v.mode, v.id, v.destination_id, v.aggregate_id, v.sequence, v.attempt_count, v.due_at, o.row_at, o.result, o.at,
       o.http_status, o.latency_ms, o.error, o.excerpt, o.digest, d.failing_since
   ), ended as (
     delete from due_deliveries q where q.ctid = any (array(select row_at from written where due_at is null))
   ), attempts as (
     insert into delivery_attempts (account_id, mode, delivery_id, position, at, http_status, latency_ms, error, response_excerpt,
       body_digest)
     select account_id, mode, id, attempt_count, at, http_status, latency_ms, error, excerpt, digest from written
   ), held as (
     -- Every row carries what holds of its destination: joining outcomes with outcomes would cost the square of a batch.
     select account_id, mode, id, destination_id, aggregate_id, sequence, failing_since,
       bool_or(result = 'succeeded') over of_destination as any_success, row_number() over of_destination = 1 as is_first
     from written window of_destination as (partition by destination_id)
   ), marked as (
     update webhook_destinations d set failing_since = case when h.any_success then null else prokura_now() end
     from held h
     where d.account_id = h.account_id and d.mode = h.mode and d.id = h.destination_id
       and h.is_first and h.any_success = (h.failing_since is not null)
   )
   select id, case when any_success then null else failing_since end as failing_since,
     $ask_more::boolean and (exists (
       select from due_deliveries e
       where e.account_id = held.account_id and e.mode = held.mode and e.destination_id = held.destination_id and e.is_set_aside
         and e.due_at <= prokura_now() and e.lease_until is null
     ) or exists (
       select from due_deliveries e
       where e.account_id = held.account_id and e.mode = held.mode and e.destination_id = held.destination_id
         and e.aggregate_id = held.aggregate_id and e.sequence > held.sequence and e.due_at <= prokura_now() and e.lease_until is null
     )) as has_more
   from held`,
)

type Held = { account_id: string; mode: string; id: string; lease_token: bigint }

const heldBy = `from deliveries v
   where v.account_id = $account_id and v.mode = $mode and v.id = $id
     and q.account_id = v.account_id and q.mode = v.mode and q.destination_id = v.destination_id
     and q.aggregate_id = v.aggregate_id and q.sequence = v.sequence and q.lease_token = $lease_token`

/** See `leaseStatements`. */
export const releaseDelivery = statement<never, Held & { seconds: number }>(
  'release_delivery',
  `update due_deliveries q set lease_until = null, due_at = prokura_now() + make_interval(secs => $seconds::float8) ${heldBy}`,
)

/** The lease goes on, since a call that was sent may still be on its way. It is due when that has ended, or later. */
export const postponeDelivery = statement<never, Held & StepFailure>(
  'postpone_delivery',
  `update due_deliveries q set due_at = greatest(prokura_now() + make_interval(secs => $seconds), q.lease_until),
     step_failures = q.step_failures + 1, step_failing_since = coalesce(q.step_failing_since, prokura_now()), step_error = $error
   ${heldBy} and q.lease_until is not null`,
)

export const recoverDelivery = statement<never, Held>(
  'recover_delivery',
  `update due_deliveries q set step_failures = 0, step_failing_since = null, step_error = null ${heldBy}`,
)
