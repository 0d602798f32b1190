import type { ActingContext } from '../../../contract/context.ts'
import { cancelOrderInTx } from '../../trade/orders/public.ts'
import type { CartRow } from './cart.ts'
import { atStage, type StageColumns } from './cart-stage.ts'
import type { IntentChange, IntentEvent } from './change-intent.ts'

type Stopped = {
  readonly changes: NonNullable<IntentChange['carts']>
  readonly events: IntentEvent[]
  /** Carts whose merchant has answered already, so that they cannot be stopped. */
  readonly unstoppable: CartRow[]
}

/** The changes that cancel carts, and their events. Their native orders are cancelled in the same transaction. */
export async function stopCarts(
  ctx: ActingContext,
  carts: readonly CartRow[],
  reason: string | null = null,
): Promise<Stopped> {
  const stopped: CartRow[] = []
  const unstoppable: CartRow[] = []
  for (const cart of carts) {
    const orderId = cart.channel === 'native' ? cart.order_row_id : null
    const cancelled = orderId === null || (await cancelOrderInTx(ctx, orderId, reason)).ok
    ;(cancelled ? stopped : unstoppable).push(cart)
  }
  return {
    changes: stopped.map((cart) => ({
      id: cart.id,
      // Nobody is asked for it any more.
      changes: {
        status: 'cancelled',
        question: null,
        completed_at: ctx.now,
        ...cleanupOf(ctx, cart),
      } as const,
    })),
    events: stopped.map((cart) => ({ type: 'cart.cancelled', cartId: cart.id })),
    unstoppable,
  }
}

/**
 * A cart that has begun may hold an authorization, or a call may be under way: a worker releases the money once nobody else holds the
 * lease. The holder of the lease keeps it; what its call learns is still worth writing down.
 */
export function cleanupOf(ctx: ActingContext, cart: CartRow): StageColumns & Pick<CartRow, 'due_at'> {
  if (cart.status === 'created') return { ...atStage({ kind: 'none' }), due_at: null }
  ctx.tx.wake('carts')
  const heldUntil = cart.lease_until !== null && cart.lease_until > ctx.now ? cart.lease_until : null
  return { ...atStage({ kind: 'cleanup' }), due_at: heldUntil ?? ctx.now }
}
