import { after, exponentialSeconds } from '../../../../core/backoff.ts'
import { type CartFacts, type EffectFacts, effectOf, type HoldFacts, holdOf } from '../cart-facts.ts'
import { atLatest, fail, notBefore, pace, releaseHold, type Step, waitSeconds } from '../step.ts'
import { timing } from '../timing.ts'

/** The credential is issued: hand it out, which is the point of no return, or end by what became of it. */
export function decideHandOver(facts: CartFacts, until: Date): Step {
  const { attempt } = facts.cart
  const hold = holdOf(facts, attempt)
  const place = effectOf(facts, 'place', attempt)
  if (place === null) return handOut(facts, hold, until)
  if (place.state === 'done')
    return hold?.status === 'captured' ? { kind: 'succeed' } : fail('outcome_unknown')
  if (place.state === 'closed') return fail(endOf(facts, hold))
  throw new Error(`a credential was handed out, and its hand-out is ${place.state}`)
}

function handOut(facts: CartFacts, hold: HoldFacts | null, until: Date): Step {
  const isOver = facts.now >= until
  if (hold?.status === 'captured') return fail('outcome_unknown')
  if (hold?.status !== 'authorized') return fail(isOver ? 'payment_token_expired' : 'payment_declined')
  if (isOver) return releaseHold(facts, [hold])
  // guard frozen-hands-nothing-out: what is frozen is handed to nobody
  if (facts.isFrozen) return waitFrozen(facts)
  return { kind: 'send', step: 'place', attempt: facts.cart.attempt }
}

/** Who let the credential go: its merchant, or our revoke once its time was over. */
function endOf(facts: CartFacts, hold: HoldFacts | null) {
  const isRevoked = effectOf(facts, 'revoke', facts.cart.attempt) !== null
  const wasUsed = hold?.status === 'refunded' || hold?.claimedAt !== null
  return wasUsed || !isRevoked ? 'order_rejected_by_merchant' : 'payment_token_expired'
}

/**
 * The merchant acts by itself, so the state of the credential at the rail decides, however long that takes. Nobody can use it after its
 * time: it is revoked, and the rail then says which came first. What the merchant has authorized it captures or releases.
 */
export function followCredential(facts: CartFacts, place: EffectFacts): Step {
  const { attempt } = place
  const hold = holdOf(facts, attempt)
  if (!hold) throw new Error('a credential was handed out that was never issued')
  switch (hold.status) {
    case 'captured':
      return { kind: 'placed', attempt }
    case 'refunded':
    case 'voided':
    case 'expired':
    case 'failed':
      return { kind: 'settle', step: 'place', attempt }
    case 'authorized':
      // guard claimed-is-left-alone: what a merchant has authorized in time it may capture later
      return hold.claimedAt === null
        ? untilClaimed(facts, place, hold)
        : untilCharged(facts, place, hold.claimedAt)
    default:
      return hold.status satisfies never
  }
}

function untilClaimed(facts: CartFacts, place: EffectFacts, hold: HoldFacts): Step {
  const until = facts.handedOverUntil
  // guard expired-is-revoked: an unused credential is revoked before its cart ends
  if (until === null || facts.now >= until || isEnded(facts)) return releaseHold(facts, [hold])
  return look(facts, place, { secondsMax: pace.retryMaxSeconds, latest: until })
}

function untilCharged(facts: CartFacts, place: EffectFacts, claimedAt: Date): Step {
  const latest = after(claimedAt, timing.claimedHours * 3600)
  // Its merchant keeps what it may keep no longer: only a person can find out why.
  // guard claimed-not-for-ever: money that a merchant keeps for too long is seen by a person
  if (facts.now >= latest && !isEnded(facts)) return fail('outcome_unknown')
  return look(facts, place, { secondsMax: pace.sweepSeconds, latest })
}

function isEnded({ cart }: CartFacts): boolean {
  return cart.status === 'succeeded' || cart.status === 'failed' || cart.status === 'cancelled'
}

/** Asks the rail when the cart is due, which it also is where there is news; after the answer it waits longer each time. */
function look(
  facts: CartFacts,
  place: EffectFacts,
  { secondsMax, latest }: { secondsMax: number; latest: Date },
): Step {
  // Readings are counted on the revoke where there is one.
  const counted = effectOf(facts, 'revoke', place.attempt) ?? place
  const { asked, askedAt } = counted
  if (askedAt === null || facts.isWoken)
    return notBefore(facts, counted, facts.now, { kind: 'verify', attempt: place.attempt })
  const next = after(askedAt, exponentialSeconds(Math.max(1, asked), 1, secondsMax))
  const until = next > latest && latest > facts.now ? latest : next
  return { kind: 'wait', until, because: 'merchant' }
}

/** A freeze ends with an event. What waits for it until its own time is over is looked at then. */
export function waitFrozen(facts: CartFacts): Step {
  const wait = waitSeconds(facts, pace.sweepSeconds, 'frozen')
  return facts.handedOverUntil === null ? wait : atLatest(wait, facts.handedOverUntil)
}
