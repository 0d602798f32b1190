import { markOrderPaid } from '../../trade/orders/public.ts'
import { keepResult } from '../cart-results/public.ts'
import type { EffectStep } from './cart-facts.ts'
import { isCurrent, isRunning } from './current-attempt.ts'
import {
  captureOf,
  type EffectRow,
  type HoldRow,
  type PlacedOrder,
  placedAnswer,
  standingOf,
} from './journal.ts'
import type { LockedCart } from './locked-cart.ts'
import type { NewsRow } from './movements/movements.sql.ts'
import { followHold } from './movements/note-refunds.ts'
import { correctCharge, noteClaim, takenOf } from './place/stranger-charge.ts'
import type { PlaceAnswer, PlaceMemory, PlaceRefusal } from './port.ts'
import { putOffBy } from './put-off-by.ts'
import { applyReading } from './rail/apply-reading.ts'
import type {
  NotNow,
  RailAnswer,
  RailMemory,
  RailObject,
  RailReading,
  RailRefusal,
  Remembered,
} from './rail/port.ts'
import { timing } from './timing.ts'

/** The answer of an outbound call, to be applied under the locks. */
export type Outcome =
  | { readonly kind: 'rail'; readonly step: RailStep; readonly attempt: number; readonly answer: RailAnswer }
  | {
      readonly kind: 'rail_remembered'
      readonly step: RailStep
      readonly attempt: number
      readonly answer: RailMemory
    }
  | { readonly kind: 'place'; readonly attempt: number; readonly answer: PlaceAnswer }
  | { readonly kind: 'place_remembered'; readonly attempt: number; readonly answer: PlaceMemory }
  | {
      readonly kind: 'verified'
      readonly attempt: number
      readonly answer: RailReading
      readonly news: readonly NewsRow[]
    }

type RailStep = Exclude<EffectStep, 'place'>

export async function applyOutcome(locked: LockedCart, outcome: Outcome): Promise<void> {
  switch (outcome.kind) {
    case 'rail':
      return await applyRail(locked, journaled(locked, outcome.step, outcome.attempt), outcome.answer)
    case 'rail_remembered':
      return await applyRailMemory(locked, journaled(locked, outcome.step, outcome.attempt), outcome.answer)
    case 'place':
      return applyPlace(locked, journaled(locked, 'place', outcome.attempt), outcome.answer)
    case 'place_remembered':
      return applyPlaceMemory(locked, journaled(locked, 'place', outcome.attempt), outcome.answer)
    case 'verified':
      return await applyReading(locked, outcome.attempt, outcome)
    default:
      outcome satisfies never
      // A lost answer would be asked for again, and nothing would show that it was lost.
      throw new Error('an answer of no known kind')
  }
}

/** Nothing happened, and nothing can happen any more; or a person has said what happened, and no callee is asked further. */
export function settleClosed(locked: LockedCart, effect: EffectRow): void {
  const { status, order_id: orderId, transaction_id: transactionId } = locked.cart
  if (effect.step === 'place' && isCurrent(locked, effect) && status === 'succeeded') {
    settle(locked, effect, 'done', { kind: 'placed', orderRow: orderRowOf(effect), orderId, transactionId })
    return
  }
  locked.changeEffect(effect, { state: 'closed', settled_at: locked.ctx.now, put_off: null })
}

async function applyRail(locked: LockedCart, effect: EffectRow, answer: RailAnswer): Promise<void> {
  switch (answer.kind) {
    case 'not_sent':
      return applyNotSent(locked, effect)
    case 'not_now':
      return applyNotNow(locked, effect, answer)
    case 'unknown':
      return applyUnknown(locked, effect)
    case 'refused':
      return await applyRailRefusal(locked, effect, answer.refusal)
    case 'done':
      return await applyRailDone(locked, effect, answer.value)
    default:
      return answer satisfies never
  }
}

async function applyRailMemory(locked: LockedCart, effect: EffectRow, answer: RailMemory): Promise<void> {
  switch (answer.kind) {
    case 'done':
      return await applyRailDone(locked, effect, answer.value)
    case 'refused':
      return await applyRailRefusal(locked, effect, answer.refusal)
    case 'pending':
    case 'not_found':
    case 'closed':
      return applyHeard(locked, effect, answer.kind)
    case 'not_now':
      return applyNoReply(locked, effect, answer)
    case 'unknown':
      return applyHeard(locked, effect, 'nothing')
    default:
      return answer satisfies never
  }
}

function applyPlace(locked: LockedCart, effect: EffectRow, answer: PlaceAnswer): void {
  switch (answer.kind) {
    case 'not_sent':
      applyNotSent(locked, effect)
      return
    case 'not_now':
      applyNotNow(locked, effect, answer)
      return
    case 'unknown':
      applyUnknown(locked, effect)
      return
    case 'pending':
      applyUnknown(locked, effect)
      applyHeard(locked, effect, 'pending')
      return
    case 'refused':
      applyPlaceRefusal(locked, effect, answer.refusal)
      return
    case 'done':
      applyPlaced(locked, effect, answer.value)
      return
    default:
      answer satisfies never
  }
}

