import {
  atStage,
  confirmingCart,
  type FailureReason,
  isTerminalCart,
  nextSignIn,
  signInAction,
} from '../intents/public.ts'
import { type CartState, changeCart, changeIntent, effectOf } from './cart-state.ts'
import { orderPaid } from './effects/effect.ts'
import { goOnWithOthers } from './follow-person.ts'

/** Ends the attempt. Money that is still held or captured keeps the cart in cleanup until it is released or refunded. */
export function failCart(state: CartState, failure: FailureReason, isOutcomeKnown = true): CartState {
  const { cart, holds, fundings, now } = state
  const isHeld = [...holds, ...fundings].some(
    ({ status }) => status === 'authorized' || status === 'captured',
  )
  const failed = changeCart(
    state,
    {
      status: 'failed',
      // Where there is one attempt only, no retry makes sense.
      failure: isOutcomeKnown && cart.max_attempts <= 1 ? { ...failure, retry_policy: 'none' } : failure,
      outcome_known: isOutcomeKnown,
      past_no_return: !isOutcomeKnown,
      ...atStage({ kind: isHeld && isOutcomeKnown ? 'cleanup' : 'none' }),
      question: null,
      started_at: cart.started_at ?? now,
      completed_at: now,
    },
    'cart.failed',
  )
  return leavePerson(leaveSignIn(failed))
}

export function cancelCart(state: CartState): CartState {
  return changeCart(
    state,
    { ...atStage({ kind: 'none' }), status: 'cancelled', past_no_return: false, completed_at: state.now },
    'cart.cancelled',
  )
}

export function succeed(state: CartState): CartState {
  return changeCart(
    state,
    { ...atStage({ kind: 'none' }), status: 'succeeded', past_no_return: true, completed_at: state.now },
    'cart.succeeded',
  )
}

/** An order is never confirmed and unpaid: when its cart ends without the capture that was begun, it is cancelled. */
export function failUnpaidOrder(state: CartState): CartState {
  const attempt = state.cart.attempt_number
  const capture = effectOf(state, 'capture', attempt)
  // guard unpaid-order-is-cancelled: an order whose capture failed for good is cancelled, and its merchant sees it
  return capture !== null && capture.state !== 'done' ? orderPaid(state, attempt, 'failed') : state
}

/** The purchase waits for a sign-in only while one of its carts does. */
function leaveSignIn(state: CartState): CartState {
  const { cart, intent, others } = state
  if (intent.status !== 'awaiting_merchant_auth' && intent.status !== 'merchant_auth_failed') return state
  const waiting = nextSignIn([...others], cart.id)
  if (waiting !== null) {
    if (intent.next_action?.cart_id !== cart.id) return state
    return changeIntent(
      state,
      { status: 'awaiting_merchant_auth', next_action: signInAction(waiting) },
      { type: 'purchase_intent.awaiting_merchant_auth', cartId: waiting.id },
    )
  }
  const isRunning = others.some(({ status }) => status === 'created' || status === 'in_progress')
  return isRunning
    ? changeIntent(state, { status: 'approved', next_action: null }, { type: 'purchase_intent.approved' })
    : state
}

/** The purchase waits for the person of a payment only while that cart does. When it was the last one, the purchase ends. */
function leavePerson(state: CartState): CartState {
  const { cart, intent, others } = state
  const isRunning = others.some(({ status }) => !isTerminalCart(status))
  return confirmingCart(intent) === cart.id && isRunning ? goOnWithOthers(state) : state
}
