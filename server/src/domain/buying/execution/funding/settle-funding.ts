import { after } from '../../../../core/backoff.ts'
import { type CartState, effectOf, holdOf } from '../cart-state.ts'
import type { EffectRow, FundingRow } from '../journal.ts'
import { notBefore, pace, type Step, sendAgain } from '../step.ts'
import { fundingOf, keptOf, owedBehind } from './funding.ts'

/**
 * The money behind an issued card follows what its merchant takes. It is captured once: when everything that the merchant has authorized is
 * captured, and before the buyer's bank lets go of it at the latest. Where nothing can be taken any more it is released, and what was
 * captured and not taken goes back.
 */
function settleFunding(state: CartState, attempt: number): Step {
  const funding = fundingOf(state, attempt)
  switch (funding?.status) {
    case 'authorized':
      return settleHeld(state, funding)
    case 'captured':
      return keptOf(funding) > owedBehind(state, attempt) ? giveBack(state, attempt) : { kind: 'rest' }
    default:
      return { kind: 'rest' }
  }
}

/** Those of several attempts, in order. */
export function settleFundings(state: CartState, attempts: (attempt: number) => boolean): Step {
  for (const { attempt } of state.fundings) {
    const step = attempts(attempt) ? settleFunding(state, attempt) : null
    if (step !== null && step.kind !== 'rest') return step
  }
  return { kind: 'rest' }
}

function settleHeld(state: CartState, funding: FundingRow): Step {
  const { attempt } = funding
  if (owedBehind(state, attempt) === 0n)
    return isCardOver(state, attempt)
      ? again(state, { kind: 'send', step: 'void', attempt })
      : { kind: 'rest' }
  const latest = after(funding.expires_at, -pace.holdMarginSeconds)
  // guard captured-before-the-bank-lets-go: money behind a card is captured while it is still held
  if (holdOf(state, attempt)?.status === 'captured' || state.now >= latest)
    return again(state, { kind: 'send', step: 'capture', attempt })
  return { kind: 'wait', until: latest, because: 'merchant' }
}

/** Whether no merchant can be allowed anything on the card any more: the money behind it is let go only then. */
function isCardOver(state: CartState, attempt: number): boolean {
  const card = holdOf(state, attempt)
  // What may have been issued is asked about before anything is let go.
  if (card === null) return true
  // guard card-ends-before-its-money: a card that can still be charged keeps the money behind it
  return card.status !== 'authorized' || effectOf(state, 'revoke', attempt)?.state === 'done'
}

function giveBack(state: CartState, attempt: number): Step {
  return again(state, { kind: 'send', step: 'refund', attempt })
}

function again(state: CartState, send: Extract<Step, { kind: 'send' }>): Step {
  const effect: EffectRow | null = effectOf(state, send.step, send.attempt)
  // A refund that is done is followed by another one, under a key of its own.
  return effect?.state === 'done' ? notBefore(state, effect, state.now, send) : sendAgain(state, effect, send)
}
