import { after, exponentialSeconds } from '../../../../core/backoff.ts'
import {
  type CartState,
  effectOf,
  handedOverUntil,
  holdOf,
  isCleanup,
  isCurrent,
  isOver,
  isUnsettled,
  mayBuy,
  wayOf,
} from '../cart-state.ts'
import { moneyOf } from '../effects/effects.ts'
import { fundingOf, owedBehind } from '../funding/funding.ts'
import { type EffectRow, personOf } from '../journal.ts'
import {
  askAt,
  atLatest,
  fail,
  isOutOfPatience,
  notBefore,
  pace,
  releaseHold,
  type Step,
  sendAgain,
  waitSeconds,
} from '../step.ts'
import { followCredential } from './decide-handed-over.ts'

/**
 * The next step for an effect that may have happened: ask, and believe "not found" only after the callee refuses the key and every call
 * that could still carry it has ended. A call that a rail has not seen may be sent again under the same key, which is the same call; an
 * order may not be sent again.
 */
export function decideReconcile(state: CartState, effect: EffectRow): Step {
  if (effect.step === 'place') {
    if (handedOverUntil(state) !== null) return decideHandedOver(state, effect)
    return wayOf(state).kind === 'native' ? readOrder(state, effect) : decideLostOrder(state, effect)
  }
  switch (effect.heard) {
    case null:
      return askFirst(state, effect)
    case 'nothing':
    case 'pending': {
      const person = personOf(effect)
      return person === null ? askAgain(state, effect) : awaitPerson(state, effect, person.until)
    }
    case 'closed':
      return settleInTime(state, effect)
    case 'not_found':
      return sendOrClose(state, effect)
    default:
      return effect.heard satisfies never
  }
}

/**
 * The rail is asked now and then whether the person has confirmed the payment, and at once when something has happened. Once their time is
 * over, or nobody wants the cart any more, they can confirm nothing.
 */
function awaitPerson(state: CartState, effect: EffectRow, until: Date): Step {
  const isWanted = isCurrent(state, effect) && !isCleanup(state) && state.cart.status === 'in_progress'
  // guard unwanted-payments-are-closed: nobody confirms a payment for a cart that is over
  const over = isWanted ? until : (state.cart.completed_at ?? state.now)
  // guard nobody-came: a payment that its person has not confirmed in time is closed at the rail before its cart fails
  if (state.now >= over) {
    const isRepeated = effect.heard === 'nothing' && effect.asked_at !== null && effect.asked_at >= over
    return notBefore(state, effect, isRepeated ? askAt(state, effect) : state.now, {
      kind: 'close',
      ...named(effect),
    })
  }
  const seconds = exponentialSeconds(Math.max(1, effect.asked), 1, pace.personMaxSeconds)
  const at = state.isWoken || effect.asked_at === null ? state.now : after(effect.asked_at, seconds)
  return atLatest(notBefore(state, effect, at, { kind: 'ask', ...named(effect) }), over)
}

/** A revoke that may have happened comes first: what it has left is known only then. */
function decideHandedOver(state: CartState, place: EffectRow): Step {
  const revoke = effectOf(state, 'revoke', place.attempt)
  // guard revoke-before-the-end: while a revoke has no answer nothing is concluded from the credential
  return revoke && isUnsettled(revoke) ? decideReconcile(state, revoke) : followCredential(state, place)
}

/** Our own order: reading it is free and always right; an event says when to look. */
function readOrder(state: CartState, effect: EffectRow): Step {
  return state.isAsked ? waitSeconds(state, pace.sweepSeconds, 'merchant') : { kind: 'ask', ...named(effect) }
}

function decideLostOrder(state: CartState, effect: EffectRow): Step {
  switch (effect.heard) {
    case null:
      return askFirst(state, effect)
    case 'closed':
      return settleInTime(state, effect)
    case 'not_found':
      // guard closed-before-not-placed: an order that was not found is closed before anybody says that it was not placed
      return close(state, effect)
    case 'pending':
      if (!isGivenUp(state, effect)) return askUntilGivenUp(state, effect)
      return wayOf(state).hasStrangers ? withoutMerchant(state, effect) : close(state, effect)
    case 'nothing':
      return isGivenUp(state, effect) ? withoutMerchant(state, effect) : askUntilGivenUp(state, effect)
    default:
      return effect.heard satisfies never
  }
}

