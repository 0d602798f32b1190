import type { ActingContext } from '../../../../contract/context.ts'
import { changeIntent, type IntentEvent } from '../change-intent.ts'
import { decideReconciled, isUnknown, resolveOutcomeOf } from '../decide-finish.ts'
import { type FailureReason, failureOf } from '../failure.ts'
import { endReservation, finishIfDone } from '../finish.ts'
import type { LoadedIntent, PurchaseIntent, RetryWait } from '../intent.ts'
import type { LockedIntentRow } from '../intents.sql.ts'
import { isTerminalCart } from '../machine.ts'
import { cleanupOf, stopCarts } from '../stop-carts.ts'
import { decidePriceRefusal } from './decide-price-answer.ts'
import { confirmingCart } from './payment-action.ts'

/**
 * Ends the wait for an approval that did not arrive in time, by the database's clock. Null: the time is not over, or the purchase waits
 * for no approval.
 */
export async function expireApproval(
  ctx: ActingContext,
  loaded: LoadedIntent & { intent: LockedIntentRow },
): Promise<PurchaseIntent | null> {
  if (loaded.intent.status !== 'awaiting_approval' || !loaded.intent.is_approval_over) return null
  return refuseApproval(ctx, loaded, failureOf('approval_expired'))
}

/** Ends the wait without an approval, of the purchase or of the new price of one of its carts. */
export async function refuseApproval(
  ctx: ActingContext,
  loaded: LoadedIntent,
  failure: FailureReason | null,
): Promise<PurchaseIntent> {
  if (loaded.intent.reapproval) return refusePrice(ctx, loaded, failure ?? failureOf('price_changed'))
  if (confirmingCart(loaded.intent) !== null) return refusePayment(ctx, loaded)
  // guard refused-retry-fails-again: a purchase of which something was bought is not called declined
  if (loaded.intent.retry) return refuseRetry(ctx, loaded, loaded.intent.retry)
  await endReservation(ctx, loaded, 'release')
  return changeIntent(ctx, loaded, {
    intent: {
      status: 'declined',
      failure,
      next_action: null,
      due_at: null,
      lease_until: null,
      completed_at: ctx.now,
    },
    events: [{ type: 'purchase_intent.declined' }],
  })
}

/** Nothing is tried again: the purchase returns to its state before, with what was bought of it, and a retry may be requested again. */
async function refuseRetry(
  ctx: ActingContext,
  loaded: LoadedIntent,
  { previous_payment_method_id }: RetryWait,
): Promise<PurchaseIntent> {
  const { partial, failure, nextAction, reservation } = decideReconciled(loaded.carts)
  const settled = await endReservation(ctx, loaded, reservation)
  return changeIntent(ctx, loaded, {
    intent: {
      ...settled,
      status: 'failed',
      payment_method_id: previous_payment_method_id,
      partial,
      failure,
      next_action: nextAction,
      retry: null,
      approval_expires_at: null,
      due_at: null,
      lease_until: null,
      completed_at: ctx.now,
    },
    events: [{ type: 'purchase_intent.failed' }],
  })
}

/** The cart whose payment nobody confirms ends, and its worker closes the payment at the rail. The others go on. */
async function refusePayment(ctx: ActingContext, loaded: LoadedIntent): Promise<PurchaseIntent> {
  const cart = loaded.carts.find(({ id }) => id === confirmingCart(loaded.intent))
  if (!cart) throw new Error(`the payment that ${loaded.intent.id} asks about is of none of its carts`)
  const failure = failureOf('payment_authentication_failed')
  const ended = { status: 'failed', failure, completed_at: ctx.now, ...cleanupOf(ctx, cart) } as const
  const isRunning = loaded.carts.some(({ id, status }) => id !== cart.id && !isTerminalCart(status))
  const object = changeIntent(ctx, loaded, {
    intent: isRunning ? { status: 'approved', next_action: null } : {},
    carts: [{ id: cart.id, changes: ended }],
    events: [
      { type: 'cart.failed', cartId: cart.id },
      ...(isRunning ? [{ type: 'purchase_intent.approved' } as const] : []),
    ],
  })
  return (await finishIfDone(ctx, loaded)) ?? object
}

async function refusePrice(
  ctx: ActingContext,
  loaded: LoadedIntent,
  failure: FailureReason,
): Promise<PurchaseIntent> {
  const cart = loaded.carts.find(({ id }) => id === loaded.intent.reapproval?.cart_id)
  if (!cart) throw new Error(`the price question of ${loaded.intent.id} is about none of its carts`)
  const decided = decidePriceRefusal(loaded.carts, cart.id)
  const { changes, events, unstoppable } = await stopCarts(ctx, decided.stopped)
  const outcome = unstoppable.length > 0 ? 'goes_on' : decided.outcome
  const ended = { status: 'failed', failure, completed_at: ctx.now, ...cleanupOf(ctx, cart) } as const
  const cartEvents: IntentEvent[] = [{ type: 'cart.failed', cartId: cart.id }, ...events]
  const carts = [...changes, { id: cart.id, changes: ended }]
  const closed = {
    next_action: null,
    reapproval: null,
    approval_expires_at: null,
    due_at: null,
    lease_until: null,
  } as const
  if (outcome === 'goes_on') {
    const object = changeIntent(ctx, loaded, {
      intent: { ...closed, status: 'approved' },
      carts,
      events: [...cartEvents, { type: 'purchase_intent.approved' }],
    })
    return (await finishIfDone(ctx, loaded)) ?? object
  }
  const wasCharged = loaded.carts.some(({ status }) => status === 'succeeded')
  const unknown = loaded.carts.find(isUnknown)
  const settled = await endReservation(ctx, loaded, unknown ? 'keep' : wasCharged ? 'settle' : 'release')
  const ending = { status: outcome, failure, partial: wasCharged, completed_at: ctx.now }
  return changeIntent(ctx, loaded, {
    intent: { ...closed, ...settled, ...ending, next_action: unknown ? resolveOutcomeOf(unknown) : null },
    carts,
    events: [...cartEvents, { type: `purchase_intent.${outcome}` }],
  })
}
