import { putOff } from '../../../core/put-off.ts'
import type { Bench } from './bench.ts'
import { isRunning } from './current-attempt.ts'
import { captureOf, type EffectRow, effectKey } from './journal.ts'
import type { RailReading } from './port.ts'
import { putOffBy } from './put-off-by.ts'
import { putOffSeconds } from './step.ts'

/** The truth about a hold, from the rail. */
export async function applyReading(bench: Bench, attempt: number, answer: RailReading): Promise<void> {
  const hold = bench.hold(attempt)
  const isOpen = hold?.status === 'authorized' || hold?.status === 'captured'
  if (!hold || !isOpen) return
  const object = answer.kind === 'done' ? answer.value : null
  if (object?.status === 'refunded')
    return bench.changeHold(hold, { ...captureOf(object), status: 'refunded' })
  if (object?.status === 'captured' && hold.status === 'authorized') {
    bench.changeHold(hold, captureOf(object))
    const place = bench.effect('place', attempt)
    if (place === null || place.state !== 'done' || !isRunning(bench, place)) return
    const transaction_id = bench.cart.transaction_id ?? object.captureReference
    return bench.change({ actual_amount: object.capturedAmount, transaction_id }, 'cart.payment_captured')
  }
  if (hold.status === 'authorized' && (object?.status === 'voided' || object?.status === 'declined'))
    return bench.changeHold(hold, { status: 'voided' })
  const release = bench.effect('revoke', attempt) ?? bench.effect('void', attempt)
  if (object?.status === 'authorized' && release?.state === 'refused') return renewRelease(bench, release)
  countReading(bench, attempt, answer)
}

/** The rail refused for good to release what it holds. The key stands for that refusal, so the next try has another. */
function renewRelease(bench: Bench, effect: EffectRow): void {
  const { now } = bench.act
  const number = effect.number + 1
  const count = (effect.put_off?.count ?? 0) + 1
  bench.changeEffect(effect, {
    number,
    key: effectKey(bench.cartId, effect.attempt, effect.step, number),
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

function countReading(bench: Bench, attempt: number, answer: RailReading): void {
  const effect =
    bench.effect('refund', attempt) ??
    bench.effect('revoke', attempt) ??
    bench.effect('void', attempt) ??
    bench.effect('place', attempt)
  if (!effect) return
  const put_off = answer.kind === 'not_now' ? putOffBy(bench, effect, answer) : effect.put_off
  bench.changeEffect(effect, { asked: effect.asked + 1, asked_at: bench.act.now, put_off })
}
