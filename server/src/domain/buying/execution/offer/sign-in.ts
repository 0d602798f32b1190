import { after } from '../../../../core/backoff.ts'
import type { OfferAnswer } from '../../channels/public.ts'
import { atStage, type SignInWait, signInAction, stageOf } from '../../intents/public.ts'
import { type CartState, changeCart, changeIntent, nextMove } from '../cart-state.ts'
import { lifetimes } from '../lifetimes.ts'

type SignIn = Extract<OfferAnswer, { kind: 'sign_in' }>

/** The cart waits for a person, and so does the purchase, which asks about one cart at a time. */
export function stopAtSignIn(before: CartState, { isRefused, host, code }: SignIn): CartState {
  const { now, intent, cart } = before
  const stage = stageOf(cart)
  const wait: SignInWait = {
    until: after(now, lifetimes.signInHours * 3600),
    host: host ?? null,
    code: code ? { until: after(now, lifetimes.codeMinutes * 60), session: code.session } : null,
  }
  const stopped = { ...atStage({ kind: 'sign_in', ...wait }), status: 'awaiting_merchant_auth' } as const
  const state = changeCart(before, stopped, 'cart.awaiting_merchant_auth')
  if (intent.status !== 'approved' && intent.status !== 'queued') return state
  const next_action = signInAction(state.cart)
  const asked = changeIntent(
    state,
    { status: 'awaiting_merchant_auth', next_action },
    { type: 'purchase_intent.awaiting_merchant_auth', cartId: cart.id },
  )
  // A merchant refuses what somebody has typed. Asked, then refused.
  const hasTyped = (stage.kind === 'offer' || stage.kind === 'room') && stage.signIn !== null
  if (!isRefused || !hasTyped) return asked
  return changeIntent(
    nextMove(asked),
    { status: 'merchant_auth_failed', next_action },
    { type: 'purchase_intent.merchant_auth_failed', cartId: cart.id },
  )
}

/** The page that waited for a code is gone: the person signs in anew. */
export function signInAnew(before: CartState): CartState {
  const { cart, intent } = before
  const wait = stageOf(cart)
  if (wait.kind !== 'sign_in') throw new Error('a cart that waits for no sign-in')
  const state = changeCart(before, atStage({ ...wait, code: null }))
  if (intent.next_action?.cart_id !== cart.id) return state
  return changeIntent(
    state,
    { status: 'awaiting_merchant_auth', next_action: signInAction(state.cart) },
    { type: 'purchase_intent.awaiting_merchant_auth', cartId: cart.id },
  )
}
