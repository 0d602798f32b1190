import { after } from '../../../../core/backoff.ts'
import { type CartFacts, type EffectFacts, effectOf, holdOf, isUnsettled } from '../cart-facts.ts'
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
export function decideReconcile(facts: CartFacts, effect: EffectFacts): Step {
  if (effect.step === 'place') {
    if (facts.handedOverUntil !== null) return decideHandedOver(facts, effect)
    return facts.isNative ? readOrder(facts, effect) : decideLostOrder(facts, effect)
  }
  switch (effect.heard) {
    case null:
      return askFirst(facts, effect)
    case 'nothing':
    case 'pending':
      return askAgain(facts, effect)
    case 'closed':
      return settleInTime(facts, effect)
    case 'not_found':
      return sendOrClose(facts, effect)
    default:
      return effect.heard satisfies never
  }
}

/** A revoke that may have happened comes first: what it has left is known only then. */
function decideHandedOver(facts: CartFacts, place: EffectFacts): Step {
  const revoke = effectOf(facts, 'revoke', place.attempt)
  // guard revoke-before-the-end: while a revoke has no answer nothing is concluded from the credential
  return revoke && isUnsettled(revoke) ? decideReconcile(facts, revoke) : followCredential(facts, place)
}

/** Our own order: reading it is free and always right; an event says when to look. */
function readOrder(facts: CartFacts, effect: EffectFacts): Step {
  return facts.isAsked ? waitSeconds(facts, pace.sweepSeconds, 'merchant') : { kind: 'ask', ...named(effect) }
}

function decideLostOrder(facts: CartFacts, effect: EffectFacts): Step {
  switch (effect.heard) {
    case null:
      return askFirst(facts, effect)
    case 'closed':
      return settleInTime(facts, effect)
    case 'not_found':
      // guard closed-before-not-placed: an order that was not found is closed before anybody says that it was not placed
      return close(facts, effect)
    case 'pending':
      if (!isGivenUp(facts, effect)) return askUntilGivenUp(facts, effect)
      return facts.hasStrangers ? withoutMerchant(facts, effect) : close(facts, effect)
    case 'nothing':
      return isGivenUp(facts, effect) ? withoutMerchant(facts, effect) : askUntilGivenUp(facts, effect)
    default:
      return effect.heard satisfies never
  }
}

/** The merchant stays silent. Its credential is revoked, and the rail then says which came first: the charge or the revocation. */
function withoutMerchant(facts: CartFacts, effect: EffectFacts): Step {
  const hold = holdOf(facts, effect.attempt)
  const revoke = effectOf(facts, 'revoke', effect.attempt)
  if (revoke && isUnsettled(revoke)) return decideReconcile(facts, revoke)
  // guard credential-before-not-placed: where a merchant stays silent its credential is taken back first
  if (hold?.status === 'authorized' && !(facts.hasStrangers && hold.claimedAt !== null))
    return releaseHold(facts, [hold])
  if (facts.hasStrangers) return { kind: 'settle', ...named(effect) }
  const isDecided =
    facts.cart.status === 'succeeded' || facts.cart.status === 'failed' || facts.cart.status === 'cancelled'
  // guard silent-merchant-charged: a charge by a merchant that stays silent is nothing that a machine decides
  return hold?.status === 'captured' && !isDecided
    ? fail('outcome_unknown')
    : { kind: 'settle', ...named(effect) }
}

function sendOrClose(facts: CartFacts, effect: EffectFacts): Step {
  const send: Step = { kind: 'send', ...named(effect) }
  if (effect.step === 'void' || effect.step === 'revoke' || effect.step === 'refund')
    return sendAgain(facts, effect, send)
  // guard capture-of-a-running-cart: a cart that is over captures nothing
  const isRunning = !facts.cart.isCleanup && facts.cart.status === 'in_progress'
  // A confirmed order is paid, whatever was frozen or asked in the meantime.
  if (effect.step === 'capture') {
    const hold = holdOf(facts, effect.attempt)
    const isOver = effect.putOff !== null && hold !== null && facts.now >= hold.expiresAt
    // guard late-capture-is-closed-first: a capture that may have arrived is closed at the rail before its order is given up
    return isRunning && !isOver ? sendAgain(facts, effect, send) : close(facts, effect)
  }
  const isWanted = facts.mayBuy && isRunning && !isOutOfPatience(facts, effect)
  if (!isWanted || effect.attempt < facts.cart.attempt || effect.tries >= pace.sendTriesMax) {
    return close(facts, effect)
  }
  // guard frozen-repeats-nothing: a frozen cart repeats no call that was not found
  return facts.isFrozen ? waitSeconds(facts, pace.sweepSeconds, 'frozen') : sendAgain(facts, effect, send)
}

function close(facts: CartFacts, effect: EffectFacts): Step {
  return notBefore(facts, effect, facts.now, { kind: 'close', ...named(effect) })
}

function settleInTime(facts: CartFacts, effect: EffectFacts): Step {
  // guard proof-takes-time: silence proves nothing while a call can still land
  if (facts.now < effect.notBefore) return { kind: 'wait', until: effect.notBefore, because: 'proof' }
  return { kind: 'settle', ...named(effect) }
}

function askFirst(facts: CartFacts, effect: EffectFacts): Step {
  return notBefore(facts, effect, facts.now, { kind: 'ask', ...named(effect) })
}

function askAgain(facts: CartFacts, effect: EffectFacts): Step {
  return notBefore(facts, effect, askAt(facts, effect), { kind: 'ask', ...named(effect) })
}

function isGivenUp(facts: CartFacts, effect: EffectFacts): boolean {
  return facts.now >= givenUpAt(facts, effect)
}

/** Questions come less and less often: the next one would come long after the merchant is given up. */
function askUntilGivenUp(facts: CartFacts, effect: EffectFacts): Step {
  return atLatest(askAgain(facts, effect), givenUpAt(facts, effect))
}

/** A stranger that says that it considers the order is given time for that; one that says nothing is not. */
function givenUpAt({ hasStrangers }: CartFacts, { sentAt, heard }: EffectFacts): Date {
  const isSilent = hasStrangers && heard !== 'pending'
  return after(sentAt, isSilent ? pace.strangerGiveUpSeconds : pace.giveUpSeconds)
}

function named(effect: EffectFacts): { step: EffectFacts['step']; attempt: number } {
  return { step: effect.step, attempt: effect.attempt }
}
