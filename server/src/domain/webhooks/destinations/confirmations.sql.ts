import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { isFree, openOf, passedOver } from './open-deliveries.sql.ts'

type Tenant = { account_id: Id<'acct'>; mode: Mode }
type OfDestination = Tenant & { destination_id: string }
type Claimed = Tenant & { id: Id<'dlv'>; lease_token: bigint; destination_id: string }

/**
 * When a delivery is due that waits until its endpoint has confirmed: never, so that no claim looks at it. A date and not infinity, which
 * is no date to the driver.
 */
export const whenConfirmed = `timestamptz '9999-12-31 00:00:00+00'`

/** Written with a test: it is about the destination itself. */
const isTest = 'q.aggregate_id = $destination_id'

/** Whether a test of the destination is still to be sent, or to be sent again. */
export const selectOpenTest = statement<{ id: Id<'dlv'> }, OfDestination>(
  'select_open_destination_test',
  `select q.id from due_deliveries q
   where q.account_id = $account_id and q.mode = $mode and q.destination_id = $destination_id and q.due_at < ${whenConfirmed} and ${isTest}
   limit 1`,
)

/** Run it under `lockDestination`: ends waiting tests in favor of one that is sent now. */
export const giveUpTests = statement<never, OfDestination & { now: Date }>(
  'give_up_destination_tests',
  `with q as (${openOf(`${isTest} and ${isFree}`)})
   update deliveries v set status = 'exhausted', due_at = null, first_attempt_at = coalesce(v.first_attempt_at, ${passedOver}), updated_at = $now
   from q where v.account_id = $account_id and v.mode = $mode and v.id = q.id and v.due_at > $now and v.due_at < ${whenConfirmed}`,
)

/**
 * Run it under `lockDestination`, while the endpoint is unconfirmed: everything that is due there waits, with its remaining retries.
 * Attempts under way are left to their own outcome, except for the named delivery.
 */
export const awaitConfirmation = statement<
  never,
  OfDestination & { now: Date; id: Id<'dlv'> | null; lease_token: bigint | null }
>(
  'await_confirmation',
  `with q as (${openOf(`not (${isTest}) and (${isFree} or (q.id = $id::text and q.lease_token = $lease_token::bigint))`)})
   update deliveries v set status = 'pending', due_at = ${whenConfirmed}, series_from = v.attempt_count, updated_at = $now
   from q where v.account_id = $account_id and v.mode = $mode and v.id = q.id and v.due_at < ${whenConfirmed}`,
)

/** Run it under `lockDestination`: the endpoint has confirmed, and what waited for that is sent. */
export const sendWhatWaited = statement<never, OfDestination & { now: Date }>(
  'send_what_waited',
  `with q as (${openOf('true')})
   update deliveries v set due_at = $now, updated_at = $now from q where v.account_id = $account_id and v.mode = $mode and v.id = q.id and v.due_at = ${whenConfirmed}`,
)

/** Gives a claimed delivery back, without an attempt, until `due_at`. */
export const putOffDelivery = statement<never, Claimed & { due_at: Date }>(
  'put_off_delivery',
  `with q as (${openOf('q.id = $id and q.lease_token = $lease_token')})
   update deliveries v set due_at = $due_at from q where v.account_id = $account_id and v.mode = $mode and v.id = q.id`,
)

/** One attempt of a test: `test` names it, so that it counts once. A host gets `limit` of them in an hour. */
type Booking = { host: string; test: string; limit: number; now: Date }

type Booked = {
  booked: boolean
  /** When the host's hour has room again, where it has none. */
  free_at: Date | null
}

const recent = `value::float8 > extract(epoch from $now::timestamptz) - 3600`

/**
 * Takes a place in the host's hour if there is one. The row is the lock: each booking sees the earlier ones. Hosts without a test in the
 * last hour are forgotten, a few at a time.
 */
export const bookTest = statement<Booked, Booking>(
  'book_destination_test',
  // guard host-hour-is-bounded: the tests of all tenants to one host are counted together
  `with booked as /* tenantless: a host's hour is everybody's */ (
     insert into destination_hosts as h (host, tests, last_test_at)
     values ($host, jsonb_build_object($test::text, extract(epoch from $now::timestamptz)), $now)
     on conflict (host) do update set last_test_at = excluded.last_test_at,
       tests = (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(h.tests) where ${recent}) || excluded.tests
     where (select count(*) from jsonb_each(h.tests) where ${recent} and key <> $test) < $limit
     returning 1
   ), forgotten as (
     delete from destination_hosts where host in (
       select host from destination_hosts where last_test_at < $now::timestamptz - interval '1 h' and host <> $host
       order by last_test_at limit 10 for update skip locked)
   )
   select exists (select from booked) as booked,
     (select to_timestamp((array_agg(value::float8 order by value::float8 desc))[$limit::int]) + interval '1 h'
      from destination_hosts h cross join jsonb_each(h.tests) where h.host = $host and ${recent}) as free_at`,
)
