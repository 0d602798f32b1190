import type { ActingContext } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { type PriceParts, totalOf } from '../../selling/pricing/public.ts'
import type { OrderChannel } from './machine.ts'
import { type LineItem, type OrderAddress, type OrderCustomer, type OrderRow, renderOrder } from './order.ts'
import { insertOrder } from './orders.sql.ts'
import { orderEvents } from './write-order.ts'

/** An order that a purchase has placed at a stranger, which nobody here can answer. */
type NewStrangerOrder = {
  readonly id: Id<'ord'>
  readonly channel: Exclude<OrderChannel, 'native'>
  readonly merchant: { readonly name: string; readonly domain: string }
  readonly purchase: { readonly intentId: Id<'pi'>; readonly cartId: Id<'cart'>; readonly attempt: number }
  /** The merchant's own; null: it has not said any so far. */
  readonly reference: string | null
  readonly url: string | null
  readonly isCaptured: boolean
  readonly currency: string
  readonly lineItems: LineItem[]
  readonly amounts: PriceParts
  readonly customer: OrderCustomer
  readonly shippingAddress: OrderAddress | null
}

/** Queues a new order of `ctx.tenant` that its merchant has taken, and the event `order.placed`. Nothing is awaited. */
export function placeStrangerOrder(ctx: ActingContext, order: NewStrangerOrder): OrderRow {
  const { subtotal, fulfillment, tax, discount } = order.amounts
  const row: OrderRow = {
    account_id: ctx.tenant.accountId,
    mode: ctx.tenant.mode,
    id: order.id,
    merchant_account_id: null,
    merchant_name: order.merchant.name,
    merchant_slug: null,
    merchant_domain: order.merchant.domain,
    purchase_intent_id: order.purchase.intentId,
    cart_id: order.purchase.cartId,
    attempt: order.purchase.attempt,
    quote_id: null,
    buyer: null,
    channel: order.channel,
    order_url: order.url,
    status: 'confirmed',
    payment_status: order.isCaptured ? 'captured' : 'authorized',
    currency: order.currency,
    subtotal_amount: subtotal,
    fulfillment_amount: fulfillment,
    tax_amount: tax,
    discount_amount: discount,
    total_amount: totalOf(order.amounts),
    authorized_amount: null,
    tax_basis_points: null,
    line_items: order.lineItems,
    fulfillments: [],
    adjustments: [],
    refunds: [],
    returns: [],
    dispute: null,
    refunds_amount: 0n,
    customer: order.customer,
    shipping_address: order.shippingAddress,
    capture_reference: null,
    capture_rail: null,
    reservation_reference: null,
    confirmation_reference: order.reference,
    note: null,
    cancel_reason: null,
    response_digest: null,
    responded_by_type: null,
    responded_by_id: null,
    responded_at: null,
    expires_at: null,
    due_at: null,
    seq: 1,
    created_at: ctx.now,
    updated_at: ctx.now,
  }
  ctx.tx.write(insertOrder(row))
  for (const draft of orderEvents(row, 0, ['order.placed'], renderOrder(row, 'buyer'))) ctx.tx.emit(draft)
  return row
}
