import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'

type Tenant = { account_id: Id<'acct'>; mode: Mode }
type OfDestination = Tenant & { destination_id: string }
type Claimed = Tenant & { id: Id<'dlv'>; lease_token: bigint }

/**
 * When a delivery is due that waits until its endpoint has confirmed: never by itself, so that no claim looks at it. A date rather than
 * infinity, since the version before this one shows it as a date.
 */
export const whenConfirmed = `timestamptz '9999-12-31 00:00:00+00'`

const isTest = `event_type = 'destination.test'`
const ofDestination = 'account_id = $account_id and mode = $mode and destination_id = $destination_id'
const isUnderWay = 'lease_until > prokura_now()'

/** Whether a test of the destination is still to be sent, or sent again. */
export const selectOpenTest = statement<{ id: Id<'dlv'> }, OfDestination>(
  'select_open_destination_test',
  `select id from deliveries where ${ofDestination} and due_at < ${whenConfirmed} and ${isTest} limit 1`,
)

/** Under `lockDestination`: tests that wait are given up for one that is sent now. */
export const giveUpTests = statement<never, OfDestination & { now: Date }>(
  'give_up_destination_tests',
  `update deliveries set status = 'exhausted', due_at = null, lease_until = null, lease_token = lease_token + 1,
     first_attempt_at = coalesce(first_attempt_at, $now), updated_at = $now
   where ${ofDestination} and due_at > $now and due_at < ${whenConfirmed} and ${isTest} and (${isUnderWay}) is not true`,
)

/**
 * Under `lockDestination`, while the endpoint is unconfirmed: whatever is due there waits, with its retries before it, and what is under
 * way is left to its own outcome, but for the delivery that is named.
 */
export const awaitConfirmation = statement<
  never,
  OfDestination & { now: Date; id: Id<'dlv'> | null; lease_token: bigint | null }
>(
  'await_confirmation',
  `update deliveries set status = 'pending', due_at = ${whenConfirmed}, lease_until = null, lease_token = lease_token + 1,
     series_from = attempt_count, updated_at = $now
   where ${ofDestination} and due_at < ${whenConfirmed} and not (${isTest})
     and ((${isUnderWay}) is not true or (id = $id::text and lease_token = $lease_token::bigint))`,
)

/** Under `lockDestination`: the endpoint has confirmed, and what waited for that goes out. */
export const sendWhatWaited = statement<never, OfDestination & { now: Date }>(
  'send_what_waited',
  `update deliveries set due_at = $now, updated_at = $now where ${ofDestination} and due_at = ${whenConfirmed}`,
)

/** Gives a claimed delivery back, unattempted, until then. */
export const putOffDelivery = statement<never, Claimed & { due_at: Date }>(
  'put_off_delivery',
  `update deliveries set due_at = $due_at, lease_until = null
   where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token`,
)

/** One attempt of a test: `test` names it, so that it counts once. `limit` of them in an hour. */
type Booking = { host: string; test: string; limit: number; now: Date }

export type Booked = {
  booked: boolean
  /** When the host's hour has room again, where it has none. */
  free_at: Date | null
}

const recent = `value::float8 > extract(epoch from $now::timestamptz) - 3600`

/**
 * Takes a place in the host's hour if there is one. The row is the lock: whoever counts sees what was booked before. Hosts that nobody
 * has tested for an hour are forgotten, some at a time.
 */
export const bookTest = statement<Booked, Booking>(
  'book_destination_test',
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
