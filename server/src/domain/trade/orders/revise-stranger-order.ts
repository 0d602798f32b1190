import type { ActingContext } from '../../../contract/context.ts'
import { next } from '../../../core/state-table.ts'
import { decideNews } from './decide-news.ts'
import { paymentTable } from './machine.ts'
import type { OrderRow } from './order.ts'
import { lockOrder } from './orders.sql.ts'
import type { StrangerNews } from './stranger-news.ts'
import { reviseLockedOrder } from './write-order.ts'

/** Shows what a stranger says of an order of `ctx.tenant`. The payment stays as it is, whatever the stranger says of it. */
export async function tellOfStrangerOrder(
  ctx: ActingContext,
  orderId: string,
  news: StrangerNews,
): Promise<void> {
  const row = await lockStrangerOrder(ctx, orderId)
  const revised = decideNews(row, news, ctx.now)
  if (revised) reviseLockedOrder(ctx, row, revised.changes, revised.types)
}

/** How the payment of an order at a stranger stands, as the rail says. The buyer hears of it in its purchase. */
export async function followStrangerPayment(
  ctx: ActingContext,
  orderId: string,
  standing: 'captured' | 'voided' | 'refunded',
): Promise<void> {
  const row = await lockStrangerOrder(ctx, orderId)
  const triggers = standing === 'refunded' ? (['captured', 'refund_rest'] as const) : ([standing] as const)
  const payment_status = triggers.reduce<OrderRow['payment_status']>(
    (status, trigger) => next(paymentTable, status, trigger) ?? status,
    row.payment_status,
  )
  if (payment_status !== row.payment_status) reviseLockedOrder(ctx, row, { payment_status }, [])
}

async function lockStrangerOrder(ctx: ActingContext, orderId: string): Promise<OrderRow> {
  const { accountId, mode } = ctx.tenant
  const row = await ctx.tx.maybe(lockOrder({ account_id: accountId, mode, id: orderId }))
  if (row?.merchant_account_id !== null) throw new Error('this is no order at a stranger')
  return row
}
