import type { Mode } from '../../../contract/context.ts'
import type { Fragment } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { sql } from '../../../platform/database/fragment.ts'
import type { OrderRow } from './order.ts'
import type { RefundRow } from './refunds.sql.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }

/** An order by its merchant. */
export const orderOfMerchant: Fragment<
  Pick<
    OrderRow,
    | 'account_id'
    | 'mode'
    | 'id'
    | 'status'
    | 'payment_status'
    | 'total_amount'
    | 'currency'
    | 'created_at'
    | 'responded_at'
    | 'responded_by_type'
    | 'responded_by_id'
  >,
  Tenanted & { order_id: string | null }
> = sql`select account_id, mode, id, status, payment_status, total_amount, currency, created_at, responded_at, responded_by_type,
     responded_by_id
   from orders where merchant_account_id = $account_id and mode = $mode and id = $order_id`

/** The orders that a merchant has received. */
export const ordersOfMerchant: Fragment<{ id: Id<'ord'> }, Tenanted> =
  sql`select id from orders where merchant_account_id = $account_id and mode = $mode`

/** Which of the ids are orders, and of which purchases. */
export const ordersOfPurchases: Fragment<
  { id: Id<'ord'>; purchase_intent_id: Id<'pi'> | null },
  Tenanted & { ids: readonly string[] }
> =
  sql`select id, purchase_intent_id from orders where account_id = $account_id and mode = $mode and id = any($ids::text[])`

/** What was given back of these orders, or is to be, as work for a rail. */
// guard tenant-of-refunds-of-orders: rows of other accounts and of the other mode do not exist for the caller
export const refundsOfOrders: Fragment<
  Pick<
    RefundRow,
    'id' | 'order_id' | 'amount' | 'currency' | 'rail' | 'status' | 'reference' | 'created_at' | 'settled_at'
  >,
  Tenanted & { order_ids: readonly string[] }
> = sql`select id, order_id, amount, currency, rail, status, reference, created_at, settled_at from order_refunds
   where account_id = $account_id and mode = $mode and order_id = any($order_ids::text[]) order by id`

type OfHold = Pick<OrderRow, 'account_id' | 'merchant_account_id' | 'currency'> & { order_id: Id<'ord'> }

/** The order that a hold has paid: of the attempt of a cart, or of a sale, whose order names it itself. For live mode alone. */
export function orderOfHold<Params>(
  attempt: Fragment<{ account_id: Id<'acct'>; mode: Mode; cart_id: string; attempt: number }, Params>,
): Fragment<OfHold, Params & { mode: Mode; hold: string }> {
  return sql`select o.account_id, o.id as order_id, o.merchant_account_id, o.currency from ${attempt} a
     join orders o on o.account_id = a.account_id and o.mode = a.mode and o.cart_id = a.cart_id and o.attempt = a.attempt
   union all
   select account_id, id, merchant_account_id, currency from orders
   where mode = $mode and mode = 'live' and capture_reference is not null and capture_reference = $hold` as Fragment<
    OfHold,
    Params & { mode: Mode; hold: string }
  >
}
