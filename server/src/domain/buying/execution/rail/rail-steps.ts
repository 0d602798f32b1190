import type { EffectRow } from '../journal.ts'
import type { LockedCart } from '../locked-cart.ts'

/** A journaled call to the rail. */
export type RailStep = Exclude<EffectRow['step'], 'place'>

/** The crash points around each of them. */
export const railPoints = {
  authorize: 'authorize',
  issue_credential: 'issue',
  capture: 'capture',
  void: 'void',
  revoke: 'revoke',
  refund: 'refund',
} as const satisfies Record<RailStep, string>

/** The card that a hold is made with: that of its first sending. Null: the call needs none; `none`: there is none that may be used. */
export async function cardFor(locked: LockedCart, step: { step: RailStep; attempt: number }) {
  if (step.step !== 'authorize' && step.step !== 'issue_credential') return null
  const id =
    locked.effect(step.step, step.attempt)?.request.payment_method_id ?? locked.intent.payment_method_id
  return (await locked.payingMethod(id)) ?? 'none'
}

export function effectOf(locked: LockedCart, named: { step: EffectRow['step']; attempt: number }): EffectRow {
  const effect = locked.effect(named.step, named.attempt)
  if (!effect) throw new Error(`there is no ${named.step} in the journal`)
  return effect
}
