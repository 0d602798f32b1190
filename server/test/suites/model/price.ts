import { endTerms, finish } from './ending.ts'
import {
  canCancel,
  chargedOf,
  isOver,
  isUnknown,
  type Model,
  type ModelCart,
  type ModelIntent,
  minute,
  sum,
} from './model.ts'
import { moveCart, moveIntent } from './moves.ts'
import { judge, release, settle } from './policies.ts'

/** A price beyond the tolerance asks a person, where the limits leave room for it. */
export function askAboutPrice(
  model: Model,
  intent: ModelIntent,
  cart: ModelCart,
  fail: (why: string) => void,
): void {
  if (intent.status !== 'approved' && intent.status !== 'queued') return
  const units = cart.offer?.units ?? []
  const cartExpected = sum(cart.items.map(({ quantity }, index) => quantity * (units[index] ?? 0)))
  const expected = intent.expected - cart.expected + cartExpected
  const ceiling = intent.callerMax ?? 1e12
  if (expected > ceiling) {
    fail('max_amount_exceeded')
    return
  }
  const verdict = judge(
    model,
    {
      ...intent,
      method: intent.method?.isDeleted ? null : intent.method,
      shops: intent.items.map(({ shop }) => shop),
      expected,
      cap: ceiling,
      charged: 0,
    },
    { occasion: 'reprice', stepUp: true, without: intent },
  )
  if (verdict.result === 'deny') {
    fail('policy_denied')
    return
  }
  const others = sum(
    intent.carts.filter((one) => one !== cart && one.status !== 'cancelled').map(({ cap }) => cap),
  )
  const cartTax = cart.expected === 0 ? cart.tax : Math.floor((cart.tax * cartExpected) / cart.expected)
  const wanted = cartExpected + cart.fee + cartTax + Math.floor((cartExpected * cart.tolerance) / 100)
  const cartCap = Math.min(wanted, verdict.cap - others)
  if (cartCap < cartExpected || cartCap < (cart.offer?.total ?? 0)) {
    fail('max_amount_exceeded')
    return
  }
  moveIntent(model, intent, 'price_beyond_tolerance')
  intent.events.push('purchase_intent.reapproval_required')
  intent.isRequired = true
  intent.approvalExpires = model.now + verdict.minutes * minute
  intent.nextAction = 'reapprove_price'
  intent.question = {
    cart,
    cartExpected,
    cartTax,
    cartCap,
    expected,
    tax: intent.tax - cart.tax + cartTax,
    cap: others + cartCap,
  }
}

export function isApprovalOver(model: Model, intent: ModelIntent): boolean {
  return intent.approvalExpires !== null && model.now >= intent.approvalExpires
}

export function expireApproval(model: Model, intent: ModelIntent): void {
  if (intent.status !== 'awaiting_approval' || !isApprovalOver(model, intent)) return
  refuse(model, intent, 'approval_expired')
}

/** A person declines, or does not answer, the purchase or the new price of one of its carts. */
export function refuse(model: Model, intent: ModelIntent, why: 'approval_expired' | null): void {
  const trigger = why === null ? 'refuse' : 'approval_expired'
  if (intent.question) {
    refusePrice(model, intent, intent.question.cart, why)
    return
  }
  if (intent.retry) {
    moveIntent(model, intent, why === null ? 'retry_refused' : 'retry_expired')
    intent.method = intent.retry.methodBefore
    intent.retry = null
    endTerms(model, intent)
    intent.events.push('purchase_intent.failed')
    return
  }
  moveIntent(model, intent, trigger)
  release(model, intent)
  intent.failure = why
  intent.nextAction = null
  intent.events.push('purchase_intent.declined')
}

function refusePrice(
  model: Model,
  intent: ModelIntent,
  cart: ModelCart,
  why: 'approval_expired' | null,
): void {
  const others = intent.carts.filter((one) => one !== cart && !isOver(one.status))
  const isBought = intent.carts.some(({ status }) => status === 'succeeded')
  const isOpen = intent.carts.some(isUnknown)
  const goesOn = others.some((one) => !canCancel(one) || isAnswered(one))
  const failure = why ?? 'price_changed'
  moveCart(model, cart, 'fail')
  cart.failure = failure
  cart.isCleanup = true
  intent.events.push('cart.failed')
  intent.question = null
  intent.nextAction = null
  intent.approvalExpires = null
  if (goesOn) {
    // The carts that could be stopped have been stopped all the same.
    stopCarts(
      model,
      intent,
      others.filter((one) => !isAnswered(one)),
    )
    moveIntent(model, intent, 'price_question_closed')
    intent.events.push('purchase_intent.approved')
    finish(model, intent)
    return
  }
  stopCarts(model, intent, others)
  const wasCharged = isBought || isOpen
  const after = why === null ? 'refuse' : 'approval_expired'
  moveIntent(model, intent, wasCharged ? `${after}_after_charge` : after)
  intent.failure = failure
  intent.isPartial = isBought
  intent.nextAction = isOpen ? 'resolve_unknown_outcome' : null
  if (!isOpen && isBought) {
    settle(model, intent, chargedOf(intent) - intent.settled)
    intent.settled = chargedOf(intent)
  } else if (!isOpen) release(model, intent)
  intent.events.push(`purchase_intent.${intent.status}`)
}

/** The merchant has confirmed or rejected, and no worker has read that yet. */
export function isAnswered({ order }: ModelCart): boolean {
  return order !== null && order.status !== 'awaiting_confirmation' && order.status !== 'cancelled'
}

/** Cancels carts, and the orders that they wait for. */
export function stopCarts(model: Model, intent: ModelIntent, carts: readonly ModelCart[]): void {
  for (const cart of carts) {
    const { order } = cart
    if (order?.status === 'awaiting_confirmation') {
      model.coverage.moved('order', order.status, 'cancel')
      order.status = 'cancelled'
    }
    moveCart(model, cart, 'cancel')
    cart.isCleanup = true
    intent.events.push('cart.cancelled')
  }
}
