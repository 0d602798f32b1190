import { after } from '../../../core/backoff.ts'
import {
  type CartFacts,
  type EffectFacts,
  effectOf,
  effectSteps,
  type HoldFacts,
  holdOf,
  isUnsettled,
} from './cart-facts.ts'
import { decideHandOver, waitFrozen } from './place/decide-handed-over.ts'
import { decideReconcile } from './place/decide-reconcile.ts'
import { decideStranger, followCharge, followRefunds } from './place/decide-stranger.ts'
import {
  atLatest,
  backoffSeconds,
  fail,
  isOutOfPatience,
  pace,
  refundCapture,
  releaseHold,
  type Step,
  sendAgain,
  verify,
  waitSeconds,
} from './step.ts'

/** Takes the facts and returns the next step. Effects that may have happened come first, and money is released before a cart fails. */
export function decideStep(facts: CartFacts): Step {
  const { cart } = facts
  // Only a person can decide now; whatever is still open waits for that decision.
  // guard a-person-decides: a cart whose outcome is unknown is left to a person
  if (cart.status === 'failed' && !cart.isOutcomeKnown) return { kind: 'rest' }
  const [unsettled] = facts.effects
    .filter(isUnsettled)
    .sort((a, b) => a.attempt - b.attempt || order(a) - order(b))
  // guard unsettled-first: nothing begins while an earlier call may still land
  if (unsettled) return decideReconcile(facts, unsettled)
  // guard over-buys-nothing: a cart that is over begins nothing
  if (!isLive(facts)) return isBoughtFromStranger(facts) ? followUp(facts) : compensate(facts, facts.holds)
  const stale = compensate(
    facts,
    facts.holds.filter((hold) => hold.attempt < cart.attempt),
  )
  // guard stale-holds-first: a new attempt begins after the money of the last one is back
  if (stale.kind !== 'rest') return stale
  // guard unapproved-buys-nothing: a cart buys only under an approval that stands
  if (!facts.mayBuy) return waitSeconds(facts, pace.sweepSeconds, 'person')
  if (cart.status === 'awaiting_merchant_auth') return atSignIn(facts)
  return facts.cart.inputUntil ? atInput(facts, facts.cart.inputUntil) : decidePay(facts)
}

/** Nothing is held while the buyer is asked. */
function atInput({ now }: CartFacts, until: Date): Step {
  return now >= until ? fail('input_not_given') : { kind: 'wait', until, because: 'person' }
}

function isLive({ cart }: CartFacts): boolean {
  // guard cleanup-buys-nothing: a cart that was cancelled while it ran begins nothing
  return (
    !cart.isCleanup &&
    (cart.status === 'created' || cart.status === 'in_progress' || cart.status === 'awaiting_merchant_auth')
  )
}

function isBoughtFromStranger({ hasStrangers, cart }: CartFacts): boolean {
  return hasStrangers && cart.status === 'succeeded'
}

/** What the merchant has not used of the money is released, and what it has authorized is followed. */
function followUp(facts: CartFacts): Step {
  const hold = holdOf(facts, facts.cart.attempt)
  const isUsed = hold?.status === 'authorized' && hold.claimedAt !== null
  const end = hold?.isCard && (isUsed || hold.status === 'captured') ? endCard(facts, hold) : null
  const step = compensate(
    facts,
    facts.holds.filter((one) => one !== hold || !isUsed),
  )
  if (step.kind !== 'rest') return step
  if (end !== null) return end
  if (hold?.status === 'captured') return followRefunds(facts, hold)
  return isUsed ? followCharge(facts, hold) : step
}

/** A card that was used takes more until it is revoked; what was authorized stays. */
function endCard(facts: CartFacts, hold: HoldFacts): Step | null {
  const revoke = effectOf(facts, 'revoke', hold.attempt)
  const isEnded = revoke !== null && revoke.state !== 'unsent'
  return isEnded ? null : sendAgain(facts, revoke, { kind: 'send', step: 'revoke', attempt: hold.attempt })
}

function order(effect: EffectFacts): number {
  return effectSteps.indexOf(effect.step)
}

