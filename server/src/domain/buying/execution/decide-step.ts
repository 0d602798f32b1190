import { after } from '../../../core/backoff.ts'
import { stageOf } from '../intents/public.ts'
import { backoffSeconds } from '../rails/public.ts'
import {
  type CartState,
  effectOf,
  handedOverUntil,
  holdOf,
  isCleanup,
  isUnsettled,
  mayBuy,
  wayOf,
} from './cart-state.ts'
import { owedFor } from './effects/effects.ts'
import { fundingOf, isFunded, isPrefunded } from './funding/funding.ts'
import { settleFundings } from './funding/settle-funding.ts'
import { type EffectRefusal, type EffectRow, type HoldRow, personOf, refusalOf } from './journal.ts'
import { decideHandOver, waitFrozen } from './place/decide-handed-over.ts'
import { decideReconcile } from './place/decide-reconcile.ts'
import { decideStranger, followCharge, followRefunds } from './place/decide-stranger.ts'
import {
  asRefused,
  atLatest,
  fail,
  isOutOfPatience,
  pace,
  releaseHold,
  type Step,
  sendAgain,
  sendOwed,
  verify,
  waitSeconds,
} from './step.ts'

/** The next step of a cart. Effects that may have happened come first, and money is released before a cart fails. */
export function decideStep(state: CartState): Step {
  const { cart } = state
  // Only a person can decide now; whatever is still open waits for that decision.
  // guard a-person-decides: a cart whose outcome is unknown is left to a person
  if (cart.status === 'failed' && !cart.outcome_known) return { kind: 'rest' }
  // Those of an attempt stand in the order in which they were sent.
  const [unsettled] = state.effects.filter(isUnsettled).sort((a, b) => a.attempt - b.attempt)
  // guard unsettled-first: nothing begins while an earlier call may still land
  if (unsettled) return decideReconcile(state, unsettled)
  // guard over-buys-nothing: a cart that is over begins nothing
  if (!isLive(state)) return isBoughtFromStranger(state) ? followUp(state) : compensate(state, state.holds)
  const stale = compensate(
    state,
    state.holds.filter((hold) => hold.attempt < cart.attempt_number),
  )
  // guard stale-holds-first: a new attempt begins after the money of the last one is back
  if (stale.kind !== 'rest') return stale
  // guard unapproved-buys-nothing: a cart buys only under an approval that stands
  if (!mayBuy(state)) return waitSeconds(state, pace.sweepSeconds, 'person')
  if (cart.status === 'awaiting_merchant_auth') return atSignIn(state)
  return cart.question ? atInput(state, new Date(cart.question.until)) : decidePay(state)
}

/** Nothing is held while the buyer is asked. */
function atInput({ now }: CartState, until: Date): Step {
  return now >= until ? fail('input_not_given') : { kind: 'wait', until, because: 'person' }
}

function isLive(state: CartState): boolean {
  const { status } = state.cart
  const isBegun = status === 'created' || status === 'in_progress' || status === 'awaiting_merchant_auth'
  // guard cleanup-buys-nothing: a cart that was cancelled while it ran begins nothing
  return !isCleanup(state) && isBegun
}

function isBoughtFromStranger(state: CartState): boolean {
  return state.cart.status === 'succeeded' && wayOf(state).hasStrangers
}

/** What the merchant has not used of the money is released, and what it has authorized is followed. */
function followUp(state: CartState): Step {
  const hold = holdOf(state, state.cart.attempt_number)
  const isUsed = hold?.status === 'authorized' && hold.claimed_at !== null
  const isCard = hold !== null && hold.vault_record !== null
  const end = isCard && (isUsed || hold.status === 'captured') ? endCard(state, hold) : null
  const step = compensate(
    state,
    state.holds.filter((one) => one !== hold || !isUsed),
  )
  if (step.kind !== 'rest' && step.kind !== 'wait') return step
  const next = end ?? followMerchant(state, isUsed || hold?.status === 'captured' ? hold : null)
  if (step.kind === 'rest') return next
  return next.kind === 'rest' ? step : atLatest(next, step.until)
}

function followMerchant(state: CartState, hold: HoldRow | null): Step {
  if (hold === null) return { kind: 'rest' }
  return hold.status === 'captured' ? followRefunds(state, hold) : followCharge(state, hold)
}

/** A card that was used takes more until it is revoked; what was authorized stays. */
function endCard(state: CartState, hold: HoldRow): Step | null {
  const revoke = effectOf(state, 'revoke', hold.attempt)
  const isEnded = revoke !== null && revoke.state !== 'unsent'
  return isEnded ? null : sendAgain(state, revoke, { kind: 'send', step: 'revoke', attempt: hold.attempt })
}

/**
 * Releases what is held, and refunds what was captured without a purchase; `rest` when there is neither. A card ends before the money behind
 * it goes back.
 */
