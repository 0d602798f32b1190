import { after } from '../../../../core/backoff.ts'
import { nextSignIn, parseStage, type SignInWait, signInAction, signInStage } from '../../intents/public.ts'
import type { LockedCart } from '../locked-cart.ts'
import type { OfferAnswer } from '../port.ts'
import { timing } from '../timing.ts'

type SignIn = Extract<OfferAnswer, { kind: 'sign_in' }>

/** The cart waits for a person, and so does the purchase, which asks about one cart at a time. */
export async function stopAtSignIn(locked: LockedCart, { isRefused, host, code }: SignIn): Promise<void> {
  const { now } = locked.ctx
  const stage = parseStage(locked.cart.stage)
  const wait: SignInWait = {
    until: after(now, timing.signInHours * 3600),
    host: host ?? null,
    code: code ? { until: after(now, timing.codeMinutes * 60), session: code.session } : null,
  }
  locked.change({ status: 'awaiting_merchant_auth', stage: signInStage(wait) }, 'cart.awaiting_merchant_auth')
  const { status } = locked.intent
  if (status !== 'approved' && status !== 'queued') return
  const { cartId } = locked
  const next_action = signInAction(locked.cart)
  locked.changeIntent(
    { status: 'awaiting_merchant_auth', next_action },
    { type: 'purchase_intent.awaiting_merchant_auth', cartId },
  )
  // A merchant refuses what somebody has typed. Asked, then refused: the state table has no shorter way.
  if (!isRefused || stage.kind !== 'offer' || stage.signIn === null) return
  await locked.flush()
  locked.changeIntent(
    { status: 'merchant_auth_failed', next_action },
    { type: 'purchase_intent.merchant_auth_failed', cartId },
  )
}

/** The page that waited for a code is gone: the person signs in anew. */
export function signInAnew(locked: LockedCart): void {
  const wait = parseStage(locked.cart.stage)
  if (wait.kind !== 'sign_in') throw new Error('a cart that waits for no sign-in')
  locked.change({ stage: signInStage({ ...wait, code: null }) })
  const { next_action } = locked.intent
  if (next_action?.cart_id !== locked.cartId) return
  locked.changeIntent(
    { status: 'awaiting_merchant_auth', next_action: signInAction(locked.cart) },
    { type: 'purchase_intent.awaiting_merchant_auth', cartId: locked.cartId },
  )
}

/** The purchase waits for a sign-in only while one of its carts does. */
export function leaveSignIn(locked: LockedCart): void {
  const { status, next_action } = locked.intent
  if (status !== 'awaiting_merchant_auth' && status !== 'merchant_auth_failed') return
  const { carts } = locked.loaded
  const waiting = nextSignIn(carts, locked.cartId)
  if (waiting !== null) {
    if (next_action?.cart_id !== locked.cartId) return
    locked.changeIntent(
      { status: 'awaiting_merchant_auth', next_action: signInAction(waiting) },
      { type: 'purchase_intent.awaiting_merchant_auth', cartId: waiting.id },
    )
    return
  }
  const isRunning = carts.some(
    (cart) => cart.id !== locked.cartId && (cart.status === 'created' || cart.status === 'in_progress'),
  )
  if (isRunning)
    locked.changeIntent({ status: 'approved', next_action: null }, { type: 'purchase_intent.approved' })
}
