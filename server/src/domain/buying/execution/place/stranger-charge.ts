import { correctReservation } from '../../../policies/public.ts'
import { followStrangerPayment } from '../../../trade/orders/public.ts'
import { isSettled } from '../../intents/public.ts'
import { captureOf, costOf, type HoldRow } from '../journal.ts'
import type { LockedCart } from '../locked-cart.ts'
import type { NewRefund } from '../movements/decide-refunds.ts'
import type { NewsRow } from '../movements/movements.sql.ts'
import { isAtStranger, noteRefunds } from '../movements/note-refunds.ts'
import type { RailObject } from '../rail/port.ts'

/** A cart at a stranger succeeds because it was charged: what was captured, or what is authorized and may still change. */
export function noteCharge(locked: LockedCart): void {
  const hold = locked.hold(locked.cart.attempt_number)
  if (!hold) throw new Error('a cart was charged for which nothing was held')
  const actual_amount = costOf(hold)
  if (actual_amount === locked.cart.actual_amount) return
  const transaction_id = locked.cart.transaction_id ?? hold.capture_reference
  if (hold.status === 'captured') locked.change({ actual_amount, transaction_id }, 'cart.payment_captured')
  else locked.change({ actual_amount })
}

/** Its merchant has authorized, and may capture or release it in parts. */
export function noteClaim(locked: LockedCart, hold: HoldRow, { claimedAmount }: RailObject): void {
  const claimed_amount = claimedAmount ?? hold.claimed_amount
  if (hold.claimed_at !== null && hold.claimed_amount === claimed_amount) return
  locked.changeHold(hold, { claimed_at: hold.claimed_at ?? locked.ctx.now, claimed_amount })
}

/**
 * The columns of a hold whose money was taken. What a stranger has given back was its charge nevertheless, and is a refund of it; what was
 * taken without a purchase and given back was no charge.
 */
export function takenOf(locked: LockedCart, hold: HoldRow, object: RailObject): Partial<HoldRow> {
  const { cart } = locked
  const isCharge =
    hold.attempt === cart.attempt_number && cart.status !== 'failed' && cart.status !== 'cancelled'
  const isRefunded = object.status === 'refunded' && !(isCharge && isAtStranger(cart))
  return { ...captureOf(object), status: isRefunded ? 'refunded' : 'captured' }
}

/** What the rail said of a hold, where the hold is applied already, and the movements that were known before it said so. */
type Told = { readonly object: RailObject; readonly news: readonly NewsRow[] }

/** A cart that was bought costs what its merchant has captured in the end, and so do the policies' windows. A refund changes neither. */
export async function correctCharge(locked: LockedCart, hold: HoldRow, told: Told): Promise<void> {
  const { cart, ctx, intent } = locked
  if (cart.status !== 'succeeded' || hold.kind !== 'credential' || hold.attempt !== cart.attempt_number)
    return
  const refunds = isAtStranger(cart) ? noteRefunds(locked, hold, told) : []
  await followPayment(locked, hold, refunds)
  const actual_amount = costOf(hold)
  const transaction_id = cart.transaction_id ?? hold.capture_reference
  if (actual_amount === cart.actual_amount && transaction_id === cart.transaction_id) return
  const type = hold.status === 'authorized' ? 'cart.payment_authorized' : 'cart.payment_captured'
  locked.change({ actual_amount, transaction_id }, type)
  locked.isCorrected = true
  // Until the purchase has ended, nothing is settled; afterwards every cart was settled with what it cost then.
  if (!isSettled(locked.loaded)) return
  const by = actual_amount - cart.actual_amount
  locked.changeIntent({ settled_amount: intent.settled_amount + by })
  await correctReservation(ctx, { intentId: intent.id, by })
}

async function followPayment(
  { ctx, cart }: LockedCart,
  { status, captured_amount, refunded_amount }: HoldRow,
  refunds: readonly NewRefund[],
): Promise<void> {
  if (cart.order_row_id === null) return
  const standing = status === 'authorized' || status === 'captured' ? status : 'voided'
  const isWhole = refunded_amount === captured_amount
  await followStrangerPayment(ctx, cart.order_row_id, { standing, isRefundedWhole: isWhole, refunds })
}
