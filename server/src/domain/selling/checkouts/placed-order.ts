import type { Order } from '../../trade/orders/public.ts'

/** Whether the merchant has taken it: before that, and without that, there is only a checkout. */
export function isPlaced({
  status,
  confirmation_reference,
}: Pick<Order, 'status' | 'confirmation_reference'>): boolean {
  return confirmation_reference !== null && status !== 'awaiting_confirmation'
}
