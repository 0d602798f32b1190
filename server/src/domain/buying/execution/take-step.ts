import { after } from '../../../core/backoff.ts'
import { atStage, failureOf, stageOf } from '../intents/public.ts'
import { timing } from '../rails/public.ts'
import {
  assertHasRail,
  type CartState,
  changeCart,
  changeEffect,
  effectOf,
  holdOf,
  isCleanup,
  isCurrent,
  journaled,
  railOf,
  read,
  type Turn,
  wayOf,
} from './cart-state.ts'
import { settle } from './effects/effect.ts'
import { isHold, railEffects } from './effects/effects.ts'
import { charged } from './effects/place.ts'
import { cancelCart, failCart, failUnpaidOrder, succeed } from './end-cart.ts'
import { failureFor, refusedOrder } from './failures.ts'
import { saysNextAt } from './follow-hold.ts'
import { type EffectRow, orderRowOf, placedAnswer } from './journal.ts'
import { acceptToken } from './offer/hear-offer.ts'
import { beforePaying } from './offer/payable.ts'
import { signInAnew } from './offer/sign-in.ts'
import { noteCharge } from './place/stranger-charge.ts'
import { isRequestSent, offerRequest } from './requests.ts'
import { askAbout, leaves, sendEffect } from './send-effect.ts'
import { pace, type Step } from './step.ts'

/** Takes a step that was decided: changes the cart, or says what has to be done for it. */
export function takeStep(state: CartState, step: Step): Turn {
  const first = isFirstMoney(state, step) ? beforePaying(state) : null
  if (first !== null) return first
  const held = heldBack(state, step)
  if (typeof held !== 'number') return held
  if (held > 0) return waitForRail(state, step, held)
  switch (step.kind) {
    case 'offer':
      return askForOffer(state)
    case 'send':
      return sendEffect(state, step)
    case 'ask':
    case 'close':
      return askAbout(state, step)
    case 'verify':
      return readHold(state, step.attempt)
    case 'settle':
      return { state: settleClosed(state, journaled(state, step.step, step.attempt)) }
    case 'placed':
      return { state: charged(state, journaled(state, 'place', step.attempt)) }
    case 'succeed':
      // guard charged-is-its-cost: a cart whose merchant has charged a credential says what was charged, whenever that became known
      return { state: succeed(wayOf(state).payment === 'credential' ? noteCharge(state) : state) }
    case 'fail':
      return { state: failCart(failUnpaidOrder(state), failureFor(step), step.code !== 'outcome_unknown') }
    case 'fail_refused':
      return { state: failCart(state, refusedOrder(step.refusal)) }
    case 'cancel':
      return { state: cancelCart(state) }
    case 'sign_in_anew':
      return { state: signInAnew(state) }
    case 'wait':
      return { state, next: { kind: 'rest', until: earliest(step.until, saysNextAt(state)) } }
    case 'rest': {
      const rested = isCleanup(state) ? changeCart(state, atStage({ kind: 'none' })) : state
      return { state: rested, next: { kind: 'rest', until: null } }
    }
    default:
      return step satisfies never
  }
}

function earliest(one: Date, other: Date | null): Date {
  return other !== null && other < one ? other : one
}

/**
 * How many seconds a rail's circuit breaker holds a step back, or a look at it. An offer that could not be paid for is not asked for either.
 * Steps about the order concern no rail.
 */
function heldBack(state: CartState, step: Step): number | Turn {
  switch (step.kind) {
    case 'offer':
      return state.known.offerHeldSeconds ?? read(state, 'offerHeldSeconds')
    case 'verify':
      return heldBackAt(state, step.attempt)
    case 'send':
    case 'ask':
    case 'close':
      return step.step === 'place' ? 0 : heldBackAt(state, step.attempt)
    default:
      return 0
  }
}

function heldBackAt(state: CartState, attempt: number): number | Turn {
  // What was captured waits for a process that can give it back, too.
  assertHasRail(state, attempt)
  const rail = railOf(state, attempt)
  const { railHeld } = state.known
  return railHeld?.rail === rail ? railHeld.seconds : read(state, 'railHeld', { rail })
}

/**
 * The cart stays as it is until the rail may be called: nothing is journaled and no try is used up. A purchase that holds no money yet
 * waits as long as for a rail that turns it away.
 */
function waitForRail(state: CartState, step: Step, seconds: number): Turn {
  const { now, cart } = state
  const wait = { kind: 'rest', until: after(now, seconds) } as const
  if (!isFirstMoney(state, step)) return { state, next: wait }
  const stage = stageOf(cart)
  if (stage.kind !== 'rail')
    return { state: changeCart(state, atStage({ kind: 'rail', since: now })), next: wait }
  if (now < after(stage.since, pace.patienceSeconds)) return { state, next: wait }
  return { state: failCart(state, failureOf('internal_error', { retry_policy: 'same' })) }
}

function isFirstMoney(state: CartState, step: Step): boolean {
  if (step.kind === 'offer') return true
  return step.kind === 'send' && isHold(step.step) && effectOf(state, step.step, step.attempt) === null
}

function askForOffer(state: CartState): Turn {
  const { intent, cart, known } = state
  const { kind, form, longestCallMs } = wayOf(state)
  // A retry comes here without being begun again.
  if (!isRequestSent(intent, cart)) return { state: failCart(state, failureOf('merchant_unsupported')) }
  if (kind === 'handed_over') return { state: acceptToken(state) }
  if (kind === 'native') return { state, next: { kind: 'command', command: { kind: 'offer' } } }
  if (form === 'card' && !known.moreHosts) return read(state, 'moreHosts')
  return leaves(state, {
    kind: 'offer',
    request: offerRequest(state),
    longestCallMs,
  })
}

function readHold(state: CartState, attempt: number): Turn {
  const hold = holdOf(state, attempt)
  if (!hold) throw new Error('nothing to verify')
  const { kind, reference } = hold
  return leaves(state, {
    kind: 'reading',
    attempt,
    rail: railOf(state, attempt),
    of: { kind, reference },
    news: state.known.news ?? [],
    longestCallMs: timing.longestCallMs,
  })
}

/** Nothing happened, and nothing can happen any more; or a person has said what happened, and no callee is asked further. */
function settleClosed(state: CartState, effect: EffectRow): CartState {
  const { status, order_id: orderId, transaction_id: transactionId } = state.cart
  if (effect.step === 'place' && isCurrent(state, effect) && status === 'succeeded') {
    const answer = placedAnswer({ orderRow: orderRowOf(effect), orderId, transactionId })
    return settle(state, effect, 'done', answer)
  }
  const closed = changeEffect(state, effect, { state: 'closed', settled_at: state.now, put_off: null })
  return (effect.step === 'place' ? null : railEffects[effect.step].closed?.(closed, effect)) ?? closed
}
