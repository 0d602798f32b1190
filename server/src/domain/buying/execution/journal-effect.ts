import type { Lease } from '../../../platform/work/lease.ts'
import type { Bench } from './bench.ts'
import type { EffectStep } from './cart-facts.ts'
import {
  digestOf,
  type EffectRequest,
  type EffectRow,
  effectKey,
  type HoldRow,
  placedAnswer,
  storedOffer,
} from './journal.ts'
import { orderIdScheme } from './order-ids.ts'
import type { PlaceAnswer } from './port.ts'
import { assertHasSomewhereToGo } from './requests.ts'
import { after } from './step.ts'
import { timing } from './timing.ts'

const nothing: EffectRequest = {
  amount: null,
  currency: null,
  merchant: null,
  payment_method_id: null,
  expires_at: null,
  offer: null,
}

/** Journals a call to the rail: as it was journaled before, or for the first time. */
export function journalRail(
  bench: Bench,
  { step, attempt }: { step: Exclude<EffectStep, 'place'>; attempt: number },
  paymentMethodId: string | null,
  lease: Lease,
): EffectRow {
  const known = bench.effect(step, attempt)
  if (known) return sendAgain(bench, known, lease)
  if (step === 'authorize' || step === 'issue_credential') assertHasSomewhereToGo(bench.intent)
  adoptScheme(bench)
  // Capture is the point of no return of what we pay for ourselves.
  if (step === 'capture') bench.change({ past_no_return: true })
  return firstTime(
    bench,
    { step, attempt, request: requestOf(bench, { step, attempt }, paymentMethodId) },
    lease,
  )
}

/** With its first journaled call an attempt is begun: how its order's id follows is decided, and read from then on. */
function adoptScheme(bench: Bench): void {
  const id_scheme = orderIdScheme(bench.cart, bench.effects)
  if (id_scheme !== bench.cart.id_scheme) bench.change({ id_scheme })
}

/** Journals the submit of a checkout: from here on there is no way back. */
export function journalOuterOrder(bench: Bench, lease: Lease): EffectRow {
  const attempt = bench.cart.attempt_number
  bench.change({ past_no_return: true })
  const known = bench.effect('place', attempt)
  return known
    ? sendAgain(bench, known, lease)
    : firstTime(bench, { step: 'place', attempt, request: orderRequest(bench) }, lease)
}

/** Journals an order that is a row of ours, together with that row: both are there, or neither. */
export function journalInnerOrder(bench: Bench, answer: PlaceAnswer): void {
  const attempt = bench.cart.attempt_number
  const { now } = bench.act
  if (answer.kind === 'refused') {
    // Nothing was placed, and nothing can be any more: what is held for it is let go.
    bench.addEffect({
      ...blank(bench, { step: 'place', attempt, request: orderRequest(bench) }),
      state: 'refused',
      answer: { kind: 'refused', ...answer.refusal },
      settled_at: now,
    })
    return
  }
  if (answer.kind !== 'pending') throw new Error('an order of ours awaits its merchant')
  const { orderRow } = answer.value
  bench.addEffect({
    ...blank(bench, { step: 'place', attempt, request: orderRequest(bench) }),
    state: 'unknown',
    may_have_left: true,
    heard: 'pending',
    asked_at: now,
    answer: placedAnswer(answer.value),
    not_before: now,
  })
  bench.isAsked = true
  const order_row_id = orderRow as typeof bench.cart.order_row_id // the order's own id, widened by the port
  bench.change({ order_row_id }, 'cart.order_placed')
}

function firstTime(
  bench: Bench,
  effect: Pick<EffectRow, 'step' | 'attempt' | 'request'>,
  lease: Lease,
): EffectRow {
  const row = { ...blank(bench, effect), not_before: notBefore(bench, lease) }
  bench.addEffect(row)
  return row
}

/** The same request under the same key, hence the same call. */
function sendAgain(bench: Bench, effect: EffectRow, lease: Lease): EffectRow {
  bench.changeEffect(effect, {
    state: 'sent',
    tries: effect.tries + 1,
    heard: null,
    sent_at: bench.act.now,
    not_before: notBefore(bench, lease),
  })
  return effect
}

function blank(bench: Bench, effect: Pick<EffectRow, 'step' | 'attempt' | 'request'>): EffectRow {
  const { now } = bench.act
  return {
    ...effect,
    cart_id: bench.cartId,
    intent_id: bench.intent.id,
    key: effectKey(bench.cartId, effect.attempt, effect.step),
    request_digest: digestOf(effect.request),
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

/** Whoever dies between journal and call may still be about to call, until its lease ends. */
function notBefore(bench: Bench, lease: Lease): Date {
  const waitMs = Math.max(0, lease.remainingMs()) + timing.longestCallMs + timing.marginMs
  return new Date(bench.act.now.getTime() + waitMs)
}

function requestOf(
  bench: Bench,
  { step, attempt }: { step: Exclude<EffectStep, 'place'>; attempt: number },
  paymentMethodId: string | null,
): EffectRequest {
  const { cart, act } = bench
  switch (step) {
    case 'authorize':
    case 'issue_credential': {
      if (!bench.accepted) throw new Error('money is only held for an offer that was accepted')
      const seconds = step === 'authorize' ? timing.authorizationDays * 86_400 : timing.credentialHours * 3600
      return {
        amount: Number(bench.accepted.total),
        currency: bench.accepted.currency,
        merchant: cart.merchant_domain,
        payment_method_id: paymentMethodId,
        expires_at: after(act.now, seconds).toISOString(),
        offer: storedOffer(bench.accepted),
      }
    }
    case 'capture': {
      const hold = bench.hold(attempt)
      if (!hold) throw new Error('a capture without an authorization')
      return { ...nothing, amount: owedFor(bench, hold), currency: hold.currency }
    }
    case 'refund': {
      const hold = bench.hold(attempt)
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

/** The hold, or what the merchant asks for since it lowered its price. */
function owedFor(bench: Bench, hold: HoldRow): number {
  const placed = bench.effect('place', hold.attempt)?.answer
  const owed = placed?.kind === 'placed' ? placed.owed : undefined
  if (owed === undefined) return Number(hold.amount)
  if (owed > hold.amount) throw new Error('an order asks for more than was authorized for it')
  return owed
}

function orderRequest(bench: Bench): EffectRequest {
  const hold = bench.hold(bench.cart.attempt_number)
  if (!hold) throw new Error('an order without money for it')
  return {
    ...nothing,
    amount: Number(hold.amount),
    currency: hold.currency,
    merchant: bench.cart.merchant_domain,
  }
}
