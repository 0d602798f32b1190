import type { Mode } from '../../contract/context.ts'
import { statement } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'
import type { CounterWindows, WindowStarts } from './windows.ts'

type Held = { account_id: Id<'acct'>; mode: Mode; intent_id: string }

type ReservationRow = {
  policy_id: Id<'pol'>
  number: number
  amount: bigint
  count: number
  window_starts: WindowStarts
  windows: CounterWindows
}

/** The reservations of a purchase, with their counters, in the order of the policies' ids, which is everybody's order. */
export const lockReservations = statement<ReservationRow, Held>(
  'lock_policy_reservations',
  // guard settling-locks: two ends of reservations at once both reach the counter
  `select r.policy_id, r.number, r.amount, r.count::int as count, r.window_starts, c.windows
   from policy_reservations r
   join policy_counters c on c.account_id = r.account_id and c.mode = r.mode and c.policy_id = r.policy_id
   where r.account_id = $account_id and r.mode = $mode and r.intent_id = $intent_id and r.state = 'reserved'
   order by r.policy_id
   for no key update of r, c`,
)

/** Of each policy, the reservation of a purchase that was settled last, with its counter: in everybody's order, as above. */
export const lockSettled = statement<Omit<ReservationRow, 'count'> & { actual_amount: bigint }, Held>(
  'lock_settled_reservations',
  `select r.policy_id, r.number, r.amount, r.actual_amount, r.window_starts, c.windows
   from policy_reservations r
   join policy_counters c on c.account_id = r.account_id and c.mode = r.mode and c.policy_id = r.policy_id
   where r.account_id = $account_id and r.mode = $mode and r.intent_id = $intent_id and r.number = (
     select max(s.number) from policy_reservations s
     where s.account_id = r.account_id and s.mode = r.mode and s.policy_id = r.policy_id and s.intent_id = r.intent_id
       and s.state = 'settled' and s.amount > 0)
   order by r.policy_id
   for no key update of c, r`,
)

/** Run it under the lock of `lockSettled`. */
export const correctSettled = statement<
  never,
  Held & { policy_ids: string[]; numbers: number[]; actual_amounts: bigint[] }
>(
  'correct_settled_reservations',
  `update policy_reservations r set actual_amount = n.actual_amount
   from unnest($policy_ids::text[], $numbers::int[], $actual_amounts::bigint[]) as n(policy_id, number, actual_amount)
   where r.account_id = $account_id and r.mode = $mode and r.intent_id = $intent_id and r.policy_id = n.policy_id
     and r.number = n.number`,
)

/** Run it under the lock of all these counters. */
export const updateCounters = statement<
  never,
  {
    account_id: Id<'acct'>
    mode: Mode
    policy_ids: string[]
    windows: string[]
  }
>(
  'update_policy_counters',
  // guard tenant-of-written-counters: rows of other accounts and of the other mode do not exist for the caller
  `update policy_counters c set windows = n.windows::jsonb
   from unnest($policy_ids::text[], $windows::text[]) as n(policy_id, windows)
   where c.account_id = $account_id and c.mode = $mode and c.policy_id = n.policy_id`,
)

export const insertReservations = statement<
  never,
  Held & {
    policy_ids: string[]
    numbers: number[]
    versions: number[]
    amounts: bigint[]
    counts: number[]
    window_starts: string[]
    now: Date
  }
>(
  'insert_policy_reservations',
  `insert into policy_reservations (account_id, mode, intent_id, policy_id, number, version, amount, count, window_starts, state,
     created_at)
   select $account_id, $mode::mode, $intent_id, n.policy_id, n.number, n.version, n.amount, n.count, n.window_starts::jsonb,
     'reserved', $now::timestamptz
   from unnest($policy_ids::text[], $numbers::int[], $versions::int[], $amounts::bigint[], $counts::smallint[],
     $window_starts::text[]) as n(policy_id, number, version, amount, count, window_starts)`,
)

/** Ends the open reservations of a purchase; run it under the locks of `lockReservations` or `lockApplicablePolicies`. */
export const endReservations = statement<
  never,
  Held & {
    state: 'settled' | 'released' | 'exchanged'
    actual_amounts: (bigint | null)[]
    policy_ids: string[]
    now: Date
  }
>(
  'end_policy_reservations',
  // guard tenant-of-ended-reservations: rows of other accounts and of the other mode do not exist for the caller
  `update policy_reservations r set state = $state, actual_amount = n.actual_amount, ended_at = $now
   from unnest($policy_ids::text[], $actual_amounts::bigint[]) as n(policy_id, actual_amount)
   where r.account_id = $account_id and r.mode = $mode and r.intent_id = $intent_id and r.policy_id = n.policy_id
     and r.state = 'reserved'`,
)
