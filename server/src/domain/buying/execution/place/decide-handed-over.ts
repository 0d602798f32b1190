import { after, exponentialSeconds } from '../../../../core/backoff.ts'
import { againPace } from '../../rails/public.ts'
import { type CartState, effectOf, handedOverUntil, holdOf, isOver } from '../cart-state.ts'
import type { EffectRow, HoldRow } from '../journal.ts'
import { lifetimes } from '../lifetimes.ts'
import { atLatest, fail, notBefore, pace, releaseHold, type Step, waitSeconds } from '../step.ts'

/** The credential is issued: hand it out, which is the point of no return, or end by what became of it. */
export function decideHandOver(state: CartState, until: Date): Step {
  const { attempt_number: attempt } = state.cart
  const hold = holdOf(state, attempt)
  const place = effectOf(state, 'place', attempt)
  if (place === null) return handOut(state, hold, until)
  if (place.state === 'done')
    return hold?.status === 'captured' ? { kind: 'succeed' } : fail('outcome_unknown')
  if (place.state === 'closed') return fail(endOf(state, hold))
  throw new Error(`a credential was handed out, and its hand-out is ${place.state}`)
}

function handOut(state: CartState, hold: HoldRow | null, until: Date): Step {
  const isLate = state.now >= until
  if (hold?.status === 'captured') return fail('outcome_unknown')
  if (hold?.status !== 'authorized') return fail(isLate ? 'payment_token_expired' : 'payment_declined')
  if (isLate) return releaseHold(state, [hold])
  // guard frozen-hands-nothing-out: what is frozen is handed to nobody
  if (state.isFrozen) return waitFrozen(state)
  return { kind: 'send', step: 'place', attempt: state.cart.attempt_number }
}

/** Who let the credential go: its merchant, or our revoke once its time was over. */
function endOf(state: CartState, hold: HoldRow | null) {
  const isRevoked = effectOf(state, 'revoke', state.cart.attempt_number) !== null
  const wasUsed = hold?.status === 'refunded' || hold?.claimed_at !== null
  return wasUsed || !isRevoked ? 'order_rejected_by_merchant' : 'payment_token_expired'
}

/**
 * The merchant acts by itself, so the state of the credential at the rail decides, however long that takes. Nobody can use it after its
 * time: it is revoked, and the rail then says which came first. What the merchant has authorized it captures or releases.
 */
export function followCredential(state: CartState, place: EffectRow): Step {
  const { attempt } = place
  const hold = holdOf(state, attempt)
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
      return hold.claimed_at === null
        ? untilClaimed(state, place, hold)
        : untilCharged(state, place, hold.claimed_at)
    default:
      return hold.status satisfies never
  }
}

function untilClaimed(state: CartState, place: EffectRow, hold: HoldRow): Step {
  const until = handedOverUntil(state)
  // guard expired-is-revoked: an unused credential is revoked before its cart ends
  if (until === null || state.now >= until || isOver(state)) return releaseHold(state, [hold])
  return look(state, place, { secondsMax: againPace.retryMaxSeconds, latest: until })
}

function untilCharged(state: CartState, place: EffectRow, claimedAt: Date): Step {
  const latest = after(claimedAt, lifetimes.claimedHours * 3600)
  // Its merchant keeps what it may keep no longer: only a person can find out why.
  // guard claimed-not-for-ever: money that a merchant keeps for too long is seen by a person
  if (state.now >= latest && !isOver(state)) return fail('outcome_unknown')
  return look(state, place, { secondsMax: pace.sweepSeconds, latest })
}

/** Asks the rail when the cart is due, which it also is where there is news; after the answer it waits longer each time. */
function look(
  state: CartState,
  place: EffectRow,
  { secondsMax, latest }: { secondsMax: number; latest: Date },
): Step {
  // Readings are counted on the revoke where there is one.
  const counted = effectOf(state, 'revoke', place.attempt) ?? place
  const { asked, asked_at } = counted
  if (asked_at === null || state.isWoken)
    return notBefore(state, counted, state.now, { kind: 'verify', attempt: place.attempt })
  const next = after(asked_at, exponentialSeconds(Math.max(1, asked), 1, secondsMax))
  const until = next > latest && latest > state.now ? latest : next
  return { kind: 'wait', until, because: 'merchant' }
}

/** A freeze ends with an event. What waits for it until its own time is over is looked at then. */
export function waitFrozen(state: CartState): Step {
  const wait = waitSeconds(state, pace.sweepSeconds, 'frozen')
  const until = handedOverUntil(state)
  return until === null ? wait : atLatest(wait, until)
}
