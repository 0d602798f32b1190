import { confirmingCart, nextSignIn, paymentAction, signInAction } from '../intents/public.ts'
import { type CartState, changeIntent, effectOf, isCleanup, isUnsettled, nextMove } from './cart-state.ts'
import { type EffectRow, personOf } from './journal.ts'

/**
 * While a payment waits for its person the purchase asks for them, one question at a time: a cart whose turn it is not yet asks at one of
 * its next looks. Once they have confirmed it, the purchase goes on under the approval that it had.
 */
export function followPerson(state: CartState): CartState {
  const { cart, intent, now } = state
  const pay = payOf(state)
  const person = pay && isUnsettled(pay) ? personOf(pay) : null
  const asked = confirmingCart(intent)
  if (asked === cart.id && pay?.state === 'done') return goOnWithOthers(state)
  if (person === null || cart.status !== 'in_progress' || isCleanup(state) || now >= person.until)
    return state
  const isFree = intent.status === 'approved' || intent.status === 'queued'
  const hasMoved = asked === cart.id && intent.next_action?.url !== person.url
  if (!isFree && !hasMoved) return state
  return changeIntent(
    state,
    {
      status: 'awaiting_approval',
      approval_expires_at: null,
      next_action: paymentAction({ cartId: cart.id, ...person }),
    },
    { type: 'purchase_intent.awaiting_approval', cartId: cart.id },
  )
}

function payOf(state: CartState): EffectRow | null {
  const { attempt_number: attempt } = state.cart
  return effectOf(state, 'authorize', attempt) ?? effectOf(state, 'issue_credential', attempt)
}

/** The question about a payment is over. A sign-in that waited for its turn is asked for next. */
export function goOnWithOthers(before: CartState): CartState {
  const { cart, others } = before
  const state = changeIntent(
    before,
    { status: 'approved', next_action: null },
    { type: 'purchase_intent.approved' },
  )
  const waiting = nextSignIn([...others], cart.id)
  if (waiting === null) return state
  return changeIntent(
    nextMove(state),
    { status: 'awaiting_merchant_auth', next_action: signInAction(waiting) },
    { type: 'purchase_intent.awaiting_merchant_auth', cartId: waiting.id },
  )
}
