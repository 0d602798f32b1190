import { after, exponentialSeconds } from '../../../core/backoff.ts'
import { backoffSeconds } from '../rails/public.ts'
import { type CartState, effectOf } from './cart-state.ts'
import { type EffectRefusal, type EffectRow, type EffectStep, type HoldRow, refusalOf } from './journal.ts'

type FailCode =
  | 'payment_declined'
  | 'payment_authentication_failed'
  | 'merchant_unavailable'
  | 'merchant_auth_failed'
  | 'internal_error'
  /** Our own browser had no room for it, for too long. */
  | 'no_room'
  | 'input_not_given'
  | 'outcome_unknown'
  | 'hold_ended'
  | 'order_rejected_by_merchant'
  | 'payment_token_expired'

/** The next thing to do for a cart. */
export type Step =
  /** Ask the merchant for its price. */
  | { readonly kind: 'offer' }
  /** Journal an effect and make its call. */
  | { readonly kind: 'send'; readonly step: EffectStep; readonly attempt: number }
  /** Find out how an effect ended. */
  | { readonly kind: 'ask'; readonly step: EffectStep; readonly attempt: number }
  /** Make the callee refuse an effect's key from now on. */
  | { readonly kind: 'close'; readonly step: EffectStep; readonly attempt: number }
  /** It is proven that the effect did not happen. */
  | { readonly kind: 'settle'; readonly step: EffectStep; readonly attempt: number }
  /** Read the state of a hold from the rail. */
  | { readonly kind: 'verify'; readonly attempt: number }
  /** The merchant has charged the credential that was handed to it. */
  | { readonly kind: 'placed'; readonly attempt: number }
  | { readonly kind: 'succeed' }
  | {
      readonly kind: 'fail'
      readonly code: FailCode
      readonly isRetrySame: boolean
      readonly refusal: EffectRefusal | null
    }
  /** The merchant's side refused the order; the failure repeats its reason. */
  | { readonly kind: 'fail_refused'; readonly refusal: EffectRefusal }
  /** The order was cancelled, and the cart with it. */
  | { readonly kind: 'cancel' }
  | { readonly kind: 'wait'; readonly until: Date; readonly because: WaitReason }
  /** The page that waited for a code at a sign-in is gone. */
  | { readonly kind: 'sign_in_anew' }
  /** Nothing is left to do for this cart. */
  | { readonly kind: 'rest' }

type WaitReason = 'frozen' | 'backoff' | 'merchant' | 'proof' | 'person'

/** Seconds and counts that bound waiting and trying. */
export const pace = {
  /** An event makes a waiting row due earlier, and so does the end of a freeze; this is the backstop. */
  sweepSeconds: 900,
  offerTriesMax: 4,
  sendTriesMax: 5,
  /** How often the rail is asked at least whether the person of a payment has confirmed it. */
  personMaxSeconds: 20,
  /** How often a cart asks for room in our own browser, at least. */
  roomMaxSeconds: 15,
  /** How often the balance of cards is read for a cart that it does not cover. */
  fundsSeconds: 30,
  /** While the rail turns us away no money is held: a purchase that has charged nothing ends after this time. */
  patienceSeconds: 1800,
  /** After this long without an answer from a merchant, its credential is revoked. */
  giveUpSeconds: 900,
  /** A stranger that has confirmed an order charges within this time, or an invoice may come. */
  strangerChargesSeconds: 60,
  /** A stranger that has refused an order releases what it has authorized within this time. */
  strangerReleasesSeconds: 30,
  /** After this long without an answer from a stranger, its credential is revoked. */
  strangerGiveUpSeconds: 40,
  /** What a stranger has authorized it captures, in all its shipments, or releases within this time. */
  strangerSettlesSeconds: 30 * 86_400,
  /** How often the rail is asked meanwhile, at least; afterwards once a day. */
  settlingMaxSeconds: 3600,
  /** A hold this close to its end is not used any more. */
  holdMarginSeconds: 3600,
} as const

