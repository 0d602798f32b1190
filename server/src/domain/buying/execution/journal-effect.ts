import { after } from '../../../core/backoff.ts'
import type { Lease } from '../../../platform/work/lease.ts'
import type { EffectStep } from './cart-facts.ts'
import {
  type EffectRequest,
  type EffectRow,
  effectKey,
  type HoldRow,
  placedAnswer,
  storedOffer,
} from './journal.ts'
import type { LockedCart } from './locked-cart.ts'
import type { NativePlaceAnswer } from './native/native.ts'
import { credentialExpiry, isHandedOver } from './place/handed-over.ts'
import type { CredentialForm } from './port.ts'
import { assertHasSomewhereToGo } from './requests.ts'
import { timing } from './timing.ts'

const nothing: EffectRequest = {
  amount: null,
  currency: null,
  merchant: null,
  payment_method_id: null,
  expires_at: null,
  offer: null,
}

/** What bounds the call that is journaled. */
type Calls = { readonly lease: Lease; readonly longestCallMs: number }

/** `form`: how the way of buying hands a credential over. */
type RailEffect = {
  readonly step: Exclude<EffectStep, 'place'>
  readonly attempt: number
  readonly form?: CredentialForm | null | undefined
}

/** Journals a call to the rail: with the request that was journaled before, or for the first time. */
export function journalRail(
  locked: LockedCart,
  { step, attempt, form }: RailEffect,
  paymentMethodId: string | null,
  lease: Lease,
): EffectRow {
  const known = locked.effect(step, attempt)
  const calls = { lease, longestCallMs: timing.longestCallMs }
  if (known) return sendAgain(locked, known, calls)
  if (step === 'authorize' || step === 'issue_credential') assertHasSomewhereToGo(locked.intent)
  // Where we take the money, capture is the point of no return.
  // guard no-return-from-capture: from its capture on a cart cannot be cancelled
  if (step === 'capture') locked.change({ past_no_return: true })
  return firstTime(
    locked,
    { step, attempt, request: requestOf(locked, { step, attempt, form }, paymentMethodId) },
    calls,
  )
}

/** Journals the submit of a checkout: after it the purchase cannot be undone. */
export function journalOrder(locked: LockedCart, calls: Calls): EffectRow {
  const attempt = locked.cart.attempt_number
  // guard no-return-from-the-submit: from the submit of a checkout on a cart cannot be cancelled
  locked.change({ past_no_return: true })
  const known = locked.effect('place', attempt)
  return known
    ? sendAgain(locked, known, calls)
    : firstTime(locked, { step: 'place', attempt, request: orderRequest(locked) }, calls)
}

/** Journals an order that is a row of ours, together with that row: both are written, or neither. */
export function journalNativeOrder(locked: LockedCart, answer: NativePlaceAnswer): void {
  const attempt = locked.cart.attempt_number
  const { now } = locked.ctx
  if (answer.kind === 'refused') {
    // Nothing was placed, and nothing can be any more: its hold is released.
    locked.addEffect({
      ...blank(locked, { step: 'place', attempt, request: orderRequest(locked) }),
      state: 'refused',
      answer: { kind: 'refused', ...answer.refusal },
      settled_at: now,
    })
    return
  }
  locked.addEffect({
    ...blank(locked, { step: 'place', attempt, request: orderRequest(locked) }),
    state: 'unknown',
    may_have_left: true,
    heard: 'pending',
    asked_at: now,
    answer: placedAnswer(answer.value),
    not_before: now,
  })
  locked.isAsked = true
  locked.change({ order_row_id: answer.value.orderRow }, 'cart.order_placed')
}

/** A credential that is handed to its merchant: there is no call, and the rail says what comes of it. It cannot be taken back. */
export function journalHandOver(locked: LockedCart): void {
  const { now } = locked.ctx
  // guard handed-out-for-good: a purchase whose token is out cannot be cancelled
  locked.change({ past_no_return: true })
  locked.addEffect({
    ...blank(locked, {
      step: 'place',
      attempt: locked.cart.attempt_number,
      request: orderRequest(locked),
    }),
    state: 'unknown',
    may_have_left: true,
    heard: 'pending',
    asked_at: now,
  })
}

