import { statement } from '../../contract/statement.ts'
import { applicablePolicies, type PurchaseScope } from './policies.sql.ts'

/*
 * What was decided from facts that were read without a lock is written under the locks of these facts. All statements here end the
 * transaction as one that cannot be serialized when a fact is another by now: so they can travel with the commit, and nobody holds a
 * lock while an answer is on its way.
 */

/**
 * The windows of the policy `locked` with the amount of `decided` reserved in each, as `rollTo` and `withHeld` have them. `starts` of
 * `decided` has the window of each interval at this moment, after those that were decided from. Starts are compared as text: no time is
 * computed here.
 */
export const windowsAfter = `select jsonb_object_agg(began.name, used.of_it) as windows, jsonb_object_agg(began.name, used.of_it -> 'start') as starts
       from jsonb_each_text(decided.starts::jsonb) as began(name, start)
       cross join lateral (select locked.windows -> began.name as of_it) before
       cross join lateral (
         select case when (before.of_it ->> 'start') collate "C" >= began.start collate "C"
           then before.of_it || jsonb_build_object('count', (before.of_it ->> 'count')::int + 1,
             'reserved', ((before.of_it ->> 'reserved')::bigint + decided.amount)::text)
           else jsonb_build_object('start', began.start, 'reserved', decided.amount::text, 'spent', '0', 'count', 1)
         end as of_it) used`

/** Whether no window of `after` exceeds its limit in `locked`. */
export const roomAfter = `select coalesce(bool_and(
         coalesce((used ->> 'reserved')::bigint + (used ->> 'spent')::bigint <= (most ->> 'max_amount')::bigint, true)
         and coalesce((used ->> 'count')::bigint <= (most ->> 'max_count')::bigint, true)), true) as is_enough
       from jsonb_array_elements(locked.limits) most
       cross join lateral (select after.windows -> (most ->> 'interval') as used) its`

/**
 * A new purchase's reservations: locks what `lockApplicablePolicies` locks, and adds to the counters. It refuses unless these are the
 * policies that were decided from, in the same versions, and no window exceeds its limit. The windows are those of `rollTo` and
 * `withHeld`.
 */
export const reserveAsDecided = statement<
  never,
  PurchaseScope & {
    intent_id: string
    policy_ids: string[]
    versions: number[]
    amounts: bigint[]
    /** The start of each interval's window. */
    starts: string[]
    now: Date
  }
>(
  'hold_as_decided',
  // guard held-under-the-version-decided-by: a purchase that was decided by an old version of a policy is decided again
  // guard held-within-limits: a purchase that was allowed when there was room is not held when there is none
  // guard held-under-every-policy: a purchase is not held past a policy that applies by now
  `with locked as (
     select p.id, p.version, p.terms #> '{limits,intervals}' as limits, c.windows
     from ${applicablePolicies}
     order by p.id
     for no key update of p, c
   ), held as materialized (
     select id, decided.version, decided.amount, locked.windows || after.windows as windows, after.starts,
       case when locked.version = decided.version and room.is_enough then true
         else refuse_stale_decision() end as is_sound
     from unnest($policy_ids::text[], $versions::int[], $amounts::bigint[], $starts::text[])
       as decided(id, version, amount, starts)
     full join locked using (id)
     left join lateral (
       ${windowsAfter}
     ) after on true
     left join lateral (
       ${roomAfter}
     ) room on true
   ), counted as (
     update policy_counters c set windows = held.windows
     from held
     where c.account_id = $account_id and c.mode = $mode and c.policy_id = held.id
   )
   insert into policy_reservations (account_id, mode, intent_id, policy_id, number, version, amount, count, window_starts, state,
     created_at)
   select $account_id, $mode::mode, $intent_id, id, 1, version, amount, 1, starts, 'reserved', $now::timestamptz
   from held where is_sound`,
)
