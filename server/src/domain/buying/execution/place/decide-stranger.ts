import { after, exponentialSeconds } from '../../../../core/backoff.ts'
import { type CartFacts, type EffectFacts, effectOf, type HoldFacts } from '../cart-facts.ts'
import { atLatest, fail, notBefore, pace, releaseHold, type Step, verify } from '../step.ts'

/**
 * What an attempt at a stranger came to. The rail decides whether it was charged; the merchant only says what it wants to be true. A charge
 * without a confirmation is a purchase. A confirmation without a charge is for a person: an invoice may come.
 */
export function decideStranger(facts: CartFacts, hold: HoldFacts | null, place: EffectFacts): Step {
  if (hold?.status === 'captured') return { kind: 'succeed' }
  if (hold?.status !== 'authorized') return uncharged(place)
  const settlesAt = (seconds: number) => after(place.sentAt, seconds)
  if (hold.claimedAt !== null) {
    const latest = settlesAt(pace.strangerReleasesSeconds)
    const mayRelease = place.state === 'refused' && facts.now < latest
    // guard stranger-may-release: a stranger that refuses has time to release what it has authorized
    return mayRelease ? atLatest(verify(facts, place, hold.attempt), latest) : { kind: 'succeed' }
  }
  const latest = settlesAt(pace.strangerChargesSeconds)
  const mayCharge = place.state === 'done' && facts.now < latest
  // guard stranger-revoked-before-the-end: an attempt at a stranger ends only once its credential can charge nothing more
  // guard stranger-given-up-in-its-time: a purchase at a stranger that confirms and charges nothing ends in its time
  return mayCharge ? atLatest(verify(facts, place, hold.attempt), latest) : releaseHold(facts, [hold])
}

/** Nothing was charged, and nothing can be any more. */
function uncharged({ state, refusal }: EffectFacts): Step {
  // guard stranger-unpaid-confirmation-for-a-person: a stranger that confirms and charges nothing is for a person
  if (state === 'done') return fail('outcome_unknown')
  if (state !== 'refused' || refusal === null) return fail('merchant_unavailable', { isRetrySame: true })
  return refusal.code === 'cancelled' ? { kind: 'cancel' } : { kind: 'fail_refused', refusal }
}

/**
 * A cart is bought, and its merchant has authorized and not yet captured: the rail is asked now and then what became of it, until there is
 * nothing that could still change.
 */
export function followCharge(facts: CartFacts, hold: HoldFacts): Step {
  const place = effectOf(facts, 'place', hold.attempt)
  if (place === null || hold.claimedAt === null) return { kind: 'rest' }
  const counted = effectOf(facts, 'revoke', hold.attempt) ?? place
  const isLate = facts.now >= after(hold.claimedAt, pace.strangerSettlesSeconds)
  const { asked, askedAt } = counted
  if (facts.hasNews && !facts.isWoken) return verify(facts, counted, hold.attempt)
  if (askedAt === null || facts.isWoken)
    return notBefore(facts, counted, facts.now, { kind: 'verify', attempt: hold.attempt })
  const seconds = isLate ? 86_400 : exponentialSeconds(Math.max(1, asked), 1, pace.settlingMaxSeconds)
  return { kind: 'wait', until: after(askedAt, seconds), because: 'merchant' }
}

/**
 * All of a charge is captured, and it may be given back at any time. Nobody asks for that by the clock: the rail reports it, and so may
 * the merchant, and then the rail is asked what stands.
 */
export function followRefunds(facts: CartFacts, hold: HoldFacts): Step {
  const counted = effectOf(facts, 'revoke', hold.attempt) ?? effectOf(facts, 'place', hold.attempt)
  if (counted === null) return { kind: 'rest' }
  if (facts.isWoken) return notBefore(facts, counted, facts.now, { kind: 'verify', attempt: hold.attempt })
  return facts.hasNews ? verify(facts, counted, hold.attempt) : { kind: 'rest' }
}
