import type { CallContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import type { Id } from '../../../core/id.ts'
import { toWire } from '../../../core/money.ts'
import { derivedId } from '../../../platform/ids/derived-id.ts'
import { decideRefund, type RefundRefusal } from './decide-refund.ts'
import type { LineQuantity } from './lines.ts'
import type { OrderRow } from './order.ts'
import type { OrderRefund } from './order-life.ts'
import { insertRefund } from './refunds.sql.ts'
import { reviseLockedOrder } from './write-order.ts'

type Asked = Parameters<typeof decideRefund>[1] & { readonly reason: string | null }

/** A refund of a locked order, as work of the worker that has the payment rail. Throws the refusal. */
export async function requestRefund(
  ctx: CallContext,
  order: OrderRow,
  { reason, ...asked }: Asked,
): Promise<{ readonly row: OrderRow; readonly id: Id<'rfd'> }> {
  const decided = decideRefund(order, asked)
  if (!decided.ok) throw refusalOf(decided.refusal, order)
  const id = derivedId('rfd', order.id, order.refunds.length)
  const row = startRefund(ctx, order, { id, ...decided.value, reason, returnId: asked.returnId })
  return { row, id }
}

type Terms = {
  id: Id<'rfd'>
  amount: bigint
  lines: LineQuantity[]
  reason: string | null
  returnId: string | null
}

/** Writes the refund into the order and as work; the worker that has the payment rail sends it. */
function startRefund(
  ctx: CallContext,
  order: OrderRow,
  { id, amount, lines, reason, returnId }: Terms,
): OrderRow {
  const { cart_id: cartId, attempt } = order
  const at = ctx.now.toISOString()
  const refund: OrderRefund = {
    id,
    amount: toWire(amount),
    status: 'pending',
    reason,
    line_items: lines,
    return_id: returnId,
    created_at: at,
    updated_at: at,
  }
  const { row } = reviseLockedOrder(
    ctx,
    order,
    { refunds: [...order.refunds, refund], refunds_amount: order.refunds_amount + amount },
    ['order.refund_requested'],
  )
  ctx.tx.write(
    insertRefund({
      account_id: order.account_id,
      mode: order.mode,
      id,
      order_id: order.id,
      cart_id: cartId,
      attempt,
      amount,
      currency: order.currency,
      rail: null,
      status: 'pending',
      tries: 0,
      asked: 0,
      may_have_left: false,
      reference: null,
      failure_code: null,
      sent_at: null,
      settled_at: null,
      due_at: ctx.now,
      created_at: ctx.now,
      put_off: null,
    }),
  )
  ctx.tx.wake('refunds')
  return row
}

function refusalOf(refusal: RefundRefusal, order: OrderRow): Problem {
  switch (refusal) {
    case 'return_not_found':
      return new Problem('not_found', { param: 'return_id' })
    case 'return_not_open':
      return new Problem(refusal, { param: 'return_id' })
    case 'refund_exceeds_captured':
      return new Problem(refusal, {
        extra: { refundable_amount: toWire(order.total_amount - order.refunds_amount) },
      })
    case 'order_not_refundable':
    case 'disputed':
    case 'object_limit_reached':
      return new Problem(refusal)
    default:
      return refusal satisfies never
  }
}