type OrderMemory = Remembered<Omit<PlacedOrder, 'orderRow'>, PlaceRefusal>

export function applyPlaceMemory(locked: LockedCart, effect: EffectRow, answer: OrderMemory): void {
  switch (answer.kind) {
    case 'done':
      applyPlaced(locked, effect, answer.value)
      return
    case 'refused':
      applyPlaceRefusal(locked, effect, answer.refusal)
      return
    case 'pending':
    case 'not_found':
    case 'closed':
      applyHeard(locked, effect, answer.kind)
      return
    case 'not_now':
      applyNoReply(locked, effect, answer)
      return
    case 'unknown':
      applyHeard(locked, effect, 'nothing')
      return
    default:
      answer satisfies never
  }
}

/** An earlier sending of it may have left; then the failure of this one proves nothing. */
function applyNotSent(locked: LockedCart, effect: EffectRow): void {
  // guard not-sent-proves-nothing-twice: that one sending failed proves nothing about an earlier one
  if (effect.may_have_left) {
    applyUnknown(locked, effect)
    return
  }
  locked.changeEffect(effect, { state: 'unsent' })
  if (effect.step === 'place' && isCurrent(locked, effect)) locked.change({ past_no_return: false })
}

/**
 * The callee did nothing: the effect counts as not sent, and the call does not use up a try. It proves no more than that: an earlier
 * sending may have left, and only asking finds that out.
 */
function applyNotNow(locked: LockedCart, effect: EffectRow, answer: NotNow): void {
  const put_off = putOffBy(locked, effect, answer)
  applyNotSent(locked, effect)
  // guard turned-away-uses-no-try: being turned away uses up no try
  locked.changeEffect(effect, { tries: Math.max(0, effect.tries - 1), put_off })
}

/** The question about the effect got no answer. */
function applyNoReply(locked: LockedCart, effect: EffectRow, answer: NotNow): void {
  applyHeard(locked, effect, 'nothing')
  locked.changeEffect(effect, { put_off: putOffBy(locked, effect, answer) })
}

function applyUnknown(locked: LockedCart, effect: EffectRow): void {
  // The call has ended here; what has left of it travels at most as long as the longest call.
  const over = effect.sent_at.getTime() + timing.longestCallMs + timing.marginMs
  locked.changeEffect(effect, {
    state: 'unknown',
    may_have_left: true,
    heard: null,
    not_before: new Date(over),
    put_off: null,
  })
}

function applyHeard(locked: LockedCart, effect: EffectRow, heard: NonNullable<EffectRow['heard']>): void {
  const { now } = locked.ctx
  locked.changeEffect(effect, {
    state: 'unknown',
    may_have_left: true,
    heard,
    asked: effect.asked + 1,
    asked_at: now,
  })
}

async function applyRailRefusal(locked: LockedCart, effect: EffectRow, refusal: RailRefusal): Promise<void> {
  settle(locked, effect, 'refused', { kind: 'refused', ...refusal, message: null })
  const order = orderOf(locked, effect.attempt)
  if (effect.step === 'capture' && order !== null) await markOrderPaid(locked.ctx, order, 'failed')
}

async function applyRailDone(locked: LockedCart, effect: EffectRow, object: RailObject): Promise<void> {
  switch (effect.step) {
    case 'authorize':
    case 'issue_credential':
      return applyHeld(locked, effect, object)
    case 'capture':
      return await applyCaptured(locked, effect, object)
    case 'void':
    case 'revoke':
      return await applyLetGo(locked, effect, object)
    case 'refund':
      return applyRefunded(locked, effect, object)
    case 'place':
      throw new Error('the rail places no orders')
    default:
      return effect.step satisfies never
  }
}

function applyHeld(locked: LockedCart, effect: EffectRow, object: RailObject): void {
  const { ctx } = locked
  settle(locked, effect, 'done', { kind: 'held', reference: object.reference })
  const hold: HoldRow = {
    cart_id: locked.cartId,
    attempt: effect.attempt,
    intent_id: locked.intent.id,
    kind: effect.step === 'authorize' ? 'authorization' : 'credential',
    reference: object.reference,
    amount: object.amount,
    captured_amount: object.status === 'claimed' ? 0n : object.capturedAmount,
    refunded_amount: 0n,
    capture_reference: object.captureReference,
    currency: object.currency,
    ...standingOf(object, ctx.now),
    vault_record: object.record ?? null,
    expires_at: new Date(effect.request.expires_at ?? ctx.now),
    created_at: ctx.now,
    updated_at: ctx.now,
  }
  locked.addHold(hold)
  followHold(locked, hold)
  if (isRunning(locked, effect)) locked.change({}, 'cart.payment_authorized')
}

