import type { EffectRow } from './journal.ts'
import type { LockedCart } from './locked-cart.ts'

export function isCurrent(locked: LockedCart, effect: EffectRow): boolean {
  return effect.attempt === locked.cart.attempt_number
}

/** Whether the effect belongs to the cart's current attempt, and the cart still wants it. */
export function isRunning(locked: LockedCart, effect: EffectRow): boolean {
  return isCurrent(locked, effect) && locked.cart.status === 'in_progress'
}
