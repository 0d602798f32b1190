import type { ActingContext } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { changeIntent, type LoadedIntent, lockPurchase } from '../intents/public.ts'

/** Locks the purchase whose order is refunded, before the order. Null: the order has none in this account. */
export async function lockPurchaseOf(
  ctx: ActingContext,
  intentId: Id<'pi'> | null,
): Promise<LoadedIntent | null> {
  return intentId === null ? null : (await lockPurchase(ctx, intentId)).loaded
}

/**
 * Shows at the cart what a merchant of ours has given back of its order by now. What was spent under policies stays spent: who gives money
 * back makes no room for another purchase.
 */
export function showRefunded(
  ctx: ActingContext,
  loaded: LoadedIntent,
  { orderId, refunded }: { orderId: Id<'ord'>; refunded: bigint },
): void {
  const cart = loaded.carts.find(({ order_row_id }) => order_row_id === orderId)
  if (!cart || cart.refunded_amount === refunded) return
  changeIntent(ctx, loaded, {
    carts: [{ id: cart.id, changes: { refunded_amount: refunded } }],
    events: [{ type: 'cart.payment_refunded', cartId: cart.id }],
  })
}
