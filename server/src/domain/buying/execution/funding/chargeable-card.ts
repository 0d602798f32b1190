import { type CartState, effectOf, holdOf, withWrite } from '../cart-state.ts'
import { isFunded } from './funding.ts'

/** Before the number of a card that spends ours may be typed: its rail asks us about each charge, and we know the card by then. */
export function openCard(state: CartState, attempt: number): CartState {
  const hold = holdOf(state, attempt)
  if (hold === null || !isFunded(state, attempt)) return state
  const { reference, amount: limit, currency } = hold
  return withWrite(state, { kind: 'open_card', card: { reference, attempt, limit, currency } })
}

/** Before its rail is told to end it: between the two nobody is allowed anything. */
export function closeCard(state: CartState, attempt: number): CartState {
  const hold = holdOf(state, attempt)
  const isOpen = hold !== null && isFunded(state, attempt) && effectOf(state, 'revoke', attempt) === null
  return isOpen ? withWrite(state, { kind: 'close_card', reference: hold.reference }) : state
}
