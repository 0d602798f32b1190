import type { ActingContext } from '../../../../contract/context.ts'
import { changeIntent } from '../change-intent.ts'
import { endReservation } from '../finish.ts'
import type { LoadedIntent } from '../intent.ts'

/** Ends a purchase that waited for its token in vain: nothing of it has begun, and what was reserved is free again. */
export async function endTokenWait(ctx: ActingContext, loaded: LoadedIntent): Promise<null> {
  await endReservation(ctx, loaded, 'release')
  changeIntent(ctx, loaded, {
    intent: {
      status: 'cancelled',
      cancel_reason: 'No payment token was made of it in time.',
      due_at: null,
      lease_until: null,
      completed_at: ctx.now,
    },
    events: [{ type: 'purchase_intent.cancelled' }],
  })
  return null
}
