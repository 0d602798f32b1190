import { markOrderPaid } from '../../trade/orders/public.ts'
import { applyReading } from './apply-reading.ts'
import type { Bench } from './bench.ts'
import type { EffectStep } from './cart-facts.ts'
import { isCurrent, isRunning } from './current-attempt.ts'
import { captureOf, type EffectRow, placedAnswer } from './journal.ts'
import type {
  NotNow,
  PlaceAnswer,
  Placed,
  PlaceRefusal,
  PlaceRemembered,
  RailAnswer,
  RailMemory,
  RailObject,
  RailReading,
  RailRefusal,
} from './port.ts'
import { putOffBy } from './put-off-by.ts'
import { timing } from './timing.ts'

/** What an outbound call brought home, to be applied under the locks. */
export type Landed =
  | { readonly kind: 'rail'; readonly step: RailStep; readonly attempt: number; readonly answer: RailAnswer }
  | {
      readonly kind: 'rail_remembered'
      readonly step: RailStep
      readonly attempt: number
      readonly answer: RailMemory
    }
  | { readonly kind: 'place'; readonly attempt: number; readonly answer: PlaceAnswer }
  | { readonly kind: 'place_remembered'; readonly attempt: number; readonly answer: PlaceRemembered }
  | { readonly kind: 'verified'; readonly attempt: number; readonly answer: RailReading }

export type RailStep = Exclude<EffectStep, 'place'>

export async function applyLanded(bench: Bench, landed: Landed): Promise<void> {
  switch (landed.kind) {
    case 'rail':
      return await applyRail(bench, journaled(bench, landed.step, landed.attempt), landed.answer)
    case 'rail_remembered':
      return await applyRailMemory(bench, journaled(bench, landed.step, landed.attempt), landed.answer)
    case 'place':
      return applyPlace(bench, journaled(bench, 'place', landed.attempt), landed.answer)
    case 'place_remembered':
      return applyPlaceMemory(bench, journaled(bench, 'place', landed.attempt), landed.answer)
    case 'verified':
      return await applyReading(bench, landed.attempt, landed.answer)
    default:
      landed satisfies never
      // An answer that falls on the floor costs asking again, and shows nowhere.
      throw new Error('an answer of no known kind')
  }
}

/** Nothing came of it, and nothing can any more; or a person has said what came of it, and nobody is asked further. */
export function settleClosed(bench: Bench, effect: EffectRow): void {
  const { status, order_id: orderId, transaction_id: transactionId } = bench.cart
  if (effect.step === 'place' && isCurrent(bench, effect) && status === 'succeeded') {
    settle(bench, effect, 'done', { kind: 'placed', orderRow: orderRowOf(effect), orderId, transactionId })
    return
  }
  bench.changeEffect(effect, { state: 'closed', settled_at: bench.act.now, put_off: null })
}

async function applyRail(bench: Bench, effect: EffectRow, answer: RailAnswer): Promise<void> {
  switch (answer.kind) {
    case 'not_sent':
      return applyNotSent(bench, effect)
    case 'not_now':
      return applyNotNow(bench, effect, answer)
    case 'unknown':
      return applyUnknown(bench, effect)
    case 'refused':
      return await applyRailRefusal(bench, effect, answer.refusal)
    case 'done':
      return await applyRailDone(bench, effect, answer.value)
    default:
      return answer satisfies never
  }
}

async function applyRailMemory(bench: Bench, effect: EffectRow, answer: RailMemory): Promise<void> {
  switch (answer.kind) {
    case 'done':
      return await applyRailDone(bench, effect, answer.value)
    case 'refused':
      return await applyRailRefusal(bench, effect, answer.refusal)
    case 'pending':
    case 'not_found':
    case 'closed':
      return applyHeard(bench, effect, answer.kind)
    case 'not_now':
      return applyNoReply(bench, effect, answer)
    case 'unknown':
      return applyHeard(bench, effect, 'nothing')
    default:
      return answer satisfies never
  }
}

