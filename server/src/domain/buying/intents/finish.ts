import type { ActingContext } from '../../../contract/context.ts'
import { releaseReservation, settleReservation } from '../../policies/public.ts'
import { changeIntent, chargedOf, type IntentEvent } from './change-intent.ts'
import { decideFinish, isUnknown, type ReservationEnd } from './decide-finish.ts'
import type { LoadedIntent, PurchaseIntent } from './intent.ts'

/**
 * Ends a locked intent when all of its carts have ended, and settles what was reserved for it. Null: not yet. Call it after every change
 * of a cart, in the same transaction. `before` are events of that change that were not emitted yet.
 */
export async function finishIfDone(
  ctx: ActingContext,
  loaded: LoadedIntent,
  before: readonly IntentEvent[] = [],
): Promise<PurchaseIntent | null> {
  const finish = decideFinish(loaded.intent.status, loaded.carts)
  if (!finish) return null
  const settled = await endReservation(ctx, loaded, finish.reservation)
  const { status, partial, failure, nextAction } = finish
  return changeIntent(ctx, loaded, {
    intent: {
      ...settled,
      status,
      partial,
      failure,
      next_action: nextAction,
      reapproval: null,
      due_at: null,
      lease_until: null,
      completed_at: ctx.now,
    },
    events: [...before, { type: `purchase_intent.${status}` }],
  })
}

/** Whether what was reserved for an intent was settled with what its carts cost, and nothing of it is open. */
export function isSettled({ intent, carts }: LoadedIntent): boolean {
  const isOver = intent.status === 'succeeded' || intent.status === 'failed' || intent.status === 'cancelled'
  return isOver && !carts.some(isUnknown)
}

/**
 * Ends the reservation of an intent, and returns the columns to write with that. An intent that was tried again has several reservations,
 * one after the other; each is settled with what was charged under it.
 */
export async function endReservation(
  ctx: ActingContext,
  loaded: LoadedIntent,
  end: ReservationEnd,
): Promise<{ settled_amount?: bigint }> {
  const intentId = loaded.intent.id
  if (end === 'keep') return {}
  if (end === 'release') {
    await releaseReservation(ctx, { intentId })
    return {}
  }
  const charged = chargedOf(loaded.carts)
  await settleReservation(ctx, { intentId, actual: charged - loaded.intent.settled_amount })
  return { settled_amount: charged }
}
