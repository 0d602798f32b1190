import type { Mode } from '../../contract/context.ts'
import { statement } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'
import { applicablePolicies, type PurchaseScope } from './policies.sql.ts'

type Held = { account_id: Id<'acct'>; mode: Mode; intent_id: string }

/** Whether a window `used` exceeds a limit `most`. */
export const exceeds = 'used.reserved + used.spent > most.max_amount or used.count > most.max_count'

/** What a purchase adds to one window. */
export type WindowAddition = {
  policy_id: string
  interval: string
  start: string
  amount: bigint
  count: number
  /** The limits of the version that was decided by; null: none. */
  max_amount: bigint | null
  max_count: number | null
}

type Reservation = Held & {
  now: Date
  /** Of each window that is added to. */
  of: string[]
  intervals: string[]
  starts: string[]
  additions: bigint[]
  added_counts: number[]
  max_amounts: (bigint | null)[]
  max_counts: (number | null)[]
  /** Of each reservation. */
  policy_ids: string[]
  numbers: number[]
  versions: number[]
  amounts: bigint[]
  counts: number[]
  window_starts: string[]
}

/**
 * Adds a purchase to the windows of its policies, all of them in one order, and reserves it. When one of them exceeds a limit with it, the
 * transaction ends as one that cannot be serialized, and nothing has happened. The windows may have changed since they were read: what
 * counts is what they are here, under their locks. `agreed` is a part that is done before.
 */
// guard held-within-limits: a purchase that was allowed when there was room is not held when there is none
const reserving = (agreed: string) => `with ${agreed}, used as (
     insert into policy_windows as w (account_id, mode, policy_id, interval, start, reserved, count)
     select $account_id, $mode::mode, n.policy_id, n.interval, n.start, n.amount, n.count
     from agreed cross join unnest($of::text[], $intervals::text[], $starts::text[], $additions::bigint[], $added_counts::int[])
       as n(policy_id, interval, start, amount, count)
     where agreed.is_sound
     order by n.policy_id collate "C", n.interval collate "C"
     on conflict (account_id, mode, policy_id, interval, start) do update
       set reserved = w.reserved + excluded.reserved, count = w.count + excluded.count
     returning w.policy_id, w.interval, w.reserved, w.spent, w.count
   ), verdict as materialized (
     select case when exists (
       select 1 from used
       join unnest($of::text[], $intervals::text[], $max_amounts::bigint[], $max_counts::int[])
         as most(policy_id, interval, max_amount, max_count) using (policy_id, interval)
       where ${exceeds}) then refuse_stale_decision() else true end as has_room
   )
   insert into policy_reservations (account_id, mode, intent_id, policy_id, number, version, amount, count, window_starts, state,
     created_at)
   select $account_id, $mode::mode, $intent_id, n.policy_id, n.number, n.version, n.amount, n.count, n.window_starts::jsonb,
     'reserved', $now::timestamptz
   from verdict cross join unnest($policy_ids::text[], $numbers::int[], $versions::int[], $amounts::bigint[], $counts::smallint[],
     $window_starts::text[]) as n(policy_id, number, version, amount, count, window_starts)
   where verdict.has_room`

/** Run it under the locks of the policies, by which it was decided. */
export const reserveInWindows = statement<never, Reservation>(
  'reserve_in_windows',
  reserving('agreed as (select true as is_sound)'),
)

/**
 * By a decision that was made without a lock: first it locks the policies that apply, and refuses unless these are the policies that were
 * decided from, in the same versions. So it can travel with the commit, and nobody holds a lock while an answer is on its way.
 */
export const reserveAsDecided = statement<never, PurchaseScope & Reservation>(
  'hold_as_decided',
  // guard held-under-the-version-decided-by: a purchase that was decided by an old version of a policy is decided again
  // guard held-under-every-policy: a purchase is not held past a policy that applies by now
  reserving(`locked as (
     select p.id, p.version from ${applicablePolicies}
     order by p.id
     for no key update of p
   ), agreed as materialized (
     select case when exists (
       select 1 from unnest($policy_ids::text[], $versions::int[]) as decided(id, version)
       full join locked using (id)
       where locked.version is distinct from decided.version) then refuse_stale_decision() else true end as is_sound
   )`),
)

/** The rest of a statement whose part `ended` has reservations that end: their windows, locked in everybody's order, get the difference. */
// guard tenant-of-settled-windows: rows of other accounts and of the other mode do not exist for the caller
// guard settled-by-what-was-reserved: two ends of reservations at once both reach the windows
const windowsOfEnded = `held as materialized (
     select w.policy_id, w.interval, w.start, ended.reserved, ended.spent, ended.count
     from ended cross join lateral jsonb_each_text(ended.window_starts) as began(interval, start)
     join policy_windows w on w.account_id = $account_id and w.mode = $mode and w.policy_id = ended.policy_id
       and w.interval = began.interval and w.start = began.start
     order by w.policy_id, w.interval, w.start
     for no key update of w
   )
   update policy_windows w set reserved = w.reserved - held.reserved, spent = w.spent + held.spent, count = w.count - held.count
   from held
   where w.account_id = $account_id and w.mode = $mode and w.policy_id = held.policy_id and w.interval = held.interval
     and w.start = held.start`

/**
 * Ends the open reservations of a purchase, in the windows that they were made in: `actual_amount` counts as spent, and null as never
 * bought.
 */
export const endReservations = statement<
  never,
  Held & { state: 'settled' | 'released' | 'exchanged'; actual_amount: bigint | null; now: Date }
>(
  'end_policy_reservations',
  // guard tenant-of-ended-reservations: rows of other accounts and of the other mode do not exist for the caller
  // guard settlement-counts-as-spent: paid money stays counted in its window
  `with ended as (
     update policy_reservations r
     set state = $state, ended_at = $now,
       actual_amount = case when r.amount = 0 and $state = 'settled' then 0 else $actual_amount::bigint end
     where r.account_id = $account_id and r.mode = $mode and r.intent_id = $intent_id and r.state = 'reserved'
     returning r.policy_id, r.window_starts, r.amount as reserved, coalesce(r.actual_amount, 0) as spent,
       case when r.actual_amount is null then r.count else 0 end as count
   ), ${windowsOfEnded}`,
)

/** After a settlement: changes what the last reservation under each policy has spent, within what was reserved. */
export const correctSettled = statement<never, Held & { by: bigint }>(
  'correct_settled_reservations',
  `with settled as (
     select r.policy_id, r.number, r.actual_amount as before, least(greatest(r.actual_amount + $by::bigint, 0), r.amount) as actual_amount
     from policy_reservations r
     where r.account_id = $account_id and r.mode = $mode and r.intent_id = $intent_id and r.number = (
       select max(s.number) from policy_reservations s
       where s.account_id = $account_id and s.mode = $mode and s.policy_id = r.policy_id and s.intent_id = $intent_id
         and s.state = 'settled' and s.amount > 0)
   ), ended as (
     update policy_reservations r set actual_amount = s.actual_amount
     from settled s
     where r.account_id = $account_id and r.mode = $mode and r.intent_id = $intent_id and r.policy_id = s.policy_id
       and r.number = s.number
     returning r.policy_id, r.window_starts, 0 as reserved, s.actual_amount - s.before as spent, 0 as count
   ), ${windowsOfEnded}`,
)
