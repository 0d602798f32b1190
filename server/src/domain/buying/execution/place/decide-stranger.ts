import { after, exponentialSeconds } from '../../../../core/backoff.ts'
import { type CartState, effectOf, hasNews } from '../cart-state.ts'
import type { EffectRow, HoldRow } from '../journal.ts'
import { asRefused, atLatest, fail, notBefore, pace, releaseHold, type Step, verify } from '../step.ts'

/**
 * What an attempt at a stranger came to. The rail decides whether it was charged; the merchant only says what it wants to be true. A charge
 * without a confirmation is a purchase. A confirmation without a charge is for a person: an invoice may come.
 */
export function decideStranger(state: CartState, hold: HoldRow | null, place: EffectRow): Step {
  if (hold?.status === 'captured') return { kind: 'succeed' }
  if (hold?.status !== 'authorized') return uncharged(place)
  const settlesAt = (seconds: number) => after(place.sent_at, seconds)
  const counted = countedOn(state, place)
  if (hold.claimed_at !== null) {
    const latest = settlesAt(pace.strangerReleasesSeconds)
    const mayRelease = place.state === 'refused' && state.now < latest
    // guard stranger-may-release: a stranger that refuses has time to release what it has authorized
    return mayRelease ? atLatest(verify(state, counted, hold.attempt), latest) : { kind: 'succeed' }
  }
  const latest = settlesAt(pace.strangerChargesSeconds)
  const mayCharge = place.state === 'done' && state.now < latest
  // guard stranger-revoked-before-the-end: an attempt at a stranger ends only once its credential can charge nothing more
  // guard stranger-given-up-in-its-time: a purchase at a stranger that confirms and charges nothing ends in its time
  return mayCharge ? atLatest(verify(state, counted, hold.attempt), latest) : releaseHold(state, [hold])
}

/** Nothing was charged, and nothing can be any more. */
function uncharged(place: EffectRow): Step {
  // guard stranger-unpaid-confirmation-for-a-person: a stranger that confirms and charges nothing is for a person
  if (place.state === 'done') return fail('outcome_unknown')
  const refused = place.state === 'refused' ? asRefused(place) : null
  return refused ?? fail('merchant_unavailable', { isRetrySame: true })
}

/**
 * A cart is bought, and its merchant has authorized and not yet captured: the rail is asked now and then what became of it, until there is
 * nothing that could still change.
 */
export function followCharge(state: CartState, hold: HoldRow): Step {
  const place = effectOf(state, 'place', hold.attempt)
  if (place === null || hold.claimed_at === null) return { kind: 'rest' }
  const counted = countedOn(state, place)
  const isLate = state.now >= after(hold.claimed_at, pace.strangerSettlesSeconds)
  const { asked, asked_at } = counted
  if (hasNews(state) && !state.isWoken) return verify(state, counted, hold.attempt)
  if (asked_at === null || state.isWoken)
    return notBefore(state, counted, state.now, { kind: 'verify', attempt: hold.attempt })
  const seconds = isLate ? 86_400 : exponentialSeconds(Math.max(1, asked), 1, pace.settlingMaxSeconds)
  return { kind: 'wait', until: after(asked_at, seconds), because: 'merchant' }
}

/**
 * All of a charge is captured, and it may be given back at any time. Nobody asks for that by the clock: the rail reports it, and so may
 * the merchant, and then the rail is asked what stands.
 */
export function followRefunds(state: CartState, hold: HoldRow): Step {
  const place = effectOf(state, 'place', hold.attempt)
  if (place === null) return { kind: 'rest' }
  const counted = countedOn(state, place)
  if (state.isWoken) return notBefore(state, counted, state.now, { kind: 'verify', attempt: hold.attempt })
  return hasNews(state) ? verify(state, counted, hold.attempt) : { kind: 'rest' }
}

/** Questions about a credential are counted on its revoke, where there is one. */
function countedOn(state: CartState, place: EffectRow): EffectRow {
  // guard stranger-asked-with-pauses: after each question about a credential the rail is left alone for a while
  return effectOf(state, 'revoke', place.attempt) ?? place
}
