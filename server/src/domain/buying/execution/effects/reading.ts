import type { RailNews } from '../../rail-movements/public.ts'
import { putOffBy, type RailObject, type RailReading } from '../../rails/public.ts'
import {
  type CartState,
  changeCart,
  changeEffect,
  changeHold,
  effectOf,
  holdOf,
  isRunning,
} from '../cart-state.ts'
import { withCharges } from '../funding/chargeable-card.ts'
import { captureOf, type HoldRow } from '../journal.ts'
import { correctCharge, noteClaim, takenOf, withinLimit } from '../place/stranger-charge.ts'
import { renewed } from './effect.ts'

type Reading = {
  readonly attempt: number
  readonly answer: RailReading
  /** The movements that the rail had reported before it was asked. */
  readonly news: readonly RailNews[]
}

/** What the rail says about a hold. */
export function hearReading(before: CartState, reading: Reading): CartState {
  const hold = holdOf(before, reading.attempt)
  if (hold?.status !== 'authorized' && hold?.status !== 'captured') return before
  if (reading.answer.kind !== 'done') return counted(before, reading)
  const { attempt } = reading
  const { state, object } = withinLimit(
    withCharges(before, reading.answer.value),
    attempt,
    reading.answer.value,
  )
  const told = { object, news: reading.news }
  switch (told.object.status) {
    case 'refunded':
      return correctCharge(changeHold(state, attempt, takenOf(state, hold, told.object)), attempt, told)
    case 'captured':
      return hold.status === 'captured'
        ? counted(correctCharge(changeHold(state, attempt, captureOf(object)), attempt, told), reading)
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
  return release?.state === 'refused' ? renewed(state, release) : counted(state, reading)
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
