import type { Reads, Tenant } from '../../../contract/context.ts'
import { type Order, readSoldOrder } from '../../trade/orders/public.ts'
import type { CheckoutRow } from './checkout.ts'
import { selectCheckoutOfOrder } from './checkouts.sql.ts'
import { isPlaced } from './placed-order.ts'

/** An order that the merchant has taken, with the checkout that it came from; null: this platform placed no such order. */
export async function readCheckoutOfOrder(
  reads: Pick<Reads, 'maybe'>,
  { accountId, mode }: Tenant,
  { platform, orderId }: { readonly platform: string; readonly orderId: string },
): Promise<{ readonly checkout: CheckoutRow; readonly order: Order } | null> {
  const [checkout, order] = await Promise.all([
    reads.maybe(selectCheckoutOfOrder({ account_id: accountId, mode, order_id: orderId })),
    readSoldOrder(reads, { accountId, mode }, orderId),
  ])
  return checkout && order && checkout.platform === platform && isPlaced(order) ? { checkout, order } : null
}