function firstTime(
  locked: LockedCart,
  effect: Pick<EffectRow, 'step' | 'attempt' | 'request'>,
  calls: Calls,
): EffectRow {
  const row = { ...blank(locked, effect), not_before: notBefore(locked, calls) }
  locked.addEffect(row)
  return row
}

/** The same request under the same key, and so the same call. */
function sendAgain(locked: LockedCart, effect: EffectRow, calls: Calls): EffectRow {
  locked.changeEffect(effect, {
    state: 'sent',
    tries: effect.tries + 1,
    heard: null,
    sent_at: locked.ctx.now,
    not_before: notBefore(locked, calls),
  })
  return effect
}

function blank(locked: LockedCart, effect: Pick<EffectRow, 'step' | 'attempt' | 'request'>): EffectRow {
  const { now } = locked.ctx
  return {
    ...effect,
    cart_id: locked.cartId,
    intent_id: locked.intent.id,
    key: effectKey(locked.cartId, effect.attempt, effect.step),
    state: 'sent',
    tries: 1,
    may_have_left: false,
    asked: 0,
    asked_at: null,
    heard: null,
    answer: null,
    sent_at: now,
    settled_at: null,
    not_before: now,
    put_off: null,
    number: 1,
  }
}

/** A worker that dies between journal and call may still be about to call, until its lease ends. */
function notBefore(locked: LockedCart, { lease, longestCallMs }: Calls): Date {
  const waitMs = Math.max(0, lease.remainingMs()) + longestCallMs + timing.marginMs
  return new Date(locked.ctx.now.getTime() + waitMs)
}

function requestOf(
  locked: LockedCart,
  { step, attempt, form }: RailEffect,
  paymentMethodId: string | null,
): EffectRequest {
  const { cart, ctx } = locked
  switch (step) {
    case 'authorize':
    case 'issue_credential': {
      if (!locked.accepted) throw new Error('money is only held for an offer that was accepted')
      const seconds = step === 'authorize' ? timing.authorizationDays * 86_400 : timing.credentialHours * 3600
      return {
        amount: Number(locked.accepted.total),
        currency: locked.accepted.currency,
        merchant: cart.merchant_domain,
        payment_method_id: paymentMethodId,
        expires_at: (isHandedOver(cart) ? credentialExpiry(cart) : after(ctx.now, seconds)).toISOString(),
        offer: storedOffer(locked.accepted),
        ...(form === 'card' ? { form } : {}),
      }
    }
    case 'capture': {
      const hold = locked.hold(attempt)
      if (!hold) throw new Error('a capture without an authorization')
      return { ...nothing, amount: owedFor(locked, hold), currency: hold.currency }
    }
    case 'refund': {
      const hold = locked.hold(attempt)
      if (!hold) throw new Error('a refund of nothing')
      return { ...nothing, amount: Number(hold.captured_amount), currency: hold.currency }
    }
    case 'void':
    case 'revoke':
      return nothing
    default:
      return step satisfies never
  }
}

/** The amount of the hold, or the merchant's price if it was lowered since. */
function owedFor(locked: LockedCart, hold: HoldRow): number {
  const placed = locked.effect('place', hold.attempt)?.answer
  const owed = placed?.kind === 'placed' ? placed.owed : undefined
  // guard lower-price-captured: the captured amount is the price that the merchant confirmed
  if (owed === undefined) return Number(hold.amount)
  if (owed > hold.amount) throw new Error('an order asks for more than was authorized for it')
  return owed
}

function orderRequest(locked: LockedCart): EffectRequest {
  const hold = locked.hold(locked.cart.attempt_number)
  if (!hold) throw new Error('an order without money for it')
  return {
    ...nothing,
    amount: Number(hold.amount),
    currency: hold.currency,
    merchant: locked.cart.merchant_domain,
  }
}
