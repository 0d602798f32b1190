import { failureOf } from '../intents/public.ts'
import { failCart } from './apply-offer.ts'
import type { LockedCart } from './locked-cart.ts'
import type { RailCircuit } from './rail-circuit.ts'
import { parseStage, railStage } from './stage.ts'
import { after, pace, type Step } from './step.ts'

/**
 * For how long a step is held back by the circuit breaker before the rail; 0 where it may be taken. An offer that could not be paid for
 * is not asked for either. What is about the order concerns no rail.
 */
export function heldBackSeconds(step: Step, circuit: RailCircuit | null): number {
  if (circuit === null) return 0
  switch (step.kind) {
    case 'offer':
      return circuit.heldSeconds()
    case 'verify':
      return circuit.reserve()
    case 'send':
    case 'ask':
    case 'close':
      return step.step === 'place' ? 0 : circuit.reserve()
    default:
      return 0
  }
}

/**
 * Puts the cart back until the rail may be called, as it is: nothing was journaled and no try is used up. A purchase that holds no money
 * yet has the patience that it has with a rail that turns it away. `go_on`: that is over.
 */
export async function waitForRail(
  locked: LockedCart,
  step: Step,
  seconds: number,
): Promise<'waits' | 'go_on'> {
  const { now } = locked.ctx
  if (isFirstMoney(locked, step)) {
    const stage = parseStage(locked.cart.stage)
    const since = stage.kind === 'rail' ? stage.since : now
    if (now >= after(since, pace.patienceSeconds)) {
      failCart(locked, failureOf('internal_error', { retry_policy: 'same' }))
      return 'go_on'
    }
    if (stage.kind !== 'rail') locked.change({ stage: railStage(now) })
  }
  await locked.rest(after(now, seconds))
  return 'waits'
}

function isFirstMoney(locked: LockedCart, step: Step): boolean {
  if (step.kind === 'offer') return true
  if (step.kind !== 'send' || (step.step !== 'authorize' && step.step !== 'issue_credential')) return false
  return locked.effect(step.step, step.attempt) === null
}