/** The merchant stays silent. Its credential is revoked, and the rail then says which came first: the charge or the revocation. */
function withoutMerchant(state: CartState, effect: EffectRow): Step {
  const hold = holdOf(state, effect.attempt)
  const revoke = effectOf(state, 'revoke', effect.attempt)
  if (revoke && isUnsettled(revoke)) return decideReconcile(state, revoke)
  // guard credential-before-not-placed: where a merchant stays silent its credential is taken back first
  if (hold?.status === 'authorized' && !(wayOf(state).hasStrangers && hold.claimed_at !== null))
    return releaseHold(state, [hold])
  if (wayOf(state).hasStrangers) return { kind: 'settle', ...named(effect) }
  // guard silent-merchant-charged: a charge by a merchant that stays silent is nothing that a machine decides
  return hold?.status === 'captured' && !isOver(state)
    ? fail('outcome_unknown')
    : { kind: 'settle', ...named(effect) }
}

function sendOrClose(state: CartState, effect: EffectRow): Step {
  const send: Step = { kind: 'send', ...named(effect) }
  const money = moneyOf(effect.step)
  if (money === 'returns') return sendAgain(state, effect, send)
  // guard capture-of-a-running-cart: a cart that is over captures nothing
  const isRunning = !isCleanup(state) && state.cart.status === 'in_progress'
  // A confirmed order is paid, whatever was frozen or asked in the meantime.
  if (money === 'takes') {
    const funding = fundingOf(state, effect.attempt)
    // What a merchant has taken of its card is paid by its buyer, long after the cart was bought.
    if (funding !== null && owedBehind(state, effect.attempt) > 0n) return sendAgain(state, effect, send)
    const hold = holdOf(state, effect.attempt)
    const isLate = effect.put_off !== null && hold !== null && state.now >= hold.expires_at
    // guard late-capture-is-closed-first: a capture that may have arrived is closed at the rail before its order is given up
    return isRunning && !isLate ? sendAgain(state, effect, send) : close(state, effect)
  }
  const isWanted = mayBuy(state) && isRunning && !isOutOfPatience(state, effect)
  if (!isWanted || effect.attempt < state.cart.attempt_number || effect.tries >= pace.sendTriesMax) {
    return close(state, effect)
  }
  // guard frozen-repeats-nothing: a frozen cart repeats no call that was not found
  return state.isFrozen ? waitSeconds(state, pace.sweepSeconds, 'frozen') : sendAgain(state, effect, send)
}

function close(state: CartState, effect: EffectRow): Step {
  return notBefore(state, effect, state.now, { kind: 'close', ...named(effect) })
}

function settleInTime(state: CartState, effect: EffectRow): Step {
  // guard proof-takes-time: silence proves nothing while a call can still land
  if (state.now < effect.not_before) return { kind: 'wait', until: effect.not_before, because: 'proof' }
  return { kind: 'settle', ...named(effect) }
}

function askFirst(state: CartState, effect: EffectRow): Step {
  return notBefore(state, effect, state.now, { kind: 'ask', ...named(effect) })
}

function askAgain(state: CartState, effect: EffectRow): Step {
  return notBefore(state, effect, askAt(state, effect), { kind: 'ask', ...named(effect) })
}

function isGivenUp(state: CartState, effect: EffectRow): boolean {
  return state.now >= givenUpAt(state, effect)
}

/** Questions come less and less often: the next one would come long after the merchant is given up. */
function askUntilGivenUp(state: CartState, effect: EffectRow): Step {
  return atLatest(askAgain(state, effect), givenUpAt(state, effect))
}

/** A stranger that says that it considers the order is given time for that; one that says nothing is not. */
function givenUpAt(state: CartState, { sent_at, heard }: EffectRow): Date {
  const isSilent = wayOf(state).hasStrangers && heard !== 'pending'
  return after(sent_at, isSilent ? pace.strangerGiveUpSeconds : pace.giveUpSeconds)
}

function named(effect: EffectRow): { step: EffectRow['step']; attempt: number } {
  return { step: effect.step, attempt: effect.attempt }
}
