import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'

/** The carts whose orders have these ids. */
export const selectOrdersNamed = statement<
  { account_id: Id<'acct'>; mode: Mode; id: Id<'ord'>; cart_id: Id<'cart'> | null },
  { account_ids: readonly string[]; modes: readonly string[]; ids: readonly string[] }
>(
  'select_orders_named',
  `/* tenantless: each order is named with its own account_id and mode */
   select o.account_id, o.mode, o.id, o.cart_id from orders o
   join unnest($account_ids::text[], $modes::mode[], $ids::text[]) as named (account_id, mode, id)
     on o.account_id = named.account_id and o.mode = named.mode and o.id = named.id`,
)

/**
 * Orders under the first scheme whose sibling in the same purchase was refunded: the id of their next refund may be that of one of those
 * refunds.
 */
export const selectSiblingsOfRefunded = statement<
  { account_id: Id<'acct'>; mode: Mode; id: Id<'ord'>; refunds: number },
  Record<never, never>
>(
  'select_siblings_of_refunded',
  `/* tenantless: an operator's repair looks through every tenant; each row names its own */
   select o.account_id, o.mode, o.id, jsonb_array_length(o.refunds) as refunds
   from orders o
   where o.id_scheme = 1 and o.payment_status in ('captured', 'partially_refunded')
     and exists (
       select 1 from orders s join order_refunds r on r.account_id = s.account_id and r.mode = s.mode and r.order_id = s.id
       where s.account_id = o.account_id and s.mode = o.mode and s.purchase_intent_id = o.purchase_intent_id and s.id <> o.id)
   order by o.account_id, o.mode, o.id`,
)

/** Which of these ids belong to refunds. */
export const selectRefundsNamed = statement<
  { account_id: Id<'acct'>; mode: Mode; id: Id<'rfd'>; order_id: Id<'ord'> },
  { account_ids: readonly string[]; modes: readonly string[]; ids: readonly string[] }
>(
  'select_refunds_named',
  `/* tenantless: each refund is named with its own account_id and mode */
   select r.account_id, r.mode, r.id, r.order_id from order_refunds r
   join unnest($account_ids::text[], $modes::mode[], $ids::text[]) as named (account_id, mode, id)
     on r.account_id = named.account_id and r.mode = named.mode and r.id = named.id`,
)