export function waitSeconds(state: CartState, seconds: number, because: WaitReason): Step {
  return { kind: 'wait', until: after(state.now, seconds), because }
}

/** The step; a wait ends at this time at the latest, because something else is decided then. */
export function atLatest(step: Step, latest: Date): Step {
  return step.kind === 'wait' && latest < step.until ? { ...step, until: latest } : step
}

export function fail(
  code: FailCode,
  more: { isRetrySame?: boolean; refusal?: EffectRefusal | null } = {},
): Step {
  return { kind: 'fail', code, isRetrySame: more.isRetrySame ?? false, refusal: more.refusal ?? null }
}

/** What the refusal of an order ends in; null: its merchant gave no reason. */
export function asRefused(place: EffectRow): Step | null {
  const refusal = refusalOf(place)
  if (refusal?.code === 'cancelled') return { kind: 'cancel' }
  return refusal && { kind: 'fail_refused', refusal }
}

/** How many seconds a cart waits that found no room in our browser `count` times in a row. */
export function roomSeconds(count: number, retryAfterSeconds: number | null): number {
  return Math.max(exponentialSeconds(Math.max(1, count), 1, pace.roomMaxSeconds), retryAfterSeconds ?? 0)
}

/** A call that is turned away decides nothing. Time decides, where nothing was charged and nothing is owed. */
export function isOutOfPatience(state: CartState, { put_off }: EffectRow): boolean {
  return put_off !== null && state.now >= after(new Date(put_off.since), pace.patienceSeconds)
}

/** At once when it was never tried, otherwise after the backoff. */
export function sendAgain(
  state: CartState,
  effect: EffectRow | null | undefined,
  send: Extract<Step, { kind: 'send' }>,
): Step {
  return effect ? notBefore(state, effect, after(effect.sent_at, backoffSeconds(effect.tries)), send) : send
}

/** Asks the rail for the state of a hold; `effect` counts the questions. */
export function verify(state: CartState, effect: EffectRow, attempt: number): Step {
  return notBefore(state, effect, askAt(state, effect), { kind: 'verify', attempt })
}

/** When a callee may be asked about an effect again. */
export function askAt(state: CartState, { asked, asked_at }: EffectRow): Date {
  return asked_at === null ? state.now : after(asked_at, backoffSeconds(asked))
}

/** The step, once its time has come and its callee may be called again. */
export function notBefore(state: CartState, { put_off }: EffectRow, at: Date, step: Step): Step {
  const leftAloneUntil = put_off === null ? at : new Date(put_off.until)
  // guard left-alone-until-its-time: a callee that asks to be left alone is left alone
  const until = leftAloneUntil > at ? leftAloneUntil : at
  return state.now < until ? { kind: 'wait', until, because: 'backoff' } : step
}

/** Releases what is held; `rest` when nothing is. */
export function releaseHold(state: CartState, holds: readonly HoldRow[]): Step {
  const open = holds.find((hold) => hold.status === 'authorized')
  if (!open) return { kind: 'rest' }
  const step = open.kind === 'credential' ? 'revoke' : 'void'
  const effect = effectOf(state, step, open.attempt)
  // The rail refused: it knows the state of the hold better than we do. A hold that still stands is released under another key.
  if (effect?.state === 'refused' || effect?.state === 'done') return verify(state, effect, open.attempt)
  return sendAgain(state, effect, { kind: 'send', step, attempt: open.attempt })
}

/**
 * Makes what is owed, such as the refund of a capture. Neither a freeze nor a number of tries ends it. What the rail refuses is looked for at
 * the rail until a person has made it in another way: while the money is gone, no further attempt may take more.
 */
export function sendOwed(state: CartState, owed: Pick<EffectRow, 'step' | 'attempt'>): Step {
  const effect = effectOf(state, owed.step, owed.attempt)
  if (effect !== null && effect.state !== 'unsent') return verify(state, effect, owed.attempt)
  return sendAgain(state, effect, { kind: 'send', ...owed })
}
