import { ok, type Result, refused } from '../../../core/result.ts'
import { isWithin, type LineQuantity, linesLeft, unitsLeft } from './lines.ts'
import type { OrderRow } from './order.ts'
import { perOrderMax } from './order-life.ts'

type Facts = Pick<OrderRow, 'status' | 'payment_status' | 'line_items' | 'returns'>

/**
 * Which units a buyer sends back: those that it names, or all that it has not sent back yet. A declined return frees its units for
 * another one.
 */
export function decideReturn(
  order: Facts,
  wanted: readonly LineQuantity[] | undefined,
): Result<LineQuantity[], 'order_not_returnable' | 'object_limit_reached'> {
  const isBought =
    order.status === 'confirmed' || order.status === 'fulfilling' || order.status === 'completed'
  const isPaid = order.payment_status === 'captured' || order.payment_status === 'partially_refunded'
  if (!isBought || !isPaid) return refused('order_not_returnable')
  const left = unitsLeft(
    order.line_items,
    order.returns.filter(({ status }) => status !== 'declined').map(({ line_items }) => line_items),
  )
  const lines = wanted ?? linesLeft(left)
  if (lines.length === 0 || !isWithin(left, lines)) return refused('order_not_returnable')
  return order.returns.length < perOrderMax ? ok([...lines]) : refused('object_limit_reached')
}