/** Releases what is held, and refunds what was captured without a purchase; `rest` when there is neither. */
function compensate(facts: CartFacts, holds: readonly HoldFacts[]): Step {
  const step = releaseHold(facts, holds)
  const taken = holds.find((hold) => hold.status === 'captured' && !isPaidFor(facts, hold))
  // guard refund-before-a-retry: money that was charged for no order goes back
  return step.kind === 'rest' && taken ? refundCapture(facts, taken) : step
}

function isPaidFor({ cart }: CartFacts, hold: HoldFacts): boolean {
  return hold.attempt === cart.attempt && cart.status !== 'failed' && cart.status !== 'cancelled'
}

function atSignIn(facts: CartFacts): Step {
  const until = facts.cart.signInUntil
  if (until === null || facts.now >= until) return fail('merchant_auth_failed')
  if (facts.cart.codeUntil == null) return { kind: 'wait', until, because: 'person' }
  if (facts.now >= facts.cart.codeUntil) return { kind: 'sign_in_anew' }
  return { kind: 'wait', until: facts.cart.codeUntil, because: 'person' }
}

/** No money yet: ask for an offer, then for an authorization or a credential for its total. */
function decidePay(facts: CartFacts): Step {
  const { attempt } = facts.cart
  const step = facts.payment === 'credential' ? 'issue_credential' : 'authorize'
  const pay = effectOf(facts, step, attempt)
  // guard too-late-to-issue: no credential is issued whose time is over
  if (isTooLateToIssue(facts, pay)) return fail('payment_token_expired')
  if (pay === null) {
    // guard frozen-begins-nothing: a frozen cart authorizes nothing
    if (facts.isFrozen) return waitFrozen(facts)
    return facts.isOfferAccepted ? { kind: 'send', step, attempt } : decideAsking(facts)
  }
  switch (pay.state) {
    case 'unsent':
      // guard frozen-sends-nothing-again: a frozen cart sends no authorization a second time
      if (facts.isFrozen) return waitFrozen(facts)
      // guard sends-end: an authorization that cannot be sent is given up
      // guard patience-ends: a purchase that cannot be charged ends, with nothing charged
      if (pay.tries >= pace.sendTriesMax || isOutOfPatience(facts, pay))
        return fail('internal_error', { isRetrySame: true })
      return sendAgain(facts, pay, { kind: 'send', step, attempt })
    case 'refused':
      return fail('payment_declined', { refusal: pay.refusal })
    case 'closed':
      return fail('internal_error', { isRetrySame: true })
    case 'done':
      return decidePlace(facts)
    case 'sent':
    case 'unknown':
      return decideReconcile(facts, pay)
    default:
      return pay.state satisfies never
  }
}

/** A credential is good until a time that was fixed before it was issued. */
function isTooLateToIssue({ handedOverUntil, now }: CartFacts, pay: EffectFacts | null): boolean {
  return handedOverUntil !== null && now >= handedOverUntil && (pay === null || pay.state === 'unsent')
}

function decideAsking(facts: CartFacts): Step {
  const { offerTries, offerTriedAt, noRoom } = facts
  if (offerTries >= pace.offerTriesMax) return fail('merchant_unavailable')
  if (noRoom !== null) {
    const latest = after(noRoom.since, pace.patienceSeconds)
    if (facts.now >= latest) return fail('no_room')
    if (facts.now < noRoom.until)
      return atLatest({ kind: 'wait', until: noRoom.until, because: 'backoff' }, latest)
    return { kind: 'offer' }
  }
  if (offerTries === 0 || offerTriedAt === null) return { kind: 'offer' }
  const retryAt = after(offerTriedAt, backoffSeconds(offerTries))
  return facts.now < retryAt ? { kind: 'wait', until: retryAt, because: 'backoff' } : { kind: 'offer' }
}

