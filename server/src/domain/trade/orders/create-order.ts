import type { ActingContext } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import type { IdScheme } from '../../../platform/ids/derived-id.ts'
import { type LineItem, type OrderAddress, type OrderCustomer, type OrderRow, renderOrder } from './order.ts'
import { insertOrder } from './orders.sql.ts'
import { orderEvents, writeOf } from './write-order.ts'

/** How long a merchant may take to answer. */
export const orderExpiryHours = 24

/** What an order is placed with; only a lower price, before the merchant confirms, changes any of it. */
export type NewOrder = {
  id: Id<'ord'>
  merchant: { accountId: Id<'acct'>; name: string | null; slug: string | null; domain: string | null }
  purchaseIntentId: Id<'pi'>
  cartId: Id<'cart'>
  /** The cart's attempt: each places at most one order. */
  attempt: number
  /** How its id follows from the cart's, and how the ids of its refunds will follow from its own. */
  idScheme: IdScheme
  quoteId: Id<'quo'> | null
  currency: string
  lineItems: LineItem[]
  /** The authorized amount is subtotal + fulfillment + tax - discount. */
  amounts: { subtotal: bigint; fulfillment: bigint; tax: bigint; discount: bigint }
  /** The rate that the tax was computed with (`taxOf`); null where the merchant named the tax itself. */
  taxBasisPoints: number | null
  customer: OrderCustomer
  shippingAddress: OrderAddress | null
}

/**
 * Queues a new order of `ctx.tenant` that awaits the merchant, its payment authorized, with `order.requested` and
 * `payment.authorized`. Nothing is awaited.
 */
export function createOrderInTx(ctx: ActingContext, order: NewOrder): OrderRow {
  const { subtotal, fulfillment, tax, discount } = order.amounts
  const expiresAt = new Date(ctx.now.getTime() + orderExpiryHours * 3_600_000)
  const row: OrderRow = {
    account_id: ctx.tenant.accountId,
    mode: ctx.tenant.mode,
    id: order.id,
    merchant_account_id: order.merchant.accountId,
    merchant_name: order.merchant.name,
    merchant_slug: order.merchant.slug,
    merchant_domain: order.merchant.domain,
    purchase_intent_id: order.purchaseIntentId,
    cart_id: order.cartId,
    attempt: order.attempt,
    quote_id: order.quoteId,
    status: 'awaiting_confirmation',
    payment_status: 'authorized',
    currency: order.currency,
    subtotal_amount: subtotal,
    fulfillment_amount: fulfillment,
    tax_amount: tax,
    discount_amount: discount,
    total_amount: subtotal + fulfillment + tax - discount,
    authorized_amount: null,
    tax_basis_points: order.taxBasisPoints,
    line_items: order.lineItems,
    fulfillments: [],
    adjustments: [],
    refunds: [],
    returns: [],
    refunds_amount: 0n,
    customer: order.customer,
    shipping_address: order.shippingAddress,
    reservation_reference: null,
    confirmation_reference: null,
    note: null,
    cancel_reason: null,
    response_digest: null,
    responded_by_type: null,
    responded_by_id: null,
    responded_at: null,
    expires_at: expiresAt,
    due_at: expiresAt,
    id_scheme: order.idScheme,
    seq: 2,
    created_at: ctx.now,
    updated_at: ctx.now,
  }
  ctx.tx.write(insertOrder(writeOf(row)))
  // The request is the first event: its id is what the merchant's answer names.
  const shown = renderOrder(row, 'buyer')
  for (const draft of orderEvents(row, 0, ['order.requested', 'payment.authorized'], shown))
    ctx.tx.emit(draft)
  return row
}
