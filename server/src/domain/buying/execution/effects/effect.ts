import type { PaymentRail, RailCall, RailObject } from '../../rails/public.ts'
import { type CartState, changeEffect, effectOf, holdOf, withWrite } from '../cart-state.ts'
import { type EffectAnswer, type EffectRequest, type EffectRow, orderRowOf } from '../journal.ts'
import type { Card, Outbound } from '../messages.ts'

/** One kind of call to the rail: what is asked for, how, and what follows from its answer. */
export type RailEffect = {
  /** The crash points around the call begin with this name. */
  readonly point: Outbound['point']
  readonly method: Exclude<
    keyof PaymentRail,
    'chargeCredential' | 'get' | 'ask' | 'close' | 'list' | 'listMovements'
  >
  /** Whether it holds or takes money, so that no call above the cart's cap may leave. */
  readonly takesMoney?: true
  /** The request as it is journaled when the call is sent for the first time. */
  request(state: CartState, attempt: number): EffectRequest
  /** The call, from nothing but the journal and the card that pays. */
  call(state: CartState, effect: EffectRow, card: Card | null): RailCall
  /** What follows once it has happened. */
  done(state: CartState, effect: EffectRow, object: RailObject): CartState
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
