import type { ActingContext } from '../../../contract/context.ts'
import { ok, type Result, refused } from '../../../core/result.ts'
import { next } from '../../../core/state-table.ts'
import { orderTable } from './machine.ts'
import { renderOrder } from './order.ts'
import { lockOrder } from './orders.sql.ts'
import { type ChangedOrder, changeOrder } from './write-order.ts'

/**
 * Cancels an order of `ctx.tenant` that still awaits the merchant; a later answer changes nothing. It is refused once the merchant has
 * answered or the time is over. An order that is cancelled already stays as it is (`isNew: false`). The slice that holds the
 * authorization voids it.
 */
export async function cancelOrderInTx(
  ctx: ActingContext,
  orderId: string,
  reason: string | null = null,
): Promise<
  Result<
    ChangedOrder & { readonly isNew: boolean },
    'not_found' | 'order_not_cancellable' | 'not_supported_by_merchant'
  >
> {
  const { accountId, mode } = ctx.tenant
  const row = await ctx.tx.maybe(lockOrder({ account_id: accountId, mode, id: orderId }))
  if (!row || row.buyer) return refused('not_found')
  if (row.merchant_account_id === null) return refused('not_supported_by_merchant')
  // An order that was cancelled for a failed capture is another case: it was confirmed.
  if (row.status === 'cancelled' && row.payment_status !== 'failed') {
    return ok({ row, shown: renderOrder(row, 'buyer'), isNew: false })
  }
  const status = next(orderTable, row.status, 'cancel')
  // guard confirmed-is-not-cancelled: a buyer cancels no order that the merchant has confirmed
  if (status === null) return refused('order_not_cancellable')
  const changes = { status, cancel_reason: reason, due_at: null }
  return ok({ ...changeOrder(ctx, row, changes, ['order.cancelled']), isNew: true })
}