/** The money is held: place the order, or release the money. */
function decidePlace(facts: CartFacts): Step {
  if (facts.handedOverUntil !== null) return decideHandOver(facts, facts.handedOverUntil)
  const { attempt } = facts.cart
  const hold = holdOf(facts, attempt)
  const place = effectOf(facts, 'place', attempt)
  if (facts.hasStrangers && place !== null && place.state !== 'unsent' && !isUnsettled(place))
    return decideStranger(facts, hold, place)
  const isOpen =
    place === null || place.state === 'unsent' || place.state === 'refused' || place.state === 'closed'
  // The money was charged, but no answer says that the order was taken: no program can decide what that means.
  // guard charged-without-an-order: charged and not placed is nothing that a machine decides
  if (isOpen && hold?.status === 'captured') return fail('outcome_unknown')
  if (place === null) return startPlace(facts, hold, place)
  switch (place.state) {
    case 'unsent':
      return startPlace(facts, hold, place)
    case 'refused':
      if (hold?.status === 'authorized') return releaseHold(facts, [hold])
      if (place.refusal?.code === 'cancelled') return { kind: 'cancel' }
      return place.refusal ? { kind: 'fail_refused', refusal: place.refusal } : fail('merchant_unavailable')
    case 'closed':
      if (hold?.status === 'authorized') return releaseHold(facts, [hold])
      return fail('merchant_unavailable', { isRetrySame: true })
    case 'done':
      return facts.payment === 'credential' ? decideCharged(facts, hold, place) : decideCapture(facts, hold)
    case 'sent':
    case 'unknown':
      return decideReconcile(facts, place)
    default:
      return place.state satisfies never
  }
}

function startPlace(facts: CartFacts, hold: HoldFacts | null, place: EffectFacts | null): Step {
  // guard orders-are-sent-so-often: an order that cannot be sent is given up
  const isGivenUp = place !== null && (place.tries >= pace.sendTriesMax || isOutOfPatience(facts, place))
  if (hold?.status !== 'authorized' && isGivenUp && place.putOff?.reason === 'no_room') return fail('no_room')
  // guard money-before-the-order: no order is placed without money for it
  if (hold?.status !== 'authorized')
    return fail(isGivenUp ? 'merchant_unavailable' : 'payment_declined', { isRetrySame: true })
  // guard money-that-lasts: no order is placed on an authorization that is about to end
  if (facts.now >= after(hold.expiresAt, -pace.holdMarginSeconds) || isGivenUp)
    return releaseHold(facts, [hold])
  // guard frozen-places-nothing: a frozen cart places no order
  if (facts.isFrozen) return waitSeconds(facts, pace.sweepSeconds, 'frozen')
  return sendAgain(facts, place, { kind: 'send', step: 'place', attempt: facts.cart.attempt })
}

/** The merchant charges the credential itself: the amount is read from the rail, not from the merchant. */
function decideCharged(facts: CartFacts, hold: HoldFacts | null, place: EffectFacts): Step {
  if (hold?.status === 'captured') return { kind: 'succeed' }
  if (hold?.status !== 'authorized') return fail('outcome_unknown')
  if (facts.now >= after(place.sentAt, pace.giveUpSeconds)) return releaseHold(facts, [hold])
  return verify(facts, place, hold.attempt)
}

/**
 * The order is confirmed: capture, however long it takes. A freeze does not stop it, because the order is placed. A rail that turns the
 * capture away has decided nothing: the capture is sent until the hold is over. After that nothing was captured and nothing can be, and
 * the order must not stay confirmed and unpaid.
 */
function decideCapture(facts: CartFacts, hold: HoldFacts | null): Step {
  const { attempt } = facts.cart
  const capture = effectOf(facts, 'capture', attempt)
  if (capture === null || capture.state === 'unsent') {
    if (hold?.status !== 'authorized') return fail('payment_declined')
    // guard captured-while-the-hold-lasts: no order stays confirmed and unpaid once its hold is over
    if (capture !== null && facts.now >= hold.expiresAt) return fail('internal_error', { isRetrySame: true })
    return sendAgain(facts, capture, { kind: 'send', step: 'capture', attempt })
  }
  switch (capture.state) {
    case 'refused':
      return fail('payment_declined', { refusal: capture.refusal })
    case 'closed':
      return fail('internal_error', { isRetrySame: true })
    case 'done':
      return { kind: 'succeed' }
    case 'sent':
    case 'unknown':
      return decideReconcile(facts, capture)
    default:
      return capture.state satisfies never
  }
}
