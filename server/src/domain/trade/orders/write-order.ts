import type { ActingContext, EventDraft } from '../../../contract/context.ts'
import type { MerchantDataOf } from '../../../contract/event.ts'
import { toWire } from '../../../core/money.ts'
import type { OrderChangeType } from './events.ts'
import { type Order, type OrderRow, ownerOf, renderOrder } from './order.ts'
import {
  type DecisionColumn,
  orderDifferences,
  type RevisionColumn,
  reviseOrder,
  updateOrder,
} from './orders.sql.ts'

/** An order after a change, and the buyer's view of it, which is the object of the change's events. */
export type ChangedOrder = { readonly row: OrderRow; readonly shown: Order }

type Decision = Partial<Pick<OrderRow, DecisionColumn>>
type Revision = Partial<Pick<OrderRow, RevisionColumn>>

/**
 * Writes the decision or payment of a locked order, and one event for each of `types`. The event belongs to the buyer's account, even
 * when another party acts; the merchant receives what concerns it.
 */
export function changeOrder(
  ctx: ActingContext,
  row: OrderRow,
  changes: Decision,
  types: readonly OrderChangeType[],
): ChangedOrder {
  const changed: OrderRow = { ...row, ...changes, seq: row.seq + types.length, updated_at: ctx.now }
  ctx.tx.write(updateOrder(changed, orderDifferences(row, changed)))
  return tell(ctx, changed, row.seq, types)
}

/** The same for everything else that happens to an order. `refund` is the refunded money, where there is any. */
export function reviseLockedOrder(
  ctx: ActingContext,
  row: OrderRow,
  changes: Revision,
  types: readonly OrderChangeType[],
  refund?: Moved,
): ChangedOrder {
  const changed: OrderRow = { ...row, ...changes, seq: row.seq + types.length, updated_at: ctx.now }
  ctx.tx.write(reviseOrder(changed, orderDifferences(row, changed)))
  return tell(ctx, changed, row.seq, types, refund)
}

/** Refunded money, as `payment.refunded` has it. */
type Moved = { readonly refundId: string; readonly amount: bigint }

function tell(
  ctx: ActingContext,
  changed: OrderRow,
  seqBefore: number,
  types: readonly OrderChangeType[],
  refund?: Moved,
): ChangedOrder {
  const shown = renderOrder(changed, 'buyer')
  for (const draft of orderEvents(changed, seqBefore, types, shown, refund)) ctx.tx.emit(draft)
  return { row: changed, shown }
}

/** The events of one change. Somebody waits for each of them: the buyer for the merchant, or the merchant for its money. */
export function orderEvents(
  row: OrderRow,
  seqBefore: number,
  types: readonly OrderChangeType[],
  shown: Order,
  refund?: Moved,
): EventDraft<OrderChangeType>[] {
  return types.map((type, index) => ({
    type,
    aggregateId: row.id,
    sequence: seqBefore + index + 1,
    object: shown,
    tenant: ownerOf(row),
    lane: 'interactive',
    // At a stranger there is nobody here to tell but the buyer.
    ...(row.merchant_account_id === null
      ? {}
      : { recipient: { accountId: row.merchant_account_id, data: merchantData(row, type, refund) } }),
    ...(row.cart_id ? { cartId: row.cart_id } : {}),
  }))
}

function merchantData(row: OrderRow, type: OrderChangeType, refund?: Moved): MerchantDataOf<OrderChangeType> {
  if (!type.startsWith('payment.')) return { order: renderOrder(row, 'merchant') }
  return {
    payment: {
      order_id: row.id,
      amount: toWire(refund?.amount ?? row.total_amount),
      currency: row.currency,
      status: row.payment_status,
      ...(refund ? { refund_id: refund.refundId } : {}),
    },
  }
}
