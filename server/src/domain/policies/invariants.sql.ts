import { statement } from '../../contract/statement.ts'
import type { Invariant, InvariantRow } from '../../platform/audit/invariants.ts'

/**
 * M7. Every window's sum is computed from the reservations themselves, so ended windows are checked like those that run. It is
 * compared with the limit of the version that granted the window's last reservation: under the policy's lock versions only rise, so that
 * is the highest one. Then each window that was last used must equal the sum of its reservations.
 */
export const checkWindows = statement<InvariantRow, Record<never, never>>(
  'invariant_policy_windows',
  `/* tenantless: checks every tenant's rows, for the operator */
   with used as (
     select r.account_id, r.mode, r.policy_id, w.key as interval, w.value as start,
       coalesce(sum(r.amount) filter (where r.state = 'reserved'), 0) as reserved,
       coalesce(sum(r.actual_amount) filter (where r.state = 'settled'), 0) as spent,
       coalesce(sum(r.count) filter (where r.state in ('reserved', 'settled')), 0) as count,
       max(r.version) as last_version
     from policy_reservations r, jsonb_each_text(r.window_starts) w
     group by r.account_id, r.mode, r.policy_id, w.key, w.value),
   newest as (
     select account_id, mode, policy_id, interval, max(start) as start from policy_windows group by 1, 2, 3, 4),
   held as (
     select u.*, w.reserved as counted_reserved, w.spent as counted_spent, w.count as counted, n.start = u.start as is_current
     from used u
     left join newest n on n.account_id = u.account_id and n.mode = u.mode and n.policy_id = u.policy_id and n.interval = u.interval
     left join policy_windows w on w.account_id = u.account_id and w.mode = u.mode and w.policy_id = u.policy_id
       and w.interval = u.interval and w.start = u.start),
   judged as (
     select h.*,
       (limits.value ->> 'max_amount')::numeric as max_amount,
       (limits.value ->> 'max_count')::numeric as max_count
     from held h
     join policy_versions v on v.account_id = h.account_id and v.mode = h.mode and v.policy_id = h.policy_id
       and v.version = h.last_version
     left join lateral (
       select value from jsonb_array_elements(v.terms -> 'limits' -> 'intervals') where value ->> 'interval' = h.interval
     ) limits on true),
   broken as (
     select policy_id || ' ' || interval || ' ' || start as id from judged
     where reserved + spent > max_amount or count > max_count
       or (is_current and (
         reserved <> counted_reserved or spent <> counted_spent or count <> counted))
     order by 1 limit 100)
   select (select count(*) from judged) as checked, (select array_agg(id) from broken) as violations`,
)

/** M8. The states and the unique index allow only one end; they cannot see a purchase that has ended and still holds a reservation. */
const checkReservations = statement<InvariantRow, Record<never, never>>(
  'invariant_policy_reservations',
  `/* tenantless: checks every tenant's rows, for the operator */
   with broken as (
     select r.intent_id || ' ' || r.policy_id || ' ' || r.number as id
     from policy_reservations r
     left join purchase_intents i on i.account_id = r.account_id and i.mode = r.mode and i.id = r.intent_id
     where (r.state = 'reserved' and (i.id is null or i.status in ('succeeded', 'cancelled', 'declined')))
       or (r.state = 'settled' and r.actual_amount > r.amount)
       or (r.state <> 'reserved' and r.ended_at < r.created_at)
       or exists (
         select 1 from policy_reservations other
         where other.account_id = r.account_id and other.mode = r.mode and other.intent_id = r.intent_id
           and other.policy_id = r.policy_id and other.number > r.number and r.state = 'reserved')
     order by 1 limit 100)
   select (select count(*) from policy_reservations) as checked, (select array_agg(id) from broken) as violations`,
)

export const policyInvariants: readonly Invariant[] = [
  {
    id: 'M7',
    title:
      'What a policy window has reserved and spent is within the limits of the policy version that granted its last reservation',
    statement: checkWindows({}),
  },
  {
    id: 'M8',
    title: 'A reservation ends only once, and no purchase that has ended holds one',
    statement: checkReservations({}),
  },
]