function compensate(state: CartState, holds: readonly HoldRow[]): Step {
  const step = releaseHold(state, holds)
  if (step.kind === 'send') return step
  const behind = settleFundings(state, (attempt) => isLeft(state, attempt))
  if (behind.kind === 'send') return behind
  const owed = step.kind === 'rest' ? owedFor(state, holds) : null
  const first = owed === null ? step : sendOwed(state, owed)
  if (behind.kind !== 'wait') return first
  return first.kind === 'rest' ? behind : atLatest(first, behind.until)
}

/** Whether nothing is bought with the money of an attempt any more. */
function isLeft(state: CartState, attempt: number): boolean {
  return attempt < state.cart.attempt_number || !isLive(state)
}

function atSignIn(state: CartState): Step {
  const stage = stageOf(state.cart)
  if (stage.kind !== 'sign_in' || state.now >= stage.until) return fail('merchant_auth_failed')
  const { until, code } = stage
  if (code === null) return { kind: 'wait', until, because: 'person' }
  if (state.now >= code.until) return { kind: 'sign_in_anew' }
  return { kind: 'wait', until: code.until, because: 'person' }
}

/** No money yet: ask for an offer, then for an authorization or a credential for its total; for a card that spends ours, for both. */
function decidePay(state: CartState): Step {
  if (wayOf(state).payment !== 'credential') return decideHold(state, 'authorize') ?? decidePlace(state)
  const { attempt_number: attempt } = state.cart
  const isBehind = isFunded(state, attempt) || (nothingAsked(state) && isPrefunded(state))
  // guard held-before-a-card: no card is issued that spends ours before the buyer's own card is held
  const behind = isBehind ? decideHold(state, 'authorize') : null
  return behind ?? decideHold(state, 'issue_credential') ?? decidePlace(state)
}

/** What an attempt is paid by is decided with its first call. */
function nothingAsked(state: CartState): boolean {
  return effectOf(state, 'issue_credential', state.cart.attempt_number) === null
}

/** The step that holds money for an attempt, or issues its credential; null: it is done. */
function decideHold(state: CartState, step: 'authorize' | 'issue_credential'): Step | null {
  const { attempt_number: attempt } = state.cart
  const pay = effectOf(state, step, attempt)
  // guard too-late-to-issue: no credential is issued whose time is over
  if (isTooLateToIssue(state, pay)) return fail('payment_token_expired')
  if (pay === null) {
    // guard frozen-begins-nothing: a frozen cart authorizes nothing
    if (state.isFrozen) return waitFrozen(state)
    const isPriced = state.accepted !== null || (step === 'issue_credential' && isFunded(state, attempt))
    return isPriced ? { kind: 'send', step, attempt } : decideAsking(state)
  }
  switch (pay.state) {
    case 'unsent':
      // guard frozen-sends-nothing-again: a frozen cart sends no authorization a second time
      if (state.isFrozen) return waitFrozen(state)
      // guard sends-end: an authorization that cannot be sent is given up
      // guard patience-ends: a purchase that cannot be charged ends, with nothing charged
      if (pay.tries >= pace.sendTriesMax || isOutOfPatience(state, pay))
        return fail('internal_error', { isRetrySame: true })
      return sendAgain(state, pay, { kind: 'send', step, attempt })
    case 'refused':
      // The buyer's card was held: that no card was issued is none of its bank's doing.
      return step === 'issue_credential' && isFunded(state, attempt)
        ? fail('internal_error', { isRetrySame: true })
        : notPaid(refusalOf(pay))
    case 'closed':
      // guard closed-for-want-of-its-person: a payment that nobody confirmed did not fail on our side
      return personOf(pay) === null
        ? fail('internal_error', { isRetrySame: true })
        : fail('payment_authentication_failed')
    case 'done':
      return step === 'authorize' && fundingOf(state, attempt)?.status === 'voided'
        ? fail('payment_declined')
        : null
    case 'sent':
    case 'unknown':
      return decideReconcile(state, pay)
    default:
      return pay.state satisfies never
  }
}

function notPaid(refusal: EffectRefusal | null): Step {
  const isUnproven = refusal?.code === 'authentication_failed'
  return fail(isUnproven ? 'payment_authentication_failed' : 'payment_declined', { refusal })
}

/** A credential is good until a time that was fixed before it was issued. */
function isTooLateToIssue(state: CartState, pay: EffectRow | null): boolean {
  const until = handedOverUntil(state)
  return until !== null && state.now >= until && (pay === null || pay.state === 'unsent')
}

function decideAsking(state: CartState): Step {
  const stage = stageOf(state.cart)
  if (stage.kind !== 'offer' && stage.kind !== 'room') return { kind: 'offer' }
  const { tries, since } = stage
  if (tries >= pace.offerTriesMax) return fail('merchant_unavailable')
  const latest = stage.kind === 'room' ? after(since, pace.patienceSeconds) : null
  if (latest !== null && state.now >= latest) return fail('no_room')
  const until = stage.kind === 'room' ? stage.until : after(since, tries === 0 ? 0 : backoffSeconds(tries))
  if (state.now >= until) return { kind: 'offer' }
  const wait: Step = { kind: 'wait', until, because: 'backoff' }
  return latest === null ? wait : atLatest(wait, latest)
}