function applyPlace(bench: Bench, effect: EffectRow, answer: PlaceAnswer): void {
  switch (answer.kind) {
    case 'not_sent':
      applyNotSent(bench, effect)
      return
    case 'not_now':
      applyNotNow(bench, effect, answer)
      return
    case 'unknown':
      applyUnknown(bench, effect)
      return
    case 'pending':
      applyUnknown(bench, effect)
      applyHeard(bench, effect, 'pending')
      return
    case 'refused':
      applyPlaceRefusal(bench, effect, answer.refusal)
      return
    case 'done':
      applyPlaced(bench, effect, answer.value)
      return
    default:
      answer satisfies never
  }
}

export function applyPlaceMemory(bench: Bench, effect: EffectRow, answer: PlaceRemembered): void {
  switch (answer.kind) {
    case 'done':
      applyPlaced(bench, effect, answer.value)
      return
    case 'refused':
      applyPlaceRefusal(bench, effect, answer.refusal)
      return
    case 'pending':
    case 'not_found':
    case 'closed':
      applyHeard(bench, effect, answer.kind)
      return
    case 'not_now':
      applyNoReply(bench, effect, answer)
      return
    case 'unknown':
      applyHeard(bench, effect, 'nothing')
      return
    default:
      answer satisfies never
  }
}

/** Whether an earlier sending of it may have left is remembered: then this one's failure proves nothing. */
function applyNotSent(bench: Bench, effect: EffectRow): void {
  if (effect.may_have_left) {
    applyUnknown(bench, effect)
    return
  }
  bench.changeEffect(effect, { state: 'unsent' })
  if (effect.step === 'place' && isCurrent(bench, effect)) bench.change({ past_no_return: false })
}

/**
 * The callee did nothing: what was journaled is as good as not sent, and does not use up a try. Never more than that: an earlier sending
 * may have left, and only asking tells.
 */
function applyNotNow(bench: Bench, effect: EffectRow, answer: NotNow): void {
  const put_off = putOffBy(bench, effect, answer)
  applyNotSent(bench, effect)
  bench.changeEffect(effect, { tries: Math.max(0, effect.tries - 1), put_off })
}

/** Nobody answered the question about it. */
function applyNoReply(bench: Bench, effect: EffectRow, answer: NotNow): void {
  applyHeard(bench, effect, 'nothing')
  bench.changeEffect(effect, { put_off: putOffBy(bench, effect, answer) })
}

function applyUnknown(bench: Bench, effect: EffectRow): void {
  // The call has ended here; what is left of it travels at most as long as the longest call.
  const over = effect.sent_at.getTime() + timing.longestCallMs + timing.marginMs
  bench.changeEffect(effect, {
    state: 'unknown',
    may_have_left: true,
    heard: null,
    not_before: new Date(over),
    put_off: null,
  })
}

function applyHeard(bench: Bench, effect: EffectRow, heard: NonNullable<EffectRow['heard']>): void {
  const { now } = bench.act
  bench.changeEffect(effect, {
    state: 'unknown',
    may_have_left: true,
    heard,
    asked: effect.asked + 1,
    asked_at: now,
  })
}

async function applyRailRefusal(bench: Bench, effect: EffectRow, refusal: RailRefusal): Promise<void> {
  settle(bench, effect, 'refused', { kind: 'refused', ...refusal, message: null })
  const order = orderOf(bench, effect.attempt)
  if (effect.step === 'capture' && order !== null) await markOrderPaid(bench.act, order, 'failed')
}

async function applyRailDone(bench: Bench, effect: EffectRow, object: RailObject): Promise<void> {
  switch (effect.step) {
    case 'authorize':
    case 'issue_credential':
      return applyHeld(bench, effect, object)
    case 'capture':
      return await applyCaptured(bench, effect, object)
    case 'void':
    case 'revoke':
      return await applyLetGo(bench, effect)
    case 'refund':
      return applyRefunded(bench, effect, object)
    case 'place':
      throw new Error('the rail places no orders')
    default:
      return effect.step satisfies never
  }
}

function applyHeld(bench: Bench, effect: EffectRow, object: RailObject): void {
  const { act } = bench
  settle(bench, effect, 'done', { kind: 'held', reference: object.reference })
  bench.addHold({
    cart_id: bench.cartId,
    attempt: effect.attempt,
    intent_id: bench.intent.id,
    kind: effect.step === 'authorize' ? 'authorization' : 'credential',
    reference: object.reference,
    amount: object.amount,
    captured_amount: object.capturedAmount,
    capture_reference: object.captureReference,
    currency: object.currency,
    status: object.status === 'declined' ? 'voided' : object.status,
    expires_at: new Date(effect.request.expires_at ?? act.now),
    created_at: act.now,
    updated_at: act.now,
  })
  if (isRunning(bench, effect)) bench.change({}, 'cart.payment_authorized')
}

