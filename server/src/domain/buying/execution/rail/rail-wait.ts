import { after } from '../../../../core/backoff.ts'
import { failureOf, parseStage, railStage } from '../../intents/public.ts'
import type { LockedCart } from '../locked-cart.ts'
import { failCart } from '../offer/apply-offer.ts'
import { pace, type Step } from '../step.ts'
import type { RailCircuit } from './rail-circuit.ts'

/**
 * How many seconds the rail's circuit breaker holds a step back; 0 where it may be taken. An offer that could not be paid for is not
 * asked for either. Steps about the order concern no rail.
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
 * Puts the cart back unchanged until the rail may be called: nothing was journaled and no try is used up. A purchase that holds no money
 * yet waits as long as for a rail that turns it away. `go_on`: that time is over.
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
