import { ok, type Result, refused } from '../../../core/result.ts'
import { authorizedAmount, type OrderRow } from './order.ts'
import { taxOf } from './tax.ts'

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

export type NewPrice = Pick<
  OrderRow,
  'subtotal_amount' | 'tax_amount' | 'total_amount' | 'authorized_amount' | 'adjustments'
>

/**
 * An order at another price of its merchandise. Tax follows by the rate that the order was made with, fulfilment and discount stay.
 * The lines stay too: one adjustment says what was taken off them. `same`: that is the price already.
 */
export function decideReprice(
  order: Facts,
  wish: { readonly subtotal: bigint; readonly reason: string | null },
  now: Date,
): Result<NewPrice | 'same', 'order_not_awaiting' | 'reprice_above_authorization' | 'nothing_to_pay'> {
  if (order.status !== 'awaiting_confirmation' || order.expires_at <= now)
    return refused('order_not_awaiting')
  const { subtotal, reason } = wish
  if (subtotal === order.subtotal_amount) return ok('same')
  const tax = taxAt(order, subtotal)
  const total = subtotal + order.fulfillment_amount + tax - order.discount_amount
  const listed = order.line_items.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
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

/** Where the merchant named the tax itself it stays the same part of the price. */
function taxAt(order: Facts, subtotal: bigint): bigint {
  if (order.tax_basis_points !== null) return taxOf(subtotal, order.tax_basis_points)
  return order.subtotal_amount === 0n ? 0n : (order.tax_amount * subtotal) / order.subtotal_amount
}
