import type { PlaceRefusal } from '../../channels/public.ts'
import type { NativePlaceAnswer } from '../../native/public.ts'
import {
  type CartState,
  changeCart,
  changeEffect,
  holdOf,
  isCurrent,
  isRunning,
  withEffect,
  withWrite,
} from '../cart-state.ts'
import {
  blankEffect,
  type EffectRequest,
  type EffectRow,
  orderRowOf,
  type PlacedOrder,
  placedAnswer,
} from '../journal.ts'
import { nothing, settle } from './effect.ts'

/** The order is for what is held. */
export function orderRequest(state: CartState): EffectRequest {
  const hold = holdOf(state)
  if (!hold) throw new Error('an order without money for it')
  return {
    ...nothing,
    amount: hold.amount,
    currency: hold.currency,
    merchant: state.cart.merchant_domain,
  }
}

/** The merchant has taken the order. */
export function placed(
  before: CartState,
  effect: EffectRow,
  order: Omit<PlacedOrder, 'orderRow'>,
): CartState {
  const wasPending = effect.answer?.kind === 'placed'
  const settled = settle(before, effect, 'done', placedAnswer({ ...order, orderRow: orderRowOf(effect) }))
  // From here on, questions to the rail are counted from 0 again.
  const state = changeEffect(settled, effect, { asked: 0, asked_at: null })
  if (!isCurrent(state, effect)) return state
  const { orderId, orderUrl = null, transactionId, result } = order
  const kept = result ? withWrite(state, { kind: 'keep_result', result }) : state
  const changes = { order_id: orderId, order_url: orderUrl, transaction_id: transactionId }
  // An order of ours was placed with its row; its confirmation is announced with the capture.
  return wasPending ? changeCart(kept, changes) : changeCart(kept, changes, 'cart.order_placed')
}

export function placeRefused(state: CartState, effect: EffectRow, refusal: PlaceRefusal): CartState {
  const orderRow = orderRowOf(effect)
  const answer = { kind: 'refused', ...refusal, ...(orderRow === null ? {} : { orderRow }) } as const
  return settle(state, effect, 'refused', answer)
}

/** The merchant has charged the credential that was handed to it: the order is placed and paid. */
export function charged(before: CartState, effect: EffectRow): CartState {
  const hold = holdOf(before, effect.attempt)
  if (!hold) throw new Error('a credential was charged that was never handed out')
  const orderId = effect.answer?.kind === 'placed' ? effect.answer.orderId : null
  const state = placed(before, effect, { orderId, transactionId: hold.capture_reference })
  const charge = { actual_amount: hold.captured_amount }
  return isRunning(state, effect) ? changeCart(state, charge, 'cart.payment_captured') : state
}

/** An order that is a row of ours is journaled together with that row: both are written, or neither. */
export function placedHere(before: CartState, answer: NativePlaceAnswer): CartState {
  const { now } = before
  const blank = blankOrder(before)
  if (answer.kind === 'refused') {
    // Nothing was placed, and nothing can be any more: its hold is released.
    const refused = { kind: 'refused', ...answer.refusal } as const
    return withEffect(before, { ...blank, state: 'refused', answer: refused, settled_at: now })
  }
  const pending = { state: 'unknown', may_have_left: true, heard: 'pending', asked_at: now } as const
  const state = withEffect(before, { ...blank, ...pending, answer: placedAnswer(answer.value) })
  return changeCart({ ...state, isAsked: true }, { order_row_id: answer.value.orderRow }, 'cart.order_placed')
}

/** A credential that is handed to its merchant: there is no call, and the rail says what comes of it. It cannot be taken back. */
export function handOut(before: CartState): CartState {
  // guard handed-out-for-good: a purchase whose token is out cannot be cancelled
  const state = changeCart(before, { past_no_return: true })
  const pending = { state: 'unknown', may_have_left: true, heard: 'pending', asked_at: state.now } as const
  return withEffect(state, { ...blankOrder(state), ...pending })
}

function blankOrder(state: CartState): EffectRow {
  const attempt = state.cart.attempt_number
  return blankEffect(state, { step: 'place', attempt, rail: null, request: orderRequest(state) })
}
