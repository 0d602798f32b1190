import type { ActingContext } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { type PriceParts, totalOf } from '../../selling/pricing/public.ts'
import {
  type LineItem,
  type OrderAddress,
  type OrderBuyer,
  type OrderCustomer,
  type OrderRow,
  renderOrder,
} from './order.ts'
import { insertOrder } from './orders.sql.ts'
import { orderEvents } from './write-order.ts'

/** How long a merchant may take to answer an order. */
export const orderExpiryHours = 24

/** The terms of a new order; only a lower price, before the merchant confirms, changes any of them. */
export type NewOrder = {
  id: Id<'ord'>
  merchant: { accountId: Id<'acct'>; name: string | null; slug: string | null; domain: string | null }
  /** The purchase that placed it; null where its buyer has no account here. Each attempt of a cart places at most one order. */
  purchase: { intentId: Id<'pi'>; cartId: Id<'cart'>; attempt: number } | null
  /** The buyer who has no account here. */
  buyer: OrderBuyer | null
  /** How its id is derived, and the ids of its refunds from its own. */
  quoteId: Id<'quo'> | null
  currency: string
  lineItems: LineItem[]
  /** Their total is the authorized amount. */
  amounts: PriceParts
  /** The rate that the tax was computed with (`selling/pricing`); null where the merchant named the tax itself. */
  taxBasisPoints: number | null
  customer: OrderCustomer
  shippingAddress: OrderAddress | null
}

/**
 * Queues a new order of `ctx.tenant` that awaits the merchant, with its payment authorized, and the events `order.requested` and
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
    purchase_intent_id: order.purchase?.intentId ?? null,
    cart_id: order.purchase?.cartId ?? null,
    attempt: order.purchase?.attempt ?? null,
    quote_id: order.quoteId,
    buyer: order.buyer,
    channel: 'native',
    order_url: null,
    status: 'awaiting_confirmation',
    payment_status: 'authorized',
    currency: order.currency,
    subtotal_amount: subtotal,
    fulfillment_amount: fulfillment,
    tax_amount: tax,
    discount_amount: discount,
    total_amount: totalOf(order.amounts),
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
    capture_reference: null,
    capture_rail: null,
    reservation_reference: null,
    confirmation_reference: null,
    dispute: null,
    note: null,
    cancel_reason: null,
    response_digest: null,
    responded_by_type: null,
    responded_by_id: null,
    responded_at: null,
    expires_at: expiresAt,
    due_at: expiresAt,
    seq: 2,
    created_at: ctx.now,
    updated_at: ctx.now,
  }
  ctx.tx.write(insertOrder(row))
  // The request is the first event: the merchant's answer names its id.
  const shown = renderOrder(row, 'buyer')
  for (const draft of orderEvents(row, 0, ['order.requested', 'payment.authorized'], shown))
    ctx.tx.emit(draft)
  return row
}
