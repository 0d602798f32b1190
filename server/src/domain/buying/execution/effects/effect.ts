import { putOff } from '../../../../core/put-off.ts'
import {
  type Call,
  type ClosableCall,
  type HoldAnswer,
  type PaymentRail,
  putOffSeconds,
  type RailInputs,
  type RailObject,
  type RailStep,
} from '../../rails/public.ts'
import { type CartState, changeEffect, effectOf, holdOf, withWrite } from '../cart-state.ts'
import { fundingOf } from '../funding/funding.ts'
import {
  type EffectAnswer,
  type EffectRequest,
  type EffectRow,
  effectKey,
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
  /** What is written down before it is sent, or sent again: what a call about money that changes is about. */
  begin?(state: CartState, attempt: number): CartState
  /** What follows once nobody can make it any more, by proof. */
  closed?(state: CartState, effect: EffectRow): CartState
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

/** The hold that a call is about: that of the buyer's own card, where a card was issued beside it; a revoke ends that card. */
export function referenceAtRail(state: CartState, { step, attempt }: EffectRow): string {
  const funding = step === 'revoke' ? null : fundingOf(state, attempt)
  const hold = funding ?? holdOf(state, attempt)
  if (!hold) throw new Error(`a ${step} of nothing`)
  return hold.reference
}

/**
 * The rail refused for good to release or give back money. Its key stands for that refusal, so the next try has another key, and comes
 * later each time.
 */
export function renewed(state: CartState, effect: EffectRow): CartState {
  const { now } = state
  const count = (effect.put_off?.count ?? 0) + 1
  const seconds = putOffSeconds(effect.step, count, null)
  return underNewKey(state, effect, { put_off: putOff(effect.put_off, { now, seconds, reason: 'refused' }) })
}

/** The same call once more, under the next key. */
export function underNewKey(state: CartState, effect: EffectRow, more: Partial<EffectRow> = {}): CartState {
  const number = effect.number + 1
  return changeEffect(state, effect, {
    number,
    // guard released-under-another-key: a release that was refused is not repeated under the key that stands for the refusal
    key: effectKey(effect.cart_id, effect.attempt, effect.step, number),
    state: 'unsent',
    tries: 0,
    may_have_left: false,
    heard: null,
    settled_at: null,
    ...more,
  })
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
