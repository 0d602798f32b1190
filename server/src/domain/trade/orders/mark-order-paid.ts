import type { ActingContext } from '../../../contract/context.ts'
import { next } from '../../../core/state-table.ts'
import { orderTable, paymentTable, type Settlement } from './machine.ts'
import type { OrderRow } from './order.ts'
import { lockOrder } from './orders.sql.ts'
import { changeOrder } from './write-order.ts'

/**
 * Records how the payment of an order of `ctx.tenant` ended, with an event for the merchant. `capture`: how its rail calls the capture, where no journal of
 * a purchase has it. A failed capture undoes the confirmation: an order is never confirmed and unpaid. Recording the same end again changes nothing; another one is a bug.
 */
export async function markOrderPaid(
  ctx: ActingContext,
  orderId: string,
  settlement: Settlement,
  capture: { readonly reference: string; readonly rail: string } | null = null,
): Promise<OrderRow> {
  const { accountId, mode } = ctx.tenant
  const row = await ctx.tx.ahead.maybe(lockOrder({ account_id: accountId, mode, id: orderId }))
  if (!row) throw new Error('an order was settled that does not exist')
  if (row.payment_status === settlement) return row
  const paymentStatus = next(paymentTable, row.payment_status, settlement)
  // guard payment-settles-once: the payment of an order settles one way
  if (paymentStatus === null)
    throw new Error(`the payment of an order went from ${row.payment_status} to ${settlement}`)
  if (settlement !== 'failed') {
    const paid = capture && { capture_reference: capture.reference, capture_rail: capture.rail }
    return changeOrder(ctx, row, { payment_status: paymentStatus, ...paid }, [`payment.${settlement}`]).row
  }
  const status = next(orderTable, row.status, 'fail_capture')
  if (status === null) throw new Error(`the capture of an order failed that was ${row.status}`)
  return changeOrder(ctx, row, { payment_status: paymentStatus, status }, [
    'payment.failed',
    'order.cancelled',
  ]).row
}
