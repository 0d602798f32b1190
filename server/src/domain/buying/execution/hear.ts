import type { PlaceRefusal } from '../channels/public.ts'
import {
  type Answer,
  type NeedsPerson,
  type NotNow,
  putOffBy,
  type RailObject,
  type RailRefusal,
  type RailStep,
  type Remembered,
  timing,
} from '../rails/public.ts'
import { type CartState, changeCart, changeEffect, isCurrent, journaled } from './cart-state.ts'
import { settle } from './effects/effect.ts'
import { railEffects } from './effects/effects.ts'
import { placed, placeRefused } from './effects/place.ts'
import { hearReading } from './effects/reading.ts'
import { type EffectRow, type PlacedOrder, personOf } from './journal.ts'
import type { Answered } from './messages.ts'

/** What follows from the answer of a call that the journal knows. */
export function hear(
  state: CartState,
  answered: Exclude<Answered, { kind: 'offer' | 'elsewhere' | 'funds' }>,
): CartState {
  if (answered.kind === 'reading') return hearReading(state, answered)
  if (answered.kind === 'place_memory') return hearOrder(state, answered)
  const effect = journaled(state, answered.kind === 'place' ? 'place' : answered.step, answered.attempt)
  switch (answered.kind) {
    case 'rail':
      return hearSent(state, effect, answered.answer, endsAtRail(state, effect, answered.step))
    case 'rail_memory':
      return hearAsked(state, effect, answered.answer, endsAtRail(state, effect, answered.step))
    case 'place':
      return hearSent(state, effect, answered.answer, endsAtMerchant(state, effect))
    default:
      return answered satisfies never
  }
}

type OrderMemory = Remembered<Omit<PlacedOrder, 'orderRow'>, PlaceRefusal>

/** What a merchant says of an order that it was asked about, or our own row of it. */
export function hearOrder(
  state: CartState,
  { attempt, answer }: { attempt: number; answer: OrderMemory },
): CartState {
  const effect = journaled(state, 'place', attempt)
  return hearAsked(state, effect, answer, endsAtMerchant(state, effect))
}

type Ends<Done, Refusal> = {
  readonly done: (value: Done) => CartState
  readonly refused: (refusal: Refusal) => CartState
}

function endsAtRail(state: CartState, effect: EffectRow, step: RailStep): Ends<RailObject, RailRefusal> {
  const { done, refused } = railEffects[step]
  return {
    done: (object) => done(state, effect, object),
    refused: (refusal) => {
      const settled = settle(state, effect, 'refused', { kind: 'refused', ...refusal, message: null })
      return refused?.(settled, effect) ?? settled
    },
  }
}

function endsAtMerchant(
  state: CartState,
  effect: EffectRow,
): Ends<Omit<PlacedOrder, 'orderRow'>, PlaceRefusal> {
  return {
    done: (order) => placed(state, effect, order),
    refused: (refusal) => placeRefused(state, effect, refusal),
  }
}

function hearSent<Done, Refusal>(
  state: CartState,
  effect: EffectRow,
  answer: Answer<Done, Refusal> | { readonly kind: 'pending' } | NeedsPerson,
  { done, refused }: Ends<Done, Refusal>,
): CartState {
  switch (answer.kind) {
    case 'done':
      return done(answer.value)
    case 'refused':
      return refused(answer.refusal)
    case 'not_sent':
      return notSent(state, effect)
    case 'not_now':
      return turnedAway(state, effect, answer)
    case 'pending':
      return hears(unknown(state, effect), effect, 'pending')
    case 'needs_person':
      return waitsForPerson(unknown(state, effect), effect, answer)
    case 'unknown':
      return unknown(state, effect)
    default:
      return answer satisfies never
  }
}

function hearAsked<Done, Refusal>(
  state: CartState,
  effect: EffectRow,
  answer: Remembered<Done, Refusal> | NeedsPerson,
  { done, refused }: Ends<Done, Refusal>,
): CartState {
  switch (answer.kind) {
    case 'done':
      return done(answer.value)
    case 'refused':
      return refused(answer.refusal)
    case 'pending':
    case 'not_found':
    case 'closed':
      return hears(state, effect, answer.kind)
    case 'needs_person':
      return waitsForPerson(state, effect, answer)
    case 'not_now':
      return hears(
        changeEffect(state, effect, { put_off: putOffBy(state.now, effect, answer) }),
        effect,
        'nothing',
      )
    case 'unknown':
      return hears(state, effect, 'nothing')
    default:
      return answer satisfies never
  }
}

/** An earlier sending of it may have left; then the failure of this one proves nothing. */
function notSent(state: CartState, effect: EffectRow): CartState {
  // guard not-sent-proves-nothing-twice: that one sending failed proves nothing about an earlier one
  if (effect.may_have_left) return unknown(state, effect)
  const unsent = changeEffect(state, effect, { state: 'unsent' })
  const isUndone = effect.step === 'place' && isCurrent(state, effect)
  return isUndone ? changeCart(unsent, { past_no_return: false }) : unsent
}

/**
 * The callee did nothing: the effect counts as not sent, and the call does not use up a try. It proves no more than that: an earlier
 * sending may have left, and only asking finds that out.
 */
function turnedAway(state: CartState, effect: EffectRow, answer: NotNow): CartState {
  return changeEffect(notSent(state, effect), effect, {
    // guard turned-away-uses-no-try: being turned away uses up no try
    tries: Math.max(0, effect.tries - 1),
    put_off: putOffBy(state.now, effect, answer),
  })
}

function unknown(state: CartState, effect: EffectRow): CartState {
  // The call has ended here; what has left of it travels at most as long as the longest call.
  const over = effect.sent_at.getTime() + timing.longestCallMs + timing.marginMs
  return changeEffect(state, effect, {
    state: 'unknown',
    may_have_left: true,
    heard: null,
    not_before: new Date(over),
    put_off: null,
  })
}

/** Nothing is held before its person has confirmed it. A rail that names a later time than before makes nobody wait longer. */
function waitsForPerson(state: CartState, effect: EffectRow, { url, until }: NeedsPerson): CartState {
  const before = personOf(effect)
  // guard one-time-for-a-person: a rail does not make a purchase wait for ever
  const first = before !== null && before.until < until ? before.until : until
  const answer = { kind: 'needs_person', url, until: first.toISOString() } as const
  return changeEffect(hears(state, effect, 'pending'), effect, { answer })
}

function hears(state: CartState, effect: EffectRow, heard: NonNullable<EffectRow['heard']>): CartState {
  return changeEffect(state, effect, {
    state: 'unknown',
    may_have_left: true,
    heard,
    asked: effect.asked + 1,
    asked_at: state.now,
  })
}
