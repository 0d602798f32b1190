import { putOff } from '../../../core/put-off.ts'
import type { EffectRow } from './journal.ts'
import type { LockedCart } from './locked-cart.ts'
import type { NotNow } from './rail/port.ts'
import { putOffSeconds } from './step.ts'

/** How long a call waits that was turned away once more. */
export function putOffBy(
  locked: LockedCart,
  { step, put_off }: EffectRow,
  answer: NotNow,
): EffectRow['put_off'] {
  const { reason, retryAfterSeconds } = answer
  const isCounted = reason !== 'circuit_open'
  const count = (put_off?.count ?? 0) + (isCounted ? 1 : 0)
  const seconds = isCounted ? putOffSeconds(step, count, retryAfterSeconds) : (retryAfterSeconds ?? 1)
  return putOff(put_off, { now: locked.ctx.now, seconds, reason, isCounted })
}
