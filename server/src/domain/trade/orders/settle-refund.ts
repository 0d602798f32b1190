import type { ActingContext } from '../../../contract/context.ts'
import type { PutOff } from '../../../core/put-off.ts'
import { next } from '../../../core/state-table.ts'
import { expectHeld } from '../../../platform/work/lease.ts'
import { paymentTable } from './machine.ts'
import type { OrderRow } from './order.ts'
import type { OrderRefund } from './order-life.ts'
import { lockOrder } from './orders.sql.ts'
import { lockClaimedRefund, type RefundRow, restRefund } from './refunds.sql.ts'
import { reviseLockedOrder } from './write-order.ts'
import type { ClaimedRefund } from './writes.sql.ts'

/** The state of a refund at the rail; `later`: it is not known yet, look again then. */
export type RefundNews =
  | { readonly kind: 'succeeded'; readonly reference: string; readonly amount: bigint }
  | { readonly kind: 'failed'; readonly code: string }
  | {
      readonly kind: 'later'
      readonly dueAt: Date
      readonly mayHaveLeft: boolean
      readonly wasAsked: boolean
      readonly putOff: PutOff | null
    }

/**
 * Applies the rail's answer to a claimed refund and to its order, and ends the lease. The order is locked first, as everywhere. It returns
 * what was given back of the order by now; null: this answer gives nothing back.
 */
export async function settleRefund(
  ctx: ActingContext,
  claimed: ClaimedRefund,
  newsOf: (refund: RefundRow) => RefundNews,
): Promise<bigint | null> {
  const { account_id, mode, order_id } = claimed
  const [order, held] = await Promise.all([
    ctx.tx.maybe(lockOrder({ account_id, mode, id: order_id })),
    ctx.tx.rows(lockClaimedRefund(claimed)),
  ])
  const refund = expectHeld(held)
  if (!order || refund.status !== 'pending') throw new Error('a refund was settled that does not wait for it')
  const news = newsOf(refund)
  if (news.kind === 'later') {
    ctx.tx.write(
      restRefund({
        ...refund,
        may_have_left: news.mayHaveLeft,
        asked: refund.asked + (news.wasAsked ? 1 : 0),
        due_at: news.dueAt,
        put_off: news.putOff,
      }),
    )
    return null
  }
  const over = { ...refund, settled_at: ctx.now, due_at: null, put_off: null }
  // The rail knows the key from a time after the backup: what it made then is not this refund.
  const isOther = news.kind === 'succeeded' && news.amount !== refund.amount
  if (news.kind === 'failed' || isOther) {
    const failure_code = news.kind === 'failed' ? news.code : 'key_in_use'
    ctx.tx.write(restRefund({ ...over, status: 'failed', failure_code }))
    fail(ctx, order, refund)
    return null
  }
  ctx.tx.write(restRefund({ ...over, status: 'succeeded', reference: news.reference }))
  return succeed(ctx, order, refund)
}

function fail(ctx: ActingContext, order: OrderRow, { id, amount }: RefundRow): void {
  reviseLockedOrder(
    ctx,
    order,
    { refunds: markedRefunds(ctx, order, id, 'failed'), refunds_amount: order.refunds_amount - amount },
    ['order.refund_failed'],
  )
}

function succeed(ctx: ActingContext, order: OrderRow, { id, amount }: RefundRow): bigint {
  const refunds = markedRefunds(ctx, order, id, 'succeeded')
  const shown = refunds.find((refund) => refund.id === id)
  if (!shown) throw new Error('a refund that its order does not show')
  const done = refunds.reduce((sum, one) => (one.status === 'succeeded' ? sum + BigInt(one.amount) : sum), 0n)
  const trigger = done === order.total_amount ? 'refund_rest' : 'refund_part'
  const payment_status = next(paymentTable, order.payment_status, trigger)
  if (payment_status === null)
    throw new Error(`a refund of an order whose payment is ${order.payment_status}`)
  const adjustment = { type: 'refund' as const, amount: shown.amount, reason: shown.reason }
  reviseLockedOrder(
    ctx,
    order,
    {
      payment_status,
      refunds,
      adjustments: [...order.adjustments, adjustment],
      returns: order.returns.map((one) =>
        one.id === shown.return_id
          ? { ...one, status: 'refunded' as const, updated_at: ctx.now.toISOString() }
          : one,
      ),
    },
    ['payment.refunded', 'order.refunded'],
    { refundId: id, amount },
  )
  return done
}

function markedRefunds(
  ctx: ActingContext,
  { refunds }: OrderRow,
  id: string,
  status: OrderRefund['status'],
): OrderRefund[] {
  return refunds.map((one) => (one.id === id ? { ...one, status, updated_at: ctx.now.toISOString() } : one))
}
