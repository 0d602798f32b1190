import { createHash } from 'node:crypto'
import type { ActingContext } from '../../../contract/context.ts'
import { hashedPartId } from '../../../core/id.ts'
import { toWire } from '../../../core/money.ts'
import { next } from '../../../core/state-table.ts'
import { decideNews } from './decide-news.ts'
import { paymentTable } from './machine.ts'
import type { OrderRow } from './order.ts'
import { perOrderMax } from './order-life.ts'
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

/** How the money of an order at a stranger stands, as the rail says. `refunds`: new ones, each by the sum of all up to it. */
type StrangerPayment = {
  readonly standing: 'authorized' | 'captured' | 'voided'
  /** Of what was captured, nothing is left. */
  readonly isRefundedWhole: boolean
  readonly refunds: readonly { readonly total: bigint; readonly amount: bigint }[]
}

/** Shows what the rail says of the payment of an order at a stranger. Its refunds are named by the rail's sums, so none is shown twice. */
export async function followStrangerPayment(
  ctx: ActingContext,
  orderId: string,
  { standing, isRefundedWhole, refunds: told }: StrangerPayment,
): Promise<void> {
  const row = await lockStrangerOrder(ctx, orderId)
  const refunds = told.reduce((shown, refund) => withRefund(ctx, row.id, shown, refund), row.refunds)
  const refunds_amount = told.reduce((sum, { amount }) => sum + amount, row.refunds_amount)
  const refund = refunds_amount === 0n ? [] : ([isRefundedWhole ? 'refund_rest' : 'refund_part'] as const)
  const triggers =
    standing === 'captured'
      ? (['captured', ...refund] as const)
      : standing === 'voided'
        ? (['voided'] as const)
        : []
  const payment_status = triggers.reduce<OrderRow['payment_status']>(
    (status, trigger) => next(paymentTable, status, trigger) ?? status,
    row.payment_status,
  )
  if (payment_status === row.payment_status && told.length === 0) return
  const changes = { payment_status, refunds, refunds_amount }
  reviseLockedOrder(ctx, row, changes, told.length > 0 ? ['order.refunded'] : [])
}

/** An order shows so many at most; what comes after that is added to the last one. */
function withRefund(
  { now }: ActingContext,
  orderId: OrderRow['id'],
  shown: OrderRow['refunds'],
  { total, amount }: StrangerPayment['refunds'][number],
): OrderRow['refunds'] {
  const at = now.toISOString()
  const last = shown.at(-1)
  if (last && shown.length >= perOrderMax)
    return [...shown.slice(0, -1), { ...last, amount: last.amount + toWire(amount), updated_at: at }]
  const hash = createHash('sha256').update(`rfd/${orderId}/${total}`).digest()
  const id = hashedPartId('rfd', orderId, hash)
  const made = { id, amount: toWire(amount), status: 'succeeded' as const, reason: null, line_items: [] }
  return [...shown, { ...made, return_id: null, created_at: at, updated_at: at }]
}

async function lockStrangerOrder(ctx: ActingContext, orderId: string): Promise<OrderRow> {
  const { accountId, mode } = ctx.tenant
  const row = await ctx.tx.maybe(lockOrder({ account_id: accountId, mode, id: orderId }))
  if (row?.merchant_account_id !== null) throw new Error('this is no order at a stranger')
  return row
}
