import { statement } from '../../../contract/statement.ts'
import type { Invariant, InvariantRow } from '../../../platform/audit/invariants.ts'

const checkCounters = statement<InvariantRow, Record<never, never>>(
  'invariant_promotion_counters',
  `/* tenantless: checks every tenant's rows, for the operator */
   with used as (
     select account_id, mode, promotion_id, count(*) as uses, sum(discount_amount) as amount from promotion_redemptions
     where state <> 'released' group by account_id, mode, promotion_id),
   broken as (
     select c.promotion_id as id from promotion_counters c
     left join used u on u.account_id = c.account_id and u.mode = c.mode and u.promotion_id = c.promotion_id
     where c.uses <> coalesce(u.uses, 0) or c.discount_amount <> coalesce(u.amount, 0))
   select (select count(*) from promotion_counters) as checked, (select (array_agg(id))[1:100] from broken) as violations`,
)

/** An order has the discount that its uses were counted with together, and they end as the order does. */
const checkUses = statement<InvariantRow, Record<never, never>>(
  'invariant_promotion_uses',
  `/* tenantless: checks every tenant's rows, for the operator */
   with used as (
     select account_id, mode, order_id, sum(discount_amount) as discount_amount from promotion_redemptions
     where order_id is not null group by account_id, mode, order_id)
   select count(*) as checked,
     (array_agg(r.id) filter (where o.discount_amount is distinct from u.discount_amount
       or o.currency is distinct from r.currency
       or (r.state = 'settled' and o.status in ('awaiting_confirmation', 'rejected', 'expired'))
       or (r.state = 'released' and o.status not in ('rejected', 'expired', 'cancelled'))))[1:100] as violations
   from promotion_redemptions r
   join used u on u.account_id = r.account_id and u.mode = r.mode and u.order_id = r.order_id
   left join orders o on o.merchant_account_id = r.account_id and o.mode = r.mode and o.id = r.order_id
   where r.order_id is not null`,
)

export const promotionInvariants: readonly Invariant[] = [
  {
    id: 'M11',
    title: "The counters of a promotion's caps equal the sum of its uses",
    statement: checkCounters({}),
  },
  {
    id: 'M12',
    title:
      'An order has the discount that was reserved for it, and the use of the promotion ends as the order does',
    statement: checkUses({}),
  },
]
