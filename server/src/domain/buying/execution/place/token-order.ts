import {
  type CartState,
  changeCart,
  changeEffect,
  effectOf,
  holdOf,
  isRunning,
  wayFor,
} from '../cart-state.ts'
import { type EffectRow, placedAnswer } from '../journal.ts'

/** Once the merchant uses the credential, its order is known: the first look that sees it says so. */
export function lacksTokenOrder(state: CartState): boolean {
  return usedToken(state) !== null
}

export function withTokenOrder(state: CartState, orderId: string | null): CartState {
  const place = usedToken(state)
  if (place === null) return state
  const answer = placedAnswer({ orderRow: null, orderId, transactionId: null })
  return changeCart(changeEffect(state, place, { answer }), { order_id: orderId }, 'cart.order_placed')
}

/** The hand-out of a credential that is used, and whose order was not read yet. */
function usedToken(state: CartState): EffectRow | null {
  if (wayFor(state)?.kind !== 'handed_over') return null
  const hold = holdOf(state)
  const place = effectOf(state, 'place', state.cart.attempt_number)
  const isUsed = hold?.status === 'captured' || (hold?.status === 'authorized' && hold.claimed_at !== null)
  return isUsed && place?.answer === null && isRunning(state, place) ? place : null
}
