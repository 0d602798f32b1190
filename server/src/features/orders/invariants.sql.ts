import { statement } from '../../contract/statement.ts'
import type { InvariantRow } from '../../platform/audit/invariants.ts'

type Nothing = Record<never, never>

// An order whose capture failed was decided by its confirmation; the cancellation only follows from the failure.
export const checkDecisions = statement<InvariantRow, Nothing>(
  'invariant_one_decision',
  `/* tenantless: invariants hold for everybody */
   with decisions as (
     select o.id, o.status,
       count(*) filter (where e.type in ('order.confirmed', 'order.rejected', 'order.expired', 'order.cancelled'))
         - count(*) filter (where e.type = 'payment.failed') as decisions
     from orders o
     left join events e on e.account_id = o.account_id and e.mode = o.mode and e.aggregate_id = o.id
     group by o.account_id, o.mode, o.id
   )
   select count(*) as checked,
     (array_agg(id) filter (
       where decisions <> case when status = 'awaiting_confirmation' then 0 else 1 end))[1:100] as violations
   from decisions`,
)

export const checkAnswers = statement<InvariantRow, Nothing>(
  'invariant_one_answer',
  `/* tenantless: invariants hold for everybody */
   with answers as (
     select o.id, o.response_digest is not null as is_answered, count(e.id) as answers,
       bool_and(e.actor_type = o.responded_by_type and e.actor_id is not distinct from o.responded_by_id) as is_theirs
     from orders o
     left join events e on e.account_id = o.account_id and e.mode = o.mode and e.aggregate_id = o.id
       and e.type in ('order.confirmed', 'order.rejected')
     group by o.account_id, o.mode, o.id
   )
   select count(*) as checked,
     (array_agg(id) filter (
       where answers <> is_answered::int or (is_answered and is_theirs is not true)))[1:100] as violations
   from answers`,
)

export const checkLateAnswers = statement<InvariantRow, Nothing>(
  'invariant_no_late_answer',
  `/* tenantless: invariants hold for everybody */
   select count(*) as checked,
     (array_agg(o.id) filter (where o.responded_at >= o.expires_at or exists (
       select 1 from events ended
       join events answer on answer.account_id = ended.account_id and answer.mode = ended.mode
         and answer.aggregate_id = ended.aggregate_id and answer.sequence > ended.sequence
         and answer.type in ('order.confirmed', 'order.rejected')
       where ended.account_id = o.account_id and ended.mode = o.mode and ended.aggregate_id = o.id
         and ended.type in ('order.expired', 'order.cancelled'))))[1:100] as violations
   from orders o`,
)

export const checkPayments = statement<InvariantRow, Nothing>(
  'invariant_order_payments',
  `/* tenantless: invariants hold for everybody */
   select count(*) as checked,
     (array_agg(id) filter (where
       (status in ('confirmed', 'fulfilling', 'completed') and payment_status in ('voided', 'failed'))
       or (status in ('awaiting_confirmation', 'rejected', 'expired', 'cancelled')
         and payment_status in ('captured', 'partially_refunded', 'refunded'))))[1:100] as violations
   from orders`,
)

export const checkModes = statement<InvariantRow, Nothing>(
  'invariant_order_modes',
  `/* tenantless: invariants hold for everybody */
   select count(*) as checked, (array_agg(o.id) filter (where i.id is null))[1:100] as violations
   from orders o
   cross join lateral jsonb_array_elements(o.line_items) as line
   left join catalog_items i on i.account_id = o.merchant_account_id and i.mode = o.mode
     and i.id = line ->> 'catalog_item_id'
   where line ->> 'catalog_item_id' is not null`,
)

export const checkExpiries = statement<InvariantRow, Nothing>(
  'invariant_order_expiries',
  `/* tenantless: invariants hold for everybody */
   select count(*) as checked,
     (array_agg(id) filter (where expires_at < prokura_now() - interval '60 seconds'))[1:100] as violations
   from orders where status = 'awaiting_confirmation'`,
)

export const checkRepeats = statement<InvariantRow, Nothing>(
  'invariant_order_repeats',
  `/* tenantless: invariants hold for everybody */
   with repeated as (
     select cart_id from orders where cart_id is not null
     group by account_id, mode, cart_id, attempt having count(*) > 1
     union
     select cart_id from orders where cart_id is not null and status not in ('rejected', 'expired', 'cancelled')
     group by account_id, mode, cart_id having count(*) > 1)
   select (select count(*) from orders) as checked,
     (select array_agg(cart_id) from (select cart_id from repeated limit 100) as first_ones) as violations`,
)
