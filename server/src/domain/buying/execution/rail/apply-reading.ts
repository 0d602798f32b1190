import { putOff } from '../../../../core/put-off.ts'
import { isRunning } from '../current-attempt.ts'
import { captureOf, type EffectRow, effectKey } from '../journal.ts'
import type { LockedCart } from '../locked-cart.ts'
import type { NewsRow } from '../movements/movements.sql.ts'
import { correctCharge, noteClaim, takenOf } from '../place/stranger-charge.ts'
import { putOffBy } from '../put-off-by.ts'
import { putOffSeconds } from '../step.ts'
import type { RailReading } from './port.ts'

/** Applies what the rail says about a hold. `news`: the movements that it had reported before it was asked. */
export async function applyReading(
  locked: LockedCart,
  attempt: number,
  { answer, news }: { answer: RailReading; news: readonly NewsRow[] },
): Promise<void> {
  const hold = locked.hold(attempt)
  const isOpen = hold?.status === 'authorized' || hold?.status === 'captured'
  if (!hold || !isOpen) return
  const object = answer.kind === 'done' ? answer.value : null
  const told = object && { object, news }
  if (told?.object.status === 'refunded') {
    locked.changeHold(hold, takenOf(locked, hold, told.object))
    return await correctCharge(locked, hold, told)
  }
  if (told && hold.status === 'captured') await correctCharge(locked, hold, told)
  if (told && object?.status === 'captured' && hold.status === 'authorized') {
    locked.changeHold(hold, captureOf(object))
    await correctCharge(locked, hold, told)
    const place = locked.effect('place', attempt)
    if (place === null || place.state !== 'done' || !isRunning(locked, place)) return
    const transaction_id = locked.cart.transaction_id ?? object.captureReference
    return locked.change({ actual_amount: object.capturedAmount, transaction_id }, 'cart.payment_captured')
  }
  if (told && object?.status === 'claimed' && hold.status === 'authorized') {
    noteClaim(locked, hold, object)
    await correctCharge(locked, hold, told)
  }
  if (
    told &&
    hold.status === 'authorized' &&
    (object?.status === 'voided' || object?.status === 'declined')
  ) {
    locked.changeHold(hold, { status: 'voided' })
    return await correctCharge(locked, hold, told)
  }
  const release = locked.effect('revoke', attempt) ?? locked.effect('void', attempt)
  // guard released-again-only-while-it-stands: no second release of a hold that the rail has not said to stand
  if (object?.status === 'authorized' && release?.state === 'refused') return renewRelease(locked, release)
  countReading(locked, attempt, answer)
}

/** The rail refused for good to release the hold. Its key stands for that refusal, so the next try has another key. */
function renewRelease(locked: LockedCart, effect: EffectRow): void {
  const { now } = locked.ctx
  const number = effect.number + 1
  const count = (effect.put_off?.count ?? 0) + 1
  locked.changeEffect(effect, {
    number,
    // guard released-under-another-key: a release that was refused is not repeated under the key that stands for the refusal
    key: effectKey(locked.cartId, effect.attempt, effect.step, number),
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

function countReading(locked: LockedCart, attempt: number, answer: RailReading): void {
  const effect =
    locked.effect('refund', attempt) ??
    locked.effect('revoke', attempt) ??
    locked.effect('void', attempt) ??
    locked.effect('place', attempt)
  if (!effect) return
  const put_off = answer.kind === 'not_now' ? putOffBy(locked, effect, answer) : effect.put_off
  locked.changeEffect(effect, { asked: effect.asked + 1, asked_at: locked.ctx.now, put_off })
}
