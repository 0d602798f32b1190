import { statement } from '../../../contract/statement.ts'
import type { Invariant, InvariantRow } from '../../../platform/audit/invariants.ts'

type Nothing = Record<never, never>

/** Each state of a sale has its state of the order and of the payment; no other order of a buyer without an account exists. */
const checkSales = statement<InvariantRow, Nothing>(
  'invariant_sales',
  `/* tenantless: invariants hold for everybody */
   with both_sides as (
     select coalesce(s.id, o.id) as id, s.state, s.amount, s.captured_amount, s.capture_reference, s.failure, o.payment_status, o.status,
       o.total_amount, o.capture_reference as shown_reference, o.authorized_amount
     from sales s
     full join (select * from orders where buyer is not null) o
       on o.account_id = s.account_id and o.mode = s.mode and o.id = s.order_id)
   select count(*) as checked,
     (array_agg(id) filter (where not coalesce(case state
       when 'charging' then payment_status is null
       when 'declined' then payment_status is null
       when 'undoing' then payment_status is null
       when 'ordered' then payment_status = 'authorized' and coalesce(authorized_amount, total_amount) = amount
       when 'capturing' then payment_status = 'authorized' and status in ('confirmed', 'fulfilling', 'completed')
       when 'captured' then payment_status in ('captured', 'partially_refunded', 'refunded')
         and captured_amount = total_amount and capture_reference = shown_reference
       when 'releasing' then payment_status = case when failure is null then 'authorized' else 'failed' end
         and status in ('rejected', 'expired', 'cancelled')
       when 'released' then payment_status = 'voided' and status in ('rejected', 'expired', 'cancelled')
       when 'unpaid' then payment_status = 'failed' and status = 'cancelled'
     end, false)))[1:100] as violations
   from both_sides`,
)

const checkSaleWork = statement<InvariantRow, Nothing>(
  'invariant_sale_work',
  `/* tenantless: invariants hold for everybody */
   select count(*) as checked,
     (array_agg(id) filter (where due_at < prokura_now() - interval '60 seconds'
       and (lease_until is null or lease_until < prokura_now() - interval '60 seconds')))[1:100] as violations
   from sales`,
)

export const saleInvariants: readonly Invariant[] = [
  {
    id: 'M5-sales',
    title:
      'Each sale to a buyer without an account has the order and the payment that its state says, and no such order is without its sale',
    statement: checkSales({}),
  },
  {
    id: 'W2-sales',
    title: 'No sale waits past its time',
    needsWorkers: true,
    statement: checkSaleWork({}),
  },
]
