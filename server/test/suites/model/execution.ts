import { finish } from './ending.ts'
import {
  channelOf,
  day,
  hour,
  isFrozenFor,
  isNative,
  isOver,
  isSoldByAnother,
  isStranger,
  isUnknown,
  type Model,
  type ModelCart,
  type ModelIntent,
  sellerOf,
  sum,
} from './model.ts'
import { leaveSignIn, makeCarts, moveCart, moveIntent } from './moves.ts'
import { decideWithAddress } from './predict-address.ts'
import { askAboutPrice, expireApproval } from './price.ts'
import { offeredBy, type Scenario, scenarioOf } from './scenarios.ts'

/**
 * The result of a quarter of an hour of work. Everything that a worker tries again, asks about or gives up on is over by then. Work that is
 * left waits for a merchant, a person, the end of a freeze, or a day.
 */
export function workOn(model: Model): void {
  for (const intent of model.intents) {
    intent.hasLeftSignIn = false
    expireApproval(model, intent)
    decideWithAddress(model, intent)
    if ((intent.status === 'approved' || intent.status === 'queued') && intent.carts.length === 0)
      makeCarts(model, intent)
  }
  // Carts run before orders expire, and the work that follows from those comes after.
  for (let round = 0; round < 3; round++) {
    for (const intent of model.intents) for (const cart of intent.carts) runCart(model, intent, cart)
    for (const { order } of model.intents.flatMap(({ carts }) => carts)) {
      if (order && order.status === 'awaiting_confirmation' && model.now >= order.expires) {
        model.coverage.moved('order', order.status, 'expire')
        order.status = 'expired'
      }
    }
  }
}

function runCart(model: Model, intent: ModelIntent, cart: ModelCart): void {
  if (isUnknown(cart)) return
  if (isOver(cart.status)) {
    cleanUp(model, cart)
    return
  }
  if (cart.order) {
    followOrder(model, intent, cart)
    return
  }
  if (!mayBuy(intent, cart)) return
  if (cart.status === 'awaiting_merchant_auth') {
    if (model.now >= (cart.signInUntil ?? 0)) failCart(model, intent, cart, 'merchant_auth_failed')
    return
  }
  if (isFrozenFor(model, intent)) return
  buy(model, intent, cart)
}

/** Other carts run on while one waits for a person. */
function mayBuy(intent: ModelIntent, cart: ModelCart): boolean {
  if (intent.status === 'awaiting_approval') return intent.question !== null && intent.question.cart !== cart
  return ['approved', 'queued', 'awaiting_merchant_auth'].includes(intent.status)
}

/** Held money is released, and money that was charged for no order is refunded. */
function cleanUp(model: Model, cart: ModelCart): void {
  cart.isCleanup = false
  if (cart.status !== 'succeeded') cart.charged = 0
  const { order } = cart
  if (!order || cart.status === 'succeeded' || order.payment !== 'authorized') return
  settleOrder(model, cart, 'voided')
}

function buy(model: Model, intent: ModelIntent, cart: ModelCart): void {
  const scenario = isNative(cart.shop) ? 'ok' : scenarioOf(cart.items, cart.attempt)
  const isFirst = cart.status === 'created'
  if (isFirst) intent.events.push('cart.started')
  const start = () => void (isFirst && moveCart(model, cart, 'start'))
  if (scenario === 'silent') {
    start()
    failCart(model, intent, cart, 'merchant_unavailable')
    return
  }
  const refusal = scenario === 'out_of_stock' ? 'product_out_of_stock' : refusedBySeller(model, cart)
  if (refusal !== null) {
    failCart(model, intent, cart, refusal)
    return
  }
  start()
  if (scenario === 'sign_in') {
    stopAtSignIn(model, intent, cart)
    return
  }
  cart.offer = offerOf(model, cart)
  intent.events.push('cart.offer_updated')
  const { subtotal, total } = cart.offer
  const fee = feeOf(cart)
  if (subtotal > cart.expected + Math.floor((cart.expected * cart.tolerance) / 100)) {
    // A cart that is refused at once is never seen running.
    if (intent.onExceed === 'fail') {
      failCart(model, intent, cart, 'price_changed')
      return
    }
    askAboutPrice(model, intent, cart, (why) => failCart(model, intent, cart, why))
    return
  }
  if (fee > cart.fee) {
    failCart(model, intent, cart, 'fulfillment_fee_exceeded')
    return
  }
  if (total > cart.cap) {
    failCart(model, intent, cart, 'max_amount_exceeded')
    return
  }
  pay(model, intent, cart, scenario)
}