/** The money is held: place the order, or release the money. */
function decidePlace(state: CartState): Step {
  const until = handedOverUntil(state)
  if (until !== null) return decideHandOver(state, until)
  const { attempt_number: attempt } = state.cart
  const hold = holdOf(state, attempt)
  const place = effectOf(state, 'place', attempt)
  if (wayOf(state).hasStrangers && place !== null && place.state !== 'unsent' && !isUnsettled(place))
    return decideStranger(state, hold, place)
  const isOpen =
    place === null || place.state === 'unsent' || place.state === 'refused' || place.state === 'closed'
  // The money was charged, but no answer says that the order was taken: no program can decide what that means.
  // guard charged-without-an-order: charged and not placed is nothing that a machine decides
  if (isOpen && hold?.status === 'captured') return fail('outcome_unknown')
  if (place === null) return startPlace(state, hold, place)
  switch (place.state) {
    case 'unsent':
      return startPlace(state, hold, place)
    case 'refused':
      if (hold?.status === 'authorized') return releaseHold(state, [hold])
      return asRefused(place) ?? fail('merchant_unavailable')
    case 'closed':
      if (hold?.status === 'authorized') return releaseHold(state, [hold])
      return fail('merchant_unavailable', { isRetrySame: true })
    case 'done':
      return wayOf(state).payment === 'credential'
        ? decideCharged(state, hold, place)
        : decideCapture(state, hold)
    case 'sent':
    case 'unknown':
      return decideReconcile(state, place)
    default:
      return place.state satisfies never
  }
}

function startPlace(state: CartState, hold: HoldRow | null, place: EffectRow | null): Step {
  // guard orders-are-sent-so-often: an order that cannot be sent is given up
  const isGivenUp = place !== null && (place.tries >= pace.sendTriesMax || isOutOfPatience(state, place))
  if (hold?.status !== 'authorized' && isGivenUp && place.put_off?.reason === 'no_room')
    return fail('no_room')
  // guard money-before-the-order: no order is placed without money for it
  if (hold?.status !== 'authorized')
    return fail(isGivenUp ? 'merchant_unavailable' : 'payment_declined', { isRetrySame: true })
  // guard money-that-lasts: no order is placed on an authorization that is about to end
  if (state.now >= after(hold.expires_at, -pace.holdMarginSeconds) || isGivenUp)
    return releaseHold(state, [hold])
  // guard frozen-places-nothing: a frozen cart places no order
  if (state.isFrozen) return waitSeconds(state, pace.sweepSeconds, 'frozen')
  return sendAgain(state, place, { kind: 'send', step: 'place', attempt: state.cart.attempt_number })
}

/** The merchant charges the credential itself: the amount is read from the rail, not from the merchant. */
function decideCharged(state: CartState, hold: HoldRow | null, place: EffectRow): Step {
  if (hold?.status === 'captured') return { kind: 'succeed' }
  if (hold?.status !== 'authorized') return fail('outcome_unknown')
  if (state.now >= after(place.sent_at, pace.giveUpSeconds)) return releaseHold(state, [hold])
  return verify(state, place, hold.attempt)
}

/**
 * The order is confirmed: capture, however long it takes. A freeze does not stop it, because the order is placed. A rail that turns the
 * capture away has decided nothing: the capture is sent until the hold is over. After that nothing was captured and nothing can be, and
 * the order must not stay confirmed and unpaid.
 */
function decideCapture(state: CartState, hold: HoldRow | null): Step {
  const { attempt_number: attempt } = state.cart
  const capture = effectOf(state, 'capture', attempt)
  if (capture === null || capture.state === 'unsent') {
    if (hold?.status !== 'authorized') return fail('payment_declined')
    // guard captured-while-the-hold-lasts: no order stays confirmed and unpaid once its hold is over
    if (capture !== null && state.now >= hold.expires_at) return fail('hold_ended')
    return sendAgain(state, capture, { kind: 'send', step: 'capture', attempt })
  }
  switch (capture.state) {
    case 'refused':
      return refusalOf(capture)?.code === 'authorization_expired'
        ? fail('hold_ended')
        : fail('payment_declined', { refusal: refusalOf(capture) })
    case 'closed':
      return hold !== null && state.now >= hold.expires_at
        ? fail('hold_ended')
        : fail('internal_error', { isRetrySame: true })
    case 'done':
      return { kind: 'succeed' }
    case 'sent':
    case 'unknown':
      return decideReconcile(state, capture)
    default:
      return capture.state satisfies never
  }
}
