import type {
  Call,
  ClosableCall,
  HoldAnswer,
  PaymentRail,
  RailInputs,
  RailObject,
  RailStep,
} from '../../rails/public.ts'
import { type CartState, changeEffect, effectOf, holdOf, withWrite } from '../cart-state.ts'
import {
  type EffectAnswer,
  type EffectRequest,
  type EffectRow,
  type HoldRow,
  orderRowOf,
} from '../journal.ts'
import type { Card } from '../messages.ts'

/** One kind of call to the rail: what is asked for, how, and what follows from its answer. */
export type RailEffect<Step extends RailStep = RailStep> = {
  /**
   * What it does with the buyer's money. What `holds` or `takes` it stays below the cart's cap, and is closed at the rail once nobody wants
   * it; what `returns` it, or leaves it alone, is made again until it is done.
   */
  readonly money: Step extends ClosableCall['step'] ? 'holds' | 'takes' : 'returns'
  make(rail: PaymentRail, input: RailInputs[Step], call: Call): Promise<HoldAnswer>
  /** The request as it is journaled when the call is sent for the first time. */
  request(state: CartState, attempt: number): EffectRequest
  /** What the call is given, from nothing but the journal and the card that pays. */
  input(state: CartState, effect: EffectRow, card: Card | null): RailInputs[Step]
  /** What follows once it has happened. */
  done(state: CartState, effect: EffectRow, object: RailObject): CartState
  /**
   * Whether it is still to be made for a hold: of a cart that is over, or of an earlier attempt, whose money is back before the next one
   * begins.
   */
  isOwed?(state: CartState, hold: HoldRow): boolean
  /** What follows besides, once the rail has refused it for good. */
  refused?(state: CartState, effect: EffectRow): CartState
}

export const nothing: EffectRequest = {
  amount: null,
  currency: null,
  merchant: null,
  payment_method_id: null,
  expires_at: null,
  offer: null,
}

/** The callee has decided: it happened, or it never will. */
export function settle(
  state: CartState,
  effect: EffectRow,
  as: 'done' | 'refused',
  answer: EffectAnswer | null,
): CartState {
  // A release that the rail refused is tried again, and it stays known since when it has been refused.
  const put_off = as === 'done' ? null : effect.put_off
  return changeEffect(state, effect, { state: as, answer, settled_at: state.now, put_off })
}

export function amountOf({ request: { amount } }: Pick<EffectRow, 'request'>): bigint {
  return amount ?? 0n
}

/** What a call about money that is held says of it. */
export function moneyOf(effect: Pick<EffectRow, 'request'>): { amount: bigint; currency: string } {
  const { currency } = effect.request
  if (currency === null) throw new Error('money without its currency')
  return { amount: amountOf(effect), currency }
}

export function referenceAtRail(state: CartState, { step, attempt }: EffectRow): string {
  const hold = holdOf(state, attempt)
  if (!hold) throw new Error(`a ${step} of nothing`)
  return hold.reference
}

/** The order of an attempt, where it is a row of ours, is marked; its merchant sees it. */
export function orderPaid(
  state: CartState,
  attempt: number,
  standing: 'captured' | 'failed' | 'voided',
): CartState {
  const place = effectOf(state, 'place', attempt)
  const orderId = place && orderRowOf(place)
  return orderId ? withWrite(state, { kind: 'order_paid', orderId, standing }) : state
}
