import { after } from '../../../../core/backoff.ts'
import type { OfferAnswer } from '../../channels/public.ts'
import { parseStage, type SignInWait, signInAction, signInStage } from '../../intents/public.ts'
import { type CartState, changeCart, changeIntent, nextMove } from '../cart-state.ts'
import { lifetimes } from '../lifetimes.ts'

type SignIn = Extract<OfferAnswer, { kind: 'sign_in' }>

/** The cart waits for a person, and so does the purchase, which asks about one cart at a time. */
export function stopAtSignIn(before: CartState, { isRefused, host, code }: SignIn): CartState {
  const { now, intent, cart } = before
  const stage = parseStage(cart.stage)
  const wait: SignInWait = {
    until: after(now, lifetimes.signInHours * 3600),
    host: host ?? null,
    code: code ? { until: after(now, lifetimes.codeMinutes * 60), session: code.session } : null,
  }
  const stopped = { status: 'awaiting_merchant_auth', stage: signInStage(wait) } as const
  const state = changeCart(before, stopped, 'cart.awaiting_merchant_auth')
  if (intent.status !== 'approved' && intent.status !== 'queued') return state
  const next_action = signInAction(state.cart)
  const asked = changeIntent(
    state,
    { status: 'awaiting_merchant_auth', next_action },
    { type: 'purchase_intent.awaiting_merchant_auth', cartId: cart.id },
  )
  // A merchant refuses what somebody has typed. Asked, then refused.
  if (!isRefused || stage.kind !== 'offer' || stage.signIn === null) return asked
  return changeIntent(
    nextMove(asked),
    { status: 'merchant_auth_failed', next_action },
    { type: 'purchase_intent.merchant_auth_failed', cartId: cart.id },
  )
}

/** The page that waited for a code is gone: the person signs in anew. */
export function signInAnew(before: CartState): CartState {
  const { cart, intent } = before
  const wait = parseStage(cart.stage)
  if (wait.kind !== 'sign_in') throw new Error('a cart that waits for no sign-in')
  const state = changeCart(before, { stage: signInStage({ ...wait, code: null }) })
  if (intent.next_action?.cart_id !== cart.id) return state
  return changeIntent(
    state,
    { status: 'awaiting_merchant_auth', next_action: signInAction(state.cart) },
    { type: 'purchase_intent.awaiting_merchant_auth', cartId: cart.id },
  )
}