async function applyCaptured(locked: LockedCart, effect: EffectRow, object: RailObject): Promise<void> {
  const { captureReference } = object
  settle(locked, effect, 'done', {
    kind: 'captured',
    amount: Number(object.capturedAmount),
    captureReference,
  })
  const hold = locked.hold(effect.attempt)
  if (hold) locked.changeHold(hold, captureOf(object))
  // Once the cart is over, a capture is not its charge: it is refunded.
  if (isRunning(locked, effect)) {
    locked.change(
      { actual_amount: object.capturedAmount, transaction_id: captureReference },
      'cart.payment_captured',
    )
  }
  const order = orderOf(locked, effect.attempt)
  if (order !== null) await markOrderPaid(locked.ctx, order, 'captured')
}

async function applyLetGo(locked: LockedCart, effect: EffectRow, object: RailObject): Promise<void> {
  settle(locked, effect, 'done', { kind: 'let_go' })
  const hold = locked.hold(effect.attempt)
  if (hold && (object.status === 'captured' || object.status === 'refunded')) {
    locked.changeHold(hold, takenOf(locked, hold, object))
    return await correctCharge(locked, hold, { object, news: [] })
  }
  // The merchant was first: what it has authorized stands, and nobody can authorize any more.
  // guard revoked-after-the-merchant: a revoke that comes after the merchant has authorized releases nothing
  if (hold && object.status === 'claimed') {
    noteClaim(locked, hold, object)
    return await correctCharge(locked, hold, { object, news: [] })
  }
  if (hold) locked.changeHold(hold, { status: locked.ctx.now >= hold.expires_at ? 'expired' : 'voided' })
  const order = orderOf(locked, effect.attempt)
  // Where a capture was tried, its failure has already marked the order as failed; it is not marked as voided as well.
  if (order !== null && locked.effect('capture', effect.attempt) === null)
    await markOrderPaid(locked.ctx, order, 'voided')
}

/** An order is never confirmed and unpaid: when its cart ends without the capture that was begun, it is cancelled. */
export async function failUnpaidOrder(locked: LockedCart): Promise<void> {
  const attempt = locked.cart.attempt_number
  const order = orderOf(locked, attempt)
  const capture = locked.effect('capture', attempt)
  // guard unpaid-order-is-cancelled: an order whose capture failed for good is cancelled, and its merchant sees it
  if (order !== null && capture !== null && capture.state !== 'done')
    await markOrderPaid(locked.ctx, order, 'failed')
}

function applyRefunded(locked: LockedCart, effect: EffectRow, object: RailObject): void {
  settle(locked, effect, 'done', {
    kind: 'refunded',
    reference: object.reference,
    amount: Number(object.amount),
  })
  const hold = locked.hold(effect.attempt)
  if (hold) locked.changeHold(hold, { status: 'refunded' })
}

export function applyPlaced(
  locked: LockedCart,
  effect: EffectRow,
  placed: Omit<PlacedOrder, 'orderRow'>,
): void {
  const wasPending = effect.answer?.kind === 'placed'
  settle(locked, effect, 'done', placedAnswer({ ...placed, orderRow: orderRowOf(effect) }))
  // From here on, questions to the rail are counted from 0 again.
  locked.changeEffect(effect, { asked: 0, asked_at: null })
  if (!isCurrent(locked, effect)) return
  if (placed.result)
    keepResult(locked.ctx, { intentId: locked.intent.id, cartId: locked.cartId }, placed.result)
  const changes = {
    order_id: placed.orderId,
    order_url: placed.orderUrl ?? null,
    transaction_id: placed.transactionId,
  }
  // An order of ours was placed with its row; its confirmation is announced with the capture.
  if (wasPending) locked.change(changes)
  else locked.change(changes, 'cart.order_placed')
}

function applyPlaceRefusal(locked: LockedCart, effect: EffectRow, refusal: PlaceRefusal): void {
  const orderRow = orderRowOf(effect)
  settle(locked, effect, 'refused', {
    kind: 'refused',
    ...refusal,
    ...(orderRow === null ? {} : { orderRow }),
  })
}

function settle(
  locked: LockedCart,
  effect: EffectRow,
  state: 'done' | 'refused',
  answer: EffectRow['answer'],
): void {
  // A release that the rail refused is tried again, and it stays known since when it has been refused.
  const put_off = state === 'done' ? null : effect.put_off
  locked.changeEffect(effect, { state, answer, settled_at: locked.ctx.now, put_off })
}

function journaled(locked: LockedCart, step: EffectStep, attempt: number): EffectRow {
  const effect = locked.effect(step, attempt)
  if (!effect) throw new Error(`an answer to a ${step} that was never journaled`)
  return effect
}

function orderOf(locked: LockedCart, attempt: number): string | null {
  const place = locked.effect('place', attempt)
  return place ? orderRowOf(place) : null
}

/** The journal keeps the id of our order, however the order ends. */
function orderRowOf(effect: EffectRow): string | null {
  return effect.answer !== null && 'orderRow' in effect.answer ? (effect.answer.orderRow ?? null) : null
}
