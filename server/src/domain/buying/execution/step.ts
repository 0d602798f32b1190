import { exponentialSeconds } from '../../../core/backoff.ts'
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
  /** An event makes a waiting row due earlier, the end of a freeze among them; this is the backstop. */
  sweepSeconds: 900,
  offerTriesMax: 4,
  sendTriesMax: 5,
  retryMaxSeconds: 60,
  /** What gives money back is tried for ever; while it is turned away, this often at least. */
  releaseMaxSeconds: 900,
  /** However long a callee asks to be left alone. */
  retryAfterMaxSeconds: 900,
  /** While the rail turns us away no money is held: after this long, a purchase ends that has charged nothing. */
  patienceSeconds: 1800,
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

/** How long a call that was turned away `count` times in a row is left alone. */
export function putOffSeconds(step: EffectStep, count: number, retryAfterSeconds: number | null): number {
  const isRelease = step === 'void' || step === 'revoke' || step === 'refund'
  const own = exponentialSeconds(
    Math.max(1, count),
    1,
    isRelease ? pace.releaseMaxSeconds : pace.retryMaxSeconds,
  )
  return Math.max(own, Math.min(retryAfterSeconds ?? 0, pace.retryAfterMaxSeconds))
}

/** Being turned away decides nothing; the time that passes does, where nothing was charged and nothing is owed. */
export function isOutOfPatience(facts: CartFacts, { putOff }: EffectFacts): boolean {
  return putOff !== null && facts.now >= after(putOff.since, pace.patienceSeconds)
}

/** Now when it was never tried, otherwise after the backoff. */
export function sendAgain(
  facts: CartFacts,
  effect: EffectFacts | null | undefined,
  send: Extract<Step, { kind: 'send' }>,
): Step {
  return effect ? notBefore(facts, effect, after(effect.sentAt, backoffSeconds(effect.tries)), send) : send
}

/** Asks the rail what a hold has become; `effect` counts the asking. */
export function verify(facts: CartFacts, effect: EffectFacts, attempt: number): Step {
  return notBefore(facts, effect, askAt(facts, effect), { kind: 'verify', attempt })
}

/** When a callee may be asked about an effect again. */
export function askAt(facts: CartFacts, { asked, askedAt }: EffectFacts): Date {
  return askedAt === null ? facts.now : after(askedAt, backoffSeconds(asked))
}

/** The step, once its time has come and its callee is no longer to be left alone. */
export function notBefore(facts: CartFacts, { putOff }: EffectFacts, at: Date, step: Step): Step {
  const until = putOff !== null && putOff.until > at ? putOff.until : at
  return facts.now < until ? { kind: 'wait', until, because: 'backoff' } : step
}

/** Takes back what is held; `rest` when nothing is. */
export function releaseHold(facts: CartFacts, holds: readonly HoldFacts[]): Step {
  const open = holds.find((hold) => hold.status === 'authorized')
  if (!open) return { kind: 'rest' }
  const step = open.kind === 'credential' ? 'revoke' : 'void'
  const effect = effectOf(facts, step, open.attempt)
  // The rail would not: it knows better than we do what the hold has become. One that stands is released under another key.
  if (effect?.state === 'refused' || effect?.state === 'done') return verify(facts, effect, open.attempt)
  return sendAgain(facts, effect, { kind: 'send', step, attempt: open.attempt })
}

/**
 * Refunds what was captured. Neither a freeze nor a number of tries ends it. A refund that the rail refuses is looked for there until
 * somebody has made it by another way: as long as the money is gone, no further attempt may take more.
 */
export function refundCapture(facts: CartFacts, { attempt }: HoldFacts): Step {
  const effect = effectOf(facts, 'refund', attempt)
  if (effect !== null && effect.state !== 'unsent') return verify(facts, effect, attempt)
  return sendAgain(facts, effect, { kind: 'send', step: 'refund', attempt })
}
