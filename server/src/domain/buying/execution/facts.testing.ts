import type { CartFacts, EffectFacts, EffectState, EffectStep, HoldFacts } from './cart-facts.ts'
import { decideStep } from './decide-step.ts'
import type { Step } from './step.ts'

export const now = new Date('2026-06-01T12:00:00Z')

export function at(seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000)
}

export function effect(step: EffectStep, state: EffectState, more: Partial<EffectFacts> = {}): EffectFacts {
  return {
    attempt: 1,
    step,
    state,
    tries: 1,
    sentAt: at(-120),
    asked: 0,
    askedAt: null,
    heard: null,
    notBefore: at(-60),
    refusal: null,
    putOff: null,
    ...more,
  }
}

export function hold(status: HoldFacts['status'], more: Partial<HoldFacts> = {}): HoldFacts {
  return {
    attempt: 1,
    kind: 'authorization',
    status,
    claimedAt: null,
    isCard: false,
    expiresAt: at(86_400),
    ...more,
  }
}

const base: CartFacts = {
  now,
  isFrozen: false,
  mayBuy: true,
  payment: 'authorization',
  hasStrangers: false,
  isNative: true,
  cart: { status: 'in_progress', isCleanup: false, attempt: 1, isOutcomeKnown: true, signInUntil: null },
  isOfferAccepted: false,
  offerTries: 0,
  offerTriedAt: null,
  noRoom: null,
  effects: [],
  holds: [],
  isAsked: false,
  handedOverUntil: null,
  isWoken: false,
  hasNews: false,
}
export const shop = { payment: 'credential', isNative: false } as const
export const paid = effect('authorize', 'done')
export const issued = effect('issue_credential', 'done')
export const rejected = { code: 'order_rejected_by_merchant', declineCode: null, message: 'No.' }

export type Row = [string, Omit<Partial<CartFacts>, 'cart'> & { cart?: Partial<CartFacts['cart']> }, string]

export function decided(change: Row[1]): Step {
  return decideStep({ ...base, ...change, cart: { ...base.cart, ...change.cart } })
}

/** A step in one line: its kind, and the parts of it that matter. */
export function brief(step: Step): string {
  switch (step.kind) {
    case 'send':
    case 'ask':
    case 'close':
    case 'settle':
      return `${step.kind} ${step.step}${step.attempt === 1 ? '' : ` ${step.attempt}`}`
    case 'wait':
      return `wait ${Math.round((step.until.getTime() - now.getTime()) / 1000)}s ${step.because}`
    case 'fail':
      return `fail ${step.code}${step.isRetrySame ? ' same' : ''}`
    case 'fail_refused':
      return `fail ${step.refusal.code}`
    default:
      return step.kind
  }
}

const takesOrPlaces = ['authorize', 'issue_credential', 'place']

/** Whether a step begins something new: asks for an offer, holds money or places an order. */
export function beginsSomething(step: Step): boolean {
  return step.kind === 'offer' || (step.kind === 'send' && takesOrPlaces.includes(step.step))
}
