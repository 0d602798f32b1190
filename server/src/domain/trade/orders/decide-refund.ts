import { ok, type Result, refused } from '../../../core/result.ts'
import { isWithin, type LineQuantity, linesLeft, unitsLeft } from './lines.ts'
import type { LineItem, OrderRow } from './order.ts'
import { type OrderRefund, type OrderReturn, perOrderMax } from './order-life.ts'

type Facts = Pick<
  OrderRow,
  | 'payment_status'
  | 'cart_id'
  | 'capture_reference'
  | 'line_items'
  | 'fulfillment_amount'
  | 'total_amount'
  | 'refunds'
  | 'returns'
  | 'dispute'
  | 'refunds_amount'
>

type RefundWish = {
  readonly amount: bigint | null
  readonly lines: readonly LineQuantity[] | undefined
  readonly returnId: string | null
}

export type RefundRefusal =
  | 'order_not_refundable'
  | 'disputed'
  | 'refund_exceeds_captured'
  | 'return_not_open'
  | 'return_not_found'
  | 'object_limit_reached'

/**
 * The amount of a merchant's refund: the amount that it names; otherwise the share of the lines, or of the return, in the amount paid for
 * merchandise; otherwise everything that is left. Refunds under way count like those that have succeeded.
 */
export function decideRefund(
  order: Facts,
  wish: RefundWish,
): Result<{ amount: bigint; lines: LineQuantity[] }, RefundRefusal> {
  const named = wish.returnId === null ? null : findReturn(order, wish.returnId)
  if (named === undefined) return refused('return_not_found')
  const status = order.payment_status
  // An order that was refunded in full is not refundable any more; such a request asks for more than is left.
  const isCaptured = status === 'captured' || status === 'partially_refunded' || status === 'refunded'
  // guard refund-of-captured-only: only captured money is refunded
  if (!isCaptured || (order.cart_id === null && order.capture_reference === null))
    return refused('order_not_refundable')
  // guard disputed-money-is-not-refunded: the bank may have given it back already
  if (order.dispute !== null && order.dispute.status !== 'closed') return refused('disputed')
  // guard one-refund-for-a-return: a return is settled by one refund
  if (named !== null && !isOpen(order, named)) return refused('return_not_open')
  const rest = order.total_amount - order.refunds_amount
  const left = unitsLeft(
    order.line_items,
    order.refunds.filter((refund) => refund.status !== 'failed').map(({ line_items }) => line_items),
  )
  const said = wish.lines ?? named?.line_items
  const isWhole = wish.amount === null && said === undefined
  const lines = said ?? (isWhole ? linesLeft(left) : [])
  const amount = wish.amount ?? (isWhole ? rest : shareOf(order, lines))
  // guard refunds-within-captured: refunds never come to more than was captured
  if (amount > rest || rest === 0n || !isWithin(left, lines)) return refused('refund_exceeds_captured')
  // The lines cost nothing.
  if (amount === 0n) return refused('order_not_refundable')
  if (order.refunds.length >= perOrderMax) return refused('object_limit_reached')
  return ok({ amount, lines: [...lines] })
}

function findReturn(order: Facts, id: string): OrderReturn | undefined {
  return order.returns.find((one) => one.id === id)
}

/** Whether a return is neither answered nor being answered by a refund. */
export function isOpen({ refunds }: { refunds: readonly OrderRefund[] }, named: OrderReturn): boolean {
  return (
    named.status === 'requested' &&
    !refunds.some(({ return_id, status }) => return_id === named.id && status === 'pending')
  )
}

/** Rounded down, so that shares never sum to more than the whole. The cost of fulfillment belongs to no line. */
function shareOf(order: Facts, lines: readonly LineQuantity[]): bigint {
  const listed = order.line_items.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  if (listed === 0n) return 0n
  const worth = lines.reduce(
    (sum, { index, quantity }) => sum + worthOf(order.line_items[index], quantity),
    0n,
  )
  return ((order.total_amount - order.fulfillment_amount) * worth) / listed
}

/** A share of a line's amount, since the price quoted for a line need not be a multiple of a unit's price. */
function worthOf(line: LineItem | undefined, quantity: number): bigint {
  return line ? (BigInt(line.amount) * BigInt(quantity)) / BigInt(line.quantity) : 0n
}
