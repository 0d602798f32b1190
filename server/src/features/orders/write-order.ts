import type { ActingContext, EventDraft } from '../../contract/context.ts'
import { toWire } from '../../core/money.ts'
import { type Order, type OrderRow, ownerOf, renderOrder } from './order.ts'
import { type OrderWrite, updateOrder } from './orders.sql.ts'

export type OrderEventType =
  | 'order.requested'
  | 'order.confirmed'
  | 'order.rejected'
  | 'order.expired'
  | 'order.cancelled'
export type PaymentEventType = 'payment.authorized' | 'payment.captured' | 'payment.voided' | 'payment.failed'

/** A row as its statements take it. */
export function writeOf(row: OrderRow): OrderWrite {
  return {
    ...row,
    line_items: JSON.stringify(row.line_items),
    fulfillments: JSON.stringify(row.fulfillments),
    adjustments: JSON.stringify(row.adjustments),
    customer: JSON.stringify(row.customer),
    shipping_address: row.shipping_address ? JSON.stringify(row.shipping_address) : null,
  }
}

/** An order after a change, and the buyer's view of it, which is the object of the change's events. */
export type ChangedOrder = { readonly row: OrderRow; readonly shown: Order }

/**
 * Writes a locked order's changes and one event for each of `types`. The event belongs to the buyer's account, whoever acts; the
 * merchant is told what concerns it.
 */
export function changeOrder(
  ctx: ActingContext,
  row: OrderRow,
  changes: Partial<OrderRow>,
  types: readonly (OrderEventType | PaymentEventType)[],
): ChangedOrder {
  const changed: OrderRow = { ...row, ...changes, seq: row.seq + types.length, updated_at: ctx.now }
  ctx.tx.write(updateOrder(writeOf(changed)))
  const shown = renderOrder(changed, 'buyer')
  for (const draft of orderEvents(changed, row.seq, types, shown)) ctx.tx.emit(draft)
  return { row: changed, shown }
}

/** The events of one change. Somebody waits for each of them: the buyer for the merchant, or the merchant for its money. */
export function orderEvents(
  row: OrderRow,
  seqBefore: number,
  types: readonly (OrderEventType | PaymentEventType)[],
  shown: object,
): EventDraft[] {
  return types.map((type, index) => ({
    type,
    aggregateId: row.id,
    sequence: seqBefore + index + 1,
    object: shown,
    tenant: ownerOf(row),
    lane: 'interactive',
    recipient: { accountId: row.merchant_account_id, data: envelopeData(row, type) },
    ...(row.cart_id ? { cartId: row.cart_id } : {}),
  }))
}

function envelopeData(row: OrderRow, type: string): Record<string, unknown> {
  if (!type.startsWith('payment.')) return { order: renderOrder(row, 'merchant') }
  return {
    payment: {
      order_id: row.id,
      amount: toWire(row.total_amount),
      currency: row.currency,
      status: row.payment_status,
    },
  }
}