async function applyCaptured(bench: Bench, effect: EffectRow, object: RailObject): Promise<void> {
  const { captureReference } = object
  settle(bench, effect, 'done', { kind: 'captured', amount: Number(object.capturedAmount), captureReference })
  const hold = bench.hold(effect.attempt)
  if (hold) bench.changeHold(hold, captureOf(object))
  // Of a cart that is over it is no charge: it goes back.
  if (isRunning(bench, effect)) {
    bench.change(
      { actual_amount: object.capturedAmount, transaction_id: captureReference },
      'cart.payment_captured',
    )
  }
  const order = orderOf(bench, effect.attempt)
  if (order !== null) await markOrderPaid(bench.act, order, 'captured')
}

async function applyLetGo(bench: Bench, effect: EffectRow): Promise<void> {
  settle(bench, effect, 'done', { kind: 'let_go' })
  const hold = bench.hold(effect.attempt)
  if (hold) bench.changeHold(hold, { status: bench.act.now >= hold.expires_at ? 'expired' : 'voided' })
  const order = orderOf(bench, effect.attempt)
  // The merchant of an order whose capture came to nothing has been told so, and not that it was voided.
  if (order !== null && bench.effect('capture', effect.attempt) === null)
    await markOrderPaid(bench.act, order, 'voided')
}

/** An order is never confirmed and unpaid: when its cart ends without the capture that was begun, it is cancelled. */
export async function failUnpaidOrder(bench: Bench): Promise<void> {
  const attempt = bench.cart.attempt_number
  const order = orderOf(bench, attempt)
  const capture = bench.effect('capture', attempt)
  if (order !== null && capture !== null && capture.state !== 'done')
    await markOrderPaid(bench.act, order, 'failed')
}

function applyRefunded(bench: Bench, effect: EffectRow, object: RailObject): void {
  settle(bench, effect, 'done', {
    kind: 'refunded',
    reference: object.reference,
    amount: Number(object.amount),
  })
  const hold = bench.hold(effect.attempt)
  if (hold) bench.changeHold(hold, { status: 'refunded' })
}

function applyPlaced(bench: Bench, effect: EffectRow, placed: Placed): void {
  const wasPending = effect.answer?.kind === 'placed'
  settle(bench, effect, 'done', placedAnswer({ ...placed, orderRow: placed.orderRow ?? orderRowOf(effect) }))
  // Asking the rail starts from here.
  bench.changeEffect(effect, { asked: 0, asked_at: null })
  if (!isCurrent(bench, effect)) return
  const changes = { order_id: placed.orderId, transaction_id: placed.transactionId }
  // An order of ours was placed with its row; its confirmation shows with the capture.
  if (wasPending) bench.change(changes)
  else bench.change(changes, 'cart.order_placed')
}

function applyPlaceRefusal(bench: Bench, effect: EffectRow, refusal: PlaceRefusal): void {
  const orderRow = orderRowOf(effect)
  settle(bench, effect, 'refused', {
    kind: 'refused',
    ...refusal,
    ...(orderRow === null ? {} : { orderRow }),
  })
}

function settle(
  bench: Bench,
  effect: EffectRow,
  state: 'done' | 'refused',
  answer: EffectRow['answer'],
): void {
  // What the rail refused to release is tried again: how long that has been going on stays known.
  const put_off = state === 'done' ? null : effect.put_off
  bench.changeEffect(effect, { state, answer, settled_at: bench.act.now, put_off })
}

function journaled(bench: Bench, step: EffectStep, attempt: number): EffectRow {
  const effect = bench.effect(step, attempt)
  if (!effect) throw new Error(`an answer to a ${step} that was never journaled`)
  return effect
}

function orderOf(bench: Bench, attempt: number): string | null {
  const place = bench.effect('place', attempt)
  return place ? orderRowOf(place) : null
}

/** Our order stays named in the journal, whatever became of it. */
function orderRowOf(effect: EffectRow): string | null {
  return effect.answer !== null && 'orderRow' in effect.answer ? (effect.answer.orderRow ?? null) : null
}
