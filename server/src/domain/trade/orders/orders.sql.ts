import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { aggregate, type Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { forMany } from '../../../platform/database/for-many.ts'
import { correlate, sql } from '../../../platform/database/fragment.ts'
import { firstEventOf } from '../../../platform/events/reads.sql.ts'
import { claimStatement } from '../../../platform/work/lease.sql.ts'
import type { Claimed } from '../../../platform/work/lease.ts'
import type { OrderRow } from './order.ts'

type Key = Tenanted & { id: string }
type MerchantKey = { merchant_account_id: Id<'acct'>; mode: Mode; id: string }

const orders = aggregate<OrderRow>()({
  table: 'orders',
  columns: `account_id, mode, id, merchant_account_id, merchant_name, merchant_slug, merchant_domain, purchase_intent_id,
    cart_id, attempt, quote_id, status, payment_status, currency, subtotal_amount, fulfillment_amount, tax_amount,
    discount_amount, total_amount, authorized_amount, tax_basis_points, line_items, fulfillments, adjustments, refunds, returns,
    refunds_amount, customer, shipping_address, reservation_reference, confirmation_reference, note, cancel_reason,
    response_digest, responded_by_type, responded_by_id, responded_at, expires_at, due_at, seq, created_at, updated_at,
    buyer, capture_reference, capture_rail, channel, order_url, dispute`,
  key: ['id'],
  json: [
    'line_items',
    'fulfillments',
    'adjustments',
    'refunds',
    'returns',
    'customer',
    'shipping_address',
    'buyer',
    'dispute',
  ],
})
export const { columns, differences: orderDifferences } = orders

export const insertOrder = orders.insert('insert_order')
export const selectOrder = orders.select('select_order')
export const selectOrders = statement<OrderRow, Tenanted & { ids: readonly string[] }>(
  'select_orders_by_ids',
  // guard tenant-of-orders-by-ids: rows of other accounts and of the other mode do not exist for the caller
  `select ${columns} from orders where account_id = $account_id and mode = $mode and id = any($ids::text[]) order by id`,
)
/** Of two decisions about an order, the second sees the first. An order belongs to one purchase. */
// guard buyers-order-is-locked: a cancel sees the answer that came just before it
export const lockOrder = forMany<OrderRow, Key>('lock_order', orders.lock('lock_order', 'for update'))

export const selectMerchantOrder = statement<OrderRow, MerchantKey>(
  'select_merchant_order',
  // guard tenant-of-order-of-a-merchant: rows of other accounts and of the other mode do not exist for the caller
  `select ${columns} from orders where merchant_account_id = $merchant_account_id and mode = $mode and id = $id`,
)

const requested = correlate(firstEventOf, {
  account_id: 'o.account_id',
  mode: 'o.mode',
  aggregate_id: 'o.id',
})

/** The merchant's lock on an order that another account owns, with the id of the event that asked the merchant. */
export const lockMerchantOrder = statement<OrderRow & { requested_event_id: string | null }, MerchantKey>(
  'lock_merchant_order',
  // guard merchants-order-is-locked: of two answers at once the second sees the first
  // guard tenant-of-answered-order: rows of other accounts and of the other mode do not exist for the caller
  sql`select ${columns}, ${requested} as requested_event_id
   from orders o where o.merchant_account_id = $merchant_account_id and o.mode = $mode and o.id = $id for update of o`,
)

/** The columns of an order's decision and payment. */
export type DecisionColumn =
  | 'status'
  | 'payment_status'
  | 'reservation_reference'
  | 'confirmation_reference'
  | 'note'
  | 'cancel_reason'
  | 'response_digest'
  | 'responded_by_type'
  | 'responded_by_id'
  | 'responded_at'
  | 'due_at'
  | 'capture_reference'
  | 'capture_rail'

/** The columns of everything else that happens to an order. */
export type RevisionColumn =
  | 'status'
  | 'payment_status'
  | 'subtotal_amount'
  | 'tax_amount'
  | 'total_amount'
  | 'authorized_amount'
  | 'fulfillments'
  | 'adjustments'
  | 'refunds'
  | 'returns'
  | 'dispute'
  | 'refunds_amount'
  | 'confirmation_reference'
  | 'order_url'

/** What the order holds is left alone. */
export const updateOrder = orders.change('update_order', { endsLease: true })

/** What the order was placed with never changes. */
export const reviseOrder = orders.change('revise_order')

export type ClaimedOrder = Claimed & { id: Id<'ord'> }

/** Only orders whose time is over are ever due. */
export const claimDueOrders = claimStatement<ClaimedOrder>('orders')

/** For the worker that claimed it, as long as its lease is the last one and the order still waits. */
export const lockDueOrder = statement<OrderRow, Key & { lease_token: bigint }>(
  'lock_due_order',
  // guard order-expiry-under-its-lease: a worker that lost an order does not expire it
  // guard order-expires-when-waiting: an order that was answered does not expire
  `select ${columns} from orders
   where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token
     and status = 'awaiting_confirmation' and expires_at <= prokura_now()
   for update`,
)
