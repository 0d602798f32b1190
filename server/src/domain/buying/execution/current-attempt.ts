import type { Bench } from './bench.ts'
import type { EffectRow } from './journal.ts'

export function isCurrent(bench: Bench, effect: EffectRow): boolean {
  return effect.attempt === bench.cart.attempt_number
}

/** The cart's own attempt, and the cart still wants it. */
export function isRunning(bench: Bench, effect: EffectRow): boolean {
  return isCurrent(bench, effect) && bench.cart.status === 'in_progress'
}
