import type { EffectRow } from './journal.ts'
import type { LockedCart } from './locked-cart.ts'

export function isCurrent(locked: LockedCart, effect: EffectRow): boolean {
  // guard earlier-attempts-are-not-current: the answer to an earlier attempt changes nothing of the current one
  return effect.attempt === locked.cart.attempt_number
}

/** Whether the effect belongs to the cart's current attempt, and the cart still wants it. */
export function isRunning(locked: LockedCart, effect: EffectRow): boolean {
  // guard late-capture-is-no-charge: money that was captured for a cart that is over is not counted as bought
  return isCurrent(locked, effect) && locked.cart.status === 'in_progress'
}
