import { exponentialSeconds } from '../../core/backoff.ts'
import {
  type CartFacts,
  type EffectFacts,
  type EffectRefusal,
  type EffectStep,
  effectOf,
  type HoldFacts,
} from './cart-facts.ts'

export type FailCode =
  | 'payment_declined'
  | 'merchant_unavailable'
  | 'merchant_auth_failed'
  | 'internal_error'
  | 'outcome_unknown'

/** The next thing to do for a cart. */
export type Step =
  /** Ask the merchant what it asks. */
  | { readonly kind: 'offer' }
  /** Journal an effect and make its call. */
  | { readonly kind: 'send'; readonly step: EffectStep; readonly attempt: number }
  /** Find out what became of an effect. */
  | { readonly kind: 'ask'; readonly step: EffectStep; readonly attempt: number }
  /** Have the callee refuse an effect's key from now on. */
  | { readonly kind: 'close'; readonly step: EffectStep; readonly attempt: number }
  /** It is proven that nothing came of the effect. */
  | { readonly kind: 'settle'; readonly step: EffectStep; readonly attempt: number }
  /** Read from the rail what a hold has become. */
  | { readonly kind: 'verify'; readonly attempt: number }
  | { readonly kind: 'succeed' }
  | {
      readonly kind: 'fail'
      readonly code: FailCode
      readonly isRetrySame: boolean
      readonly refusal: EffectRefusal | null
    }
  /** The merchant's side refused the order: the failure is what it said. */
  | { readonly kind: 'fail_refused'; readonly refusal: EffectRefusal }
  /** The order was cancelled, and the cart with it. */
  | { readonly kind: 'cancel' }
  | { readonly kind: 'wait'; readonly until: Date; readonly because: WaitReason }
  /** Nothing is left to do for this cart. */
  | { readonly kind: 'rest' }

export type WaitReason = 'frozen' | 'backoff' | 'merchant' | 'proof' | 'person'

/** Seconds and counts that bound waiting and trying. */
export const pace = {
  frozenSeconds: 5,
  /** An event makes a waiting row due earlier; this is the backstop. */
  sweepSeconds: 900,
  offerTriesMax: 4,
  sendTriesMax: 5,
  retryMaxSeconds: 60,
  /** After this long without a word from a merchant, its credential is taken back. */
  giveUpSeconds: 900,
  /** A hold this close to its end is not spent any more. */
  holdMarginSeconds: 3600,
} as const

export function waitSeconds(facts: CartFacts, seconds: number, because: WaitReason): Step {
  return { kind: 'wait', until: after(facts.now, seconds), because }
}

export function after(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1000)
}

export function backoffSeconds(attempt: number): number {
  return exponentialSeconds(Math.max(1, attempt), 1, pace.retryMaxSeconds)
}

export function fail(
  code: FailCode,
  more: { isRetrySame?: boolean; refusal?: EffectRefusal | null } = {},
): Step {
  return { kind: 'fail', code, isRetrySame: more.isRetrySame ?? false, refusal: more.refusal ?? null }
}

/** Now when it was never tried, otherwise after the backoff. */
export function sendAgain(
  facts: CartFacts,
  effect: EffectFacts | null | undefined,
  send: Extract<Step, { kind: 'send' }>,
): Step {
  if (!effect) return send
  const retryAt = after(effect.sentAt, backoffSeconds(effect.tries))
  return facts.now < retryAt ? { kind: 'wait', until: retryAt, because: 'backoff' } : send
}

/** Asks the rail what a hold has become; `effect` counts the asking. */
export function verify(facts: CartFacts, effect: EffectFacts, attempt: number): Step {
  const retryAt = effect.askedAt === null ? facts.now : after(effect.askedAt, backoffSeconds(effect.asked))
  return facts.now < retryAt
    ? { kind: 'wait', until: retryAt, because: 'backoff' }
    : { kind: 'verify', attempt }
}

/** Takes back what is held; `rest` when nothing is. */
export function letGo(facts: CartFacts, holds: readonly HoldFacts[]): Step {
  const open = holds.find((hold) => hold.status === 'authorized')
  if (!open) return { kind: 'rest' }
  const step = open.kind === 'credential' ? 'revoke' : 'void'
  const effect = effectOf(facts, step, open.attempt)
  // The rail would not: it knows better than we do what the hold has become.
  if (effect?.state === 'refused' || effect?.state === 'done') return verify(facts, effect, open.attempt)
  return sendAgain(facts, effect, { kind: 'send', step, attempt: open.attempt })
}

/**
 * Refunds what was captured. Neither a freeze nor a number of tries ends it. A refund that the rail refuses is looked for there until
 * somebody has made it by another way: as long as the money is gone, no further attempt may take more.
 */
export function giveBack(facts: CartFacts, { attempt }: HoldFacts): Step {
  const effect = effectOf(facts, 'refund', attempt)
  if (effect !== null && effect.state !== 'unsent') return verify(facts, effect, attempt)
  return sendAgain(facts, effect, { kind: 'send', step: 'refund', attempt })
}