function pay(model: Model, intent: ModelIntent, cart: ModelCart, scenario: Scenario): void {
  const method = intent.method
  if (!method || method.isDeleted) {
    failCart(model, intent, cart, 'payment_method_required')
    return
  }
  if (method.card === 'visa_issuer_declined') {
    failCart(model, intent, cart, 'payment_declined')
    return
  }
  intent.events.push('cart.payment_authorized')
  if (isNative(cart.shop)) {
    intent.events.push('cart.order_placed')
    cart.order = {
      id: '',
      status: 'awaiting_confirmation',
      payment: 'authorized',
      expires: model.now + day,
      answer: null,
      total: cart.offer?.total ?? 0,
      refunds: [],
    }
    return
  }
  switch (seenOf(cart.shop, scenario)) {
    case 'rejected':
      failCart(model, intent, cart, 'order_rejected_by_merchant')
      return
    case 'stuck':
    case 'lost_not_placed':
    case 'mute_uncharged':
      failCart(model, intent, cart, 'merchant_unavailable')
      return
    case 'mute_charged':
      // What a stranger has charged was bought, though it never says so.
      if (isStranger(cart.shop)) {
        succeed(model, intent, cart)
        return
      }
      cart.charged = cart.offer?.total ?? 0
      cart.isKnown = false
      failCart(model, intent, cart, 'outcome_unknown')
      return
    default:
      intent.events.push('cart.order_placed')
      if (channelOf(cart.shop) === 'mpp') cart.answeredAt = model.now
      succeed(model, intent, cart)
      return
  }
}

/** A page whose confirmation was not read is never asked again: whether it was charged is all that is known. */
function seenOf(shop: string, scenario: Scenario): Scenario {
  if (channelOf(shop) !== 'browser') return scenario
  if (scenario === 'late' || scenario === 'lost_placed') return 'mute_charged'
  return scenario
}

function succeed(model: Model, intent: ModelIntent, cart: ModelCart): void {
  cart.charged = cart.offer?.total ?? 0
  cart.actual = cart.charged
  intent.events.push('cart.payment_captured', 'cart.succeeded')
  moveCart(model, cart, 'succeed')
  finish(model, intent)
}

/** A merchant of ours has answered, or its order is cancelled or expired. A freeze stops none of this. */
function followOrder(model: Model, intent: ModelIntent, cart: ModelCart): void {
  const { order } = cart
  if (!order) return
  switch (order.status) {
    case 'awaiting_confirmation':
    case 'fulfilling':
    case 'completed':
      return
    case 'confirmed':
      if (!model.refusesCaptures) {
        settleOrder(model, cart, 'captured')
        succeed(model, intent, cart)
        return
      }
      settleOrder(model, cart, 'failed')
      failCart(model, intent, cart, 'payment_declined')
      return
    case 'rejected':
      settleOrder(model, cart, 'voided')
      failCart(model, intent, cart, 'order_rejected_by_merchant')
      return
    case 'expired':
      settleOrder(model, cart, 'voided')
      failCart(model, intent, cart, 'order_confirmation_timeout')
      return
    case 'cancelled':
      settleOrder(model, cart, 'voided')
      intent.events.push('cart.cancelled')
      moveCart(model, cart, 'cancel')
      finish(model, intent)
      return
    default:
      order.status satisfies never
  }
}

function settleOrder(model: Model, { order }: ModelCart, payment: 'captured' | 'voided' | 'failed'): void {
  if (!order) return
  model.coverage.moved('payment', order.payment, payment)
  order.payment = payment
  if (payment !== 'failed') return
  model.coverage.moved('order', order.status, 'fail_capture')
  order.status = 'cancelled'
}

function failCart(model: Model, intent: ModelIntent, cart: ModelCart, failure: string): void {
  cart.failure = failure
  intent.events.push('cart.failed')
  moveCart(model, cart, 'fail')
  const before = intent.status
  leaveSignIn(model, intent)
  intent.hasLeftSignIn ||= before === 'awaiting_merchant_auth' && intent.carts.length > 1
  finish(model, intent)
}

/** A merchant of ours sells only under the identity that the purchase was made with, and no more than its stock. */
function refusedBySeller(model: Model, cart: ModelCart): string | null {
  const seller = sellerOf(model, cart.shop)
  if (!seller) return null
  if (isSoldByAnother(model, cart.items)) return 'merchant_changed'
  if (seller.stock === null || seller.stock >= unitsOf(cart)) return null
  return seller.stock === 0 ? 'product_out_of_stock' : 'insufficient_stock'
}

export function unitsOf({ items }: ModelCart): number {
  return sum(items.map(({ quantity }) => quantity))
}

function stopAtSignIn(model: Model, intent: ModelIntent, cart: ModelCart): void {
  intent.events.push('cart.awaiting_merchant_auth')
  moveCart(model, cart, 'sign_in_needed')
  cart.signInUntil = model.now + 24 * hour
  if (intent.status !== 'approved' && intent.status !== 'queued') return
  intent.events.push('purchase_intent.awaiting_merchant_auth')
  moveIntent(model, intent, 'sign_in_needed')
  intent.nextAction = 'merchant_sign_in'
}

function offerOf(model: Model, cart: ModelCart): NonNullable<ModelCart['offer']> {
  const seller = sellerOf(model, cart.shop)
  if (!seller) return offeredBy(cart.items, { attempt: cart.attempt, feeAllowance: cart.fee })
  const units = cart.items.map(() => seller.price)
  const subtotal = unitsOf(cart) * seller.price
  return { units, subtotal, total: subtotal }
}

/** What shipping costs in the attempt that a cart is in. */
export function feeOf(cart: ModelCart): number {
  if (isNative(cart.shop)) return 0
  return offeredBy(cart.items, { attempt: cart.attempt, feeAllowance: cart.fee }).fee
}
