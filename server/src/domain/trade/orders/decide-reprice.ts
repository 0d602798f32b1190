import { ok, type Result, refused } from '../../../core/result.ts'
import { taxAtSubtotal, totalOf } from '../../selling/pricing/public.ts'
import { authorizedAmount, type OrderRow } from './order.ts'

type Facts = Pick<
  OrderRow,
  | 'status'
  | 'expires_at'
  | 'subtotal_amount'
  | 'fulfillment_amount'
  | 'tax_amount'
  | 'discount_amount'
  | 'total_amount'
  | 'authorized_amount'
  | 'tax_basis_points'
  | 'line_items'
  | 'adjustments'
>

type NewPrice = Pick<
  OrderRow,
  'subtotal_amount' | 'tax_amount' | 'total_amount' | 'authorized_amount' | 'adjustments'
>

/**
 * An order at another price of its merchandise. Tax follows by the rate that the order was made with; fulfillment and discount stay. The
 * lines stay too: one adjustment shows the difference. `same`: the order has that price already.
 */
export function decideReprice(
  order: Facts,
  wish: { readonly subtotal: bigint; readonly reason: string | null },
  now: Date,
): Result<NewPrice | 'same', 'order_not_awaiting' | 'reprice_above_authorization' | 'nothing_to_pay'> {
  // guard price-while-awaiting: the price of an order stays once it is decided
  if (order.status !== 'awaiting_confirmation' || (order.expires_at ?? now) <= now)
    return refused('order_not_awaiting')
  const { subtotal, reason } = wish
  if (subtotal === order.subtotal_amount) return ok('same')
  const before = {
    subtotal: order.subtotal_amount,
    tax: order.tax_amount,
    taxBasisPoints: order.tax_basis_points,
  }
  const tax = taxAtSubtotal(before, subtotal)
  const { fulfillment_amount: fulfillment, discount_amount: discount } = order
  const total = totalOf({ subtotal, fulfillment, tax, discount })
  const listed = order.line_items.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  // guard price-within-authorization: no price of an order goes above its authorization
  if (total > authorizedAmount(order) || subtotal > listed) return refused('reprice_above_authorization')
  if (total <= 0n) return refused('nothing_to_pay')
  const others = order.adjustments.filter(({ type }) => type !== 'reprice')
  const off = listed - subtotal
  return ok({
    subtotal_amount: subtotal,
    tax_amount: tax,
    total_amount: total,
    authorized_amount: authorizedAmount(order),
    adjustments: off === 0n ? others : [...others, { type: 'reprice', amount: Number(off), reason }],
  })
}
