import { correctReservation } from '../../policies/public.ts'
import { followStrangerPayment } from '../../trade/orders/public.ts'
import { isSettled } from '../intents/public.ts'
import { costOf, type HoldRow } from './journal.ts'
import type { LockedCart } from './locked-cart.ts'

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

/** A cart that was bought costs what its merchant has captured in the end, and so do the policies' windows. */
export async function correctCharge(locked: LockedCart, hold: HoldRow): Promise<void> {
  const { cart, ctx, intent } = locked
  if (cart.status !== 'succeeded' || hold.kind !== 'credential' || hold.attempt !== cart.attempt_number)
    return
  await followPayment(locked, hold)
  const actual_amount = costOf(hold)
  const transaction_id = cart.transaction_id ?? hold.capture_reference
  if (actual_amount === cart.actual_amount && transaction_id === cart.transaction_id) return
  locked.change({ actual_amount, transaction_id }, 'cart.payment_captured')
  locked.isCorrected = true
  // Until the purchase has ended, nothing is settled; afterwards every cart was settled with what it cost then.
  if (!isSettled(locked.loaded)) return
  const by = actual_amount - cart.actual_amount
  locked.changeIntent({ settled_amount: intent.settled_amount + by })
  await correctReservation(ctx, { intentId: intent.id, by })
}

async function followPayment({ ctx, cart }: LockedCart, { status }: HoldRow): Promise<void> {
  if (cart.order_row_id === null || status === 'authorized') return
  await followStrangerPayment(
    ctx,
    cart.order_row_id,
    status === 'captured' || status === 'refunded' ? status : 'voided',
  )
}
