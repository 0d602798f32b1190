import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { correlate, sql } from '../../../platform/database/fragment.ts'
import { firstEventOf } from '../../../platform/events/reads.sql.ts'
import { claimStatement } from '../../../platform/work/lease.sql.ts'
import type { Claimed } from '../../../platform/work/lease.ts'
import type { OrderRow } from './order.ts'

type Key = { account_id: Id<'acct'>; mode: Mode; id: string }
type MerchantKey = { merchant_account_id: Id<'acct'>; mode: Mode; id: string }

/** An order as its statements take it. */
export type OrderWrite = Omit<
  OrderRow,
  'line_items' | 'fulfillments' | 'adjustments' | 'refunds' | 'returns' | 'customer' | 'shipping_address'
> & {
  line_items: string
  fulfillments: string
  adjustments: string
  refunds: string
  returns: string
  customer: string
  shipping_address: string | null
}

export const columns = `account_id, mode, id, merchant_account_id, merchant_name, merchant_slug, merchant_domain, purchase_intent_id,
  cart_id, attempt, quote_id, status, payment_status, currency, subtotal_amount, fulfillment_amount, tax_amount,
  discount_amount, total_amount, authorized_amount, tax_basis_points, line_items, fulfillments, adjustments, refunds, returns,
  refunds_amount, customer, shipping_address, reservation_reference, confirmation_reference, note, cancel_reason, response_digest, responded_by_type, responded_by_id, responded_at, expires_at,
  due_at, seq, created_at, updated_at, id_scheme`

export const insertOrder = statement<never, OrderWrite>(
  'insert_order',
  `insert into orders (${columns})
   values ($account_id, $mode, $id, $merchant_account_id, $merchant_name, $merchant_slug, $merchant_domain,
     $purchase_intent_id, $cart_id, $attempt, $quote_id, $status, $payment_status, $currency, $subtotal_amount,
     $fulfillment_amount, $tax_amount, $discount_amount, $total_amount, $authorized_amount, $tax_basis_points, $line_items,
     $fulfillments, $adjustments, $refunds, $returns, $refunds_amount, $customer,
     $shipping_address, $reservation_reference, $confirmation_reference, $note, $cancel_reason, $response_digest,
     $responded_by_type, $responded_by_id, $responded_at, $expires_at, $due_at, $seq, $created_at, $updated_at, $id_scheme)`,
)

export const selectOrder = statement<OrderRow, Key>(
  'select_order',
  `select ${columns} from orders where account_id = $account_id and mode = $mode and id = $id`,
)

/** Holds the order until the transaction ends: of two decisions about it, the second sees the first. */
export const lockOrder = statement<OrderRow, Key>(
  'lock_order',
  `select ${columns} from orders where account_id = $account_id and mode = $mode and id = $id for update`,
)

export const selectMerchantOrder = statement<OrderRow, MerchantKey>(
  'select_merchant_order',
  `select ${columns} from orders where merchant_account_id = $merchant_account_id and mode = $mode and id = $id`,
)

const requested = correlate(firstEventOf, {
  account_id: 'o.account_id',
  mode: 'o.mode',
  aggregate_id: 'o.id',
})

/** The merchant's lock on an order that another account owns; with the id of the event that asked the merchant. */
export const lockMerchantOrder = statement<OrderRow & { requested_event_id: string | null }, MerchantKey>(
  'lock_merchant_order',
  sql`select ${columns}, ${requested} as requested_event_id
   from orders o where o.merchant_account_id = $merchant_account_id and o.mode = $mode and o.id = $id for update of o`,
)

/** How an order is decided and paid. */
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

/** What happens to an order beside that. */
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
  | 'refunds_amount'

type ChangeWrite<Column extends keyof OrderWrite> = Pick<
  OrderWrite,
  'account_id' | 'mode' | 'id' | 'seq' | 'updated_at' | Column
>

/** Under a lock. What the order holds is left alone. */
export const updateOrder = statement<never, ChangeWrite<DecisionColumn>>(
  'update_order',
  `update orders set status = $status, payment_status = $payment_status, reservation_reference = $reservation_reference,
     confirmation_reference = $confirmation_reference, note = $note, cancel_reason = $cancel_reason,
     response_digest = $response_digest, responded_by_type = $responded_by_type, responded_by_id = $responded_by_id,
     responded_at = $responded_at, due_at = $due_at, lease_until = null, seq = $seq, updated_at = $updated_at
   where account_id = $account_id and mode = $mode and id = $id`,
)

/** Under a lock. What the order was placed with never changes. */
export const reviseOrder = statement<never, ChangeWrite<RevisionColumn>>(
  'revise_order',
  `update orders set status = $status, payment_status = $payment_status, subtotal_amount = $subtotal_amount,
     tax_amount = $tax_amount, total_amount = $total_amount, authorized_amount = $authorized_amount, fulfillments = $fulfillments,
     adjustments = $adjustments, refunds = $refunds, returns = $returns, refunds_amount = $refunds_amount, seq = $seq,
     updated_at = $updated_at
   where account_id = $account_id and mode = $mode and id = $id`,
)

export type ClaimedOrder = Claimed & { id: Id<'ord'> }

/** Only orders whose time is up are ever due. */
export const claimDueOrders = claimStatement<ClaimedOrder>('orders')

/** Held by the worker that claimed it, as long as its lease is the last one and the order still waits. */
export const lockDueOrder = statement<OrderRow, Key & { lease_token: bigint }>(
  'lock_due_order',
  `select ${columns} from orders
   where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token
     and status = 'awaiting_confirmation' and expires_at <= prokura_now()
   for update`,
)
