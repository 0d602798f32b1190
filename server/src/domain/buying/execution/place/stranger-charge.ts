import { isSettled } from '../../intents/public.ts'
import type { NewRefund, RailNews } from '../../rail-movements/public.ts'
import type { RailObject } from '../../rails/public.ts'
import {
  type CartState,
  changeCart,
  changeHold,
  changeIntent,
  holdOf,
  isCharge,
  withWrite,
} from '../cart-state.ts'
import { fundingOf } from '../funding/funding.ts'
import { captureOf, costOf, type HoldRow } from '../journal.ts'
import { isAtStranger, noteRefunds } from './note-refunds.ts'

/** A cart at a stranger succeeds because it was charged: what was captured, or what is authorized and may still change. */
export function noteCharge(state: CartState): CartState {
  const hold = holdOf(state)
  if (!hold) throw new Error('a cart was charged for which nothing was held')
  const actual_amount = costOf(hold)
  if (actual_amount === state.cart.actual_amount) return state
  const transaction_id = state.cart.transaction_id ?? hold.capture_reference
  return hold.status === 'captured'
    ? changeCart(state, { actual_amount, transaction_id }, 'cart.payment_captured')
    : changeCart(state, { actual_amount })
}

/** Its merchant has authorized, and may capture or release it in parts. */
export function noteClaim(state: CartState, hold: HoldRow, { claimedAmount }: RailObject): CartState {
  const claimed_amount = claimedAmount ?? hold.claimed_amount
  if (hold.claimed_at !== null && hold.claimed_amount === claimed_amount) return state
  return changeHold(state, hold.attempt, { claimed_at: hold.claimed_at ?? state.now, claimed_amount })
}

/**
 * A shop can take more of a card than it was allowed, without asking. That is noted apart, as far as it is not given back: the cart costs
 * what was approved, and once the money behind a card is captured, no more than that.
 */
export function withinLimit(
  state: CartState,
  attempt: number,
  object: RailObject,
): { readonly state: CartState; readonly object: RailObject } {
  const hold = holdOf(state, attempt)
  if (hold === null) return { state, object }
  const { capturedAmount: captured, claimedAmount: claimed, refundedAmount: refunded = 0n } = object
  const limit = fundingOf(state, attempt)?.status === 'captured' ? costOf(hold) : hold.amount
  // guard beyond-the-limit-is-ours: what a shop takes beyond its card's limit is not its buyer's
  const over = captured > limit ? captured - limit : 0n
  const isClaimed = claimed !== undefined && claimed !== null && claimed > limit
  const beyond = over > refunded ? over - refunded : 0n
  const noted = beyond === hold.beyond_limit ? state : changeHold(state, attempt, { beyond_limit: beyond })
  if (over === 0n && !isClaimed) return { state: noted, object }
  const refundedAmount = refunded > over ? refunded - over : 0n
  const within = { ...object, capturedAmount: captured - over, refundedAmount }
  return { state: noted, object: isClaimed ? { ...within, claimedAmount: limit } : within }
}

/**
 * The columns of a hold whose money was taken. What a stranger has given back was its charge nevertheless, and is a refund of it; what was
 * taken without a purchase and given back was no charge.
 */
export function takenOf(state: CartState, hold: HoldRow, object: RailObject): Partial<HoldRow> {
  const isRefunded = object.status === 'refunded' && !(isCharge(state, hold) && isAtStranger(state.cart))
  return { ...captureOf(object), status: isRefunded ? 'refunded' : 'captured' }
}

/** What the rail said of a hold, where the hold is applied already, and the movements that were known before it said so. */
type Told = { readonly object: RailObject; readonly news: readonly RailNews[] }

/** A cart that was bought costs what its merchant has captured in the end, and so do the policies' windows. A refund changes neither. */
export function correctCharge(before: CartState, attempt: number, told: Told): CartState {
  const { cart, intent } = before
  const hold = holdOf(before, attempt)
  if (hold?.kind !== 'credential' || cart.status !== 'succeeded' || attempt !== cart.attempt_number)
    return before
  const noted = isAtStranger(cart) ? noteRefunds(before, hold, told) : { state: before, refunds: [] }
  const state = followPayment(noted.state, attempt, noted.refunds)
  const actual_amount = costOf(hold)
  const transaction_id = cart.transaction_id ?? hold.capture_reference
  if (actual_amount === cart.actual_amount && transaction_id === cart.transaction_id) return state
  const type = hold.status === 'authorized' ? 'cart.payment_authorized' : 'cart.payment_captured'
  const corrected = { ...changeCart(state, { actual_amount, transaction_id }, type), isCorrected: true }
  // Until the purchase has ended, nothing is settled; afterwards every cart was settled with what it cost then.
  if (!isSettled({ intent, carts: [cart, ...before.others] })) return corrected
  const by = actual_amount - cart.actual_amount
  const settled = changeIntent(corrected, { settled_amount: intent.settled_amount + by })
  return withWrite(settled, { kind: 'correct_reservation', by })
}

function followPayment(state: CartState, attempt: number, refunds: readonly NewRefund[]): CartState {
  const { order_row_id: orderId } = state.cart
  const hold = holdOf(state, attempt)
  if (orderId === null || hold === null) return state
  const standing = hold.status === 'authorized' || hold.status === 'captured' ? hold.status : 'voided'
  const isRefundedWhole = hold.refunded_amount === hold.captured_amount
  return withWrite(state, { kind: 'stranger_payment', orderId, standing, isRefundedWhole, refunds })
}
