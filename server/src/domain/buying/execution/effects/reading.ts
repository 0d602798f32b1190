import { putOff } from '../../../../core/put-off.ts'
import type { RailNews } from '../../rail-movements/public.ts'
import { putOffBy, putOffSeconds, type RailObject, type RailReading } from '../../rails/public.ts'
import {
  type CartState,
  changeCart,
  changeEffect,
  changeHold,
  effectOf,
  holdOf,
  isRunning,
} from '../cart-state.ts'
import { captureOf, type EffectRow, effectKey, type HoldRow } from '../journal.ts'
import { correctCharge, noteClaim, takenOf } from '../place/stranger-charge.ts'

type Reading = {
  readonly attempt: number
  readonly answer: RailReading
  /** The movements that the rail had reported before it was asked. */
  readonly news: readonly RailNews[]
}

/** What the rail says about a hold. */
export function hearReading(state: CartState, reading: Reading): CartState {
  const hold = holdOf(state, reading.attempt)
  if (hold?.status !== 'authorized' && hold?.status !== 'captured') return state
  if (reading.answer.kind !== 'done') return counted(state, reading)
  const told = { object: reading.answer.value, news: reading.news }
  const { attempt } = reading
  switch (told.object.status) {
    case 'refunded':
      return correctCharge(changeHold(state, attempt, takenOf(state, hold, told.object)), attempt, told)
    case 'captured':
      return hold.status === 'captured'
        ? counted(correctCharge(state, attempt, told), reading)
        : captured(state, hold, told)
    case 'claimed':
      return counted(
        correctCharge(
          hold.status === 'authorized' ? noteClaim(state, hold, told.object) : state,
          attempt,
          told,
        ),
        reading,
      )
    case 'voided':
    case 'declined':
      return hold.status === 'authorized'
        ? correctCharge(changeHold(state, attempt, { status: 'voided' }), attempt, told)
        : counted(correctCharge(state, attempt, told), reading)
    case 'authorized':
      return stillHeld(hold.status === 'captured' ? correctCharge(state, attempt, told) : state, reading)
    default:
      return told.object.status satisfies never
  }
}

/** The merchant has charged the credential since. */
function captured(
  before: CartState,
  { attempt }: HoldRow,
  told: { readonly object: RailObject; readonly news: readonly RailNews[] },
): CartState {
  const { object } = told
  const state = correctCharge(changeHold(before, attempt, captureOf(object)), attempt, told)
  const place = effectOf(state, 'place', attempt)
  if (place?.state !== 'done' || !isRunning(state, place)) return state
  const transaction_id = state.cart.transaction_id ?? object.captureReference
  return changeCart(state, { actual_amount: object.capturedAmount, transaction_id }, 'cart.payment_captured')
}

function stillHeld(state: CartState, reading: Reading): CartState {
  const { attempt } = reading
  const release = effectOf(state, 'revoke', attempt) ?? effectOf(state, 'void', attempt)
  // guard released-again-only-while-it-stands: no second release of a hold that the rail has not said to stand
  return release?.state === 'refused' ? renewRelease(state, release) : counted(state, reading)
}

/** The rail refused for good to release the hold. Its key stands for that refusal, so the next try has another key. */
function renewRelease(state: CartState, effect: EffectRow): CartState {
  const { now } = state
  const number = effect.number + 1
  const count = (effect.put_off?.count ?? 0) + 1
  return changeEffect(state, effect, {
    number,
    // guard released-under-another-key: a release that was refused is not repeated under the key that stands for the refusal
    key: effectKey(effect.cart_id, effect.attempt, effect.step, number),
    state: 'unsent',
    tries: 0,
    may_have_left: false,
    heard: null,
    settled_at: null,
    put_off: putOff(effect.put_off, {
      now,
      seconds: putOffSeconds(effect.step, count, null),
      reason: 'refused',
    }),
  })
}

/** Questions are counted on the effect that asks last. */
function counted(state: CartState, { attempt, answer }: Reading): CartState {
  const effect =
    effectOf(state, 'refund', attempt) ??
    effectOf(state, 'revoke', attempt) ??
    effectOf(state, 'void', attempt) ??
    effectOf(state, 'place', attempt)
  if (effect === null) return state
  const put_off = answer.kind === 'not_now' ? putOffBy(state.now, effect, answer) : effect.put_off
  return changeEffect(state, effect, { asked: effect.asked + 1, asked_at: state.now, put_off })
}
