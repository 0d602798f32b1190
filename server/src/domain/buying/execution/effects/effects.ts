import type {
  Call,
  ClosableCall,
  HoldAnswer,
  PaymentRail,
  RailCall,
  RailStep,
  SentCall,
} from '../../rails/public.ts'
import type { CartState } from '../cart-state.ts'
import type { EffectRow, EffectStep, HoldRow } from '../journal.ts'
import type { Card } from '../messages.ts'
import { authorize } from './authorize.ts'
import { capture } from './capture.ts'
import type { RailEffect } from './effect.ts'
import { issueCredential } from './issue-credential.ts'
import { refund } from './refund.ts'
import { revoke, voidHold } from './release.ts'

/** Every call to a rail. The call to a merchant is `place.ts`. */
export const railEffects: { readonly [Step in RailStep]: RailEffect<Step> } = {
  authorize,
  issue_credential: issueCredential,
  capture,
  void: voidHold,
  revoke,
  refund,
}

/** The call of an effect, as it is sent. */
export function callOf<Step extends RailStep>(
  step: Step,
  { state, effect, card }: { state: CartState; effect: EffectRow; card: Card | null },
): RailCall<Step> {
  return { step, input: railEffects[step].input(state, effect, card) }
}

export function makeAtRail<Step extends RailStep>(
  rail: PaymentRail,
  { step, input }: RailCall<Step>,
  call: Call,
): Promise<HoldAnswer> {
  return railEffects[step].make(rail, input, call)
}

export function isClosable(sent: SentCall): sent is ClosableCall {
  return sent.step === 'charge_credential' || moneyOf(sent.step) !== 'returns'
}

/** Whether it holds the money of an attempt. */
export function isHold(step: EffectStep): boolean {
  return moneyOf(step) === 'holds'
}

/** What an effect does with money; null: it is the call to a merchant. */
export function moneyOf(step: EffectStep): RailEffect['money'] | null {
  return step === 'place' ? null : railEffects[step].money
}

/** What is still to be made for these holds, in the order of the list; null: nothing. */
export function owedFor(
  state: CartState,
  holds: readonly HoldRow[],
): { step: RailStep; attempt: number } | null {
  for (const step of Object.keys(railEffects) as RailStep[]) {
    // its keys are the steps
    const hold = holds.find((one) => railEffects[step].isOwed?.(state, one))
    if (hold) return { step, attempt: hold.attempt }
  }
  return null
}
