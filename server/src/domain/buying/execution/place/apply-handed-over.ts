import { applyPlaced } from '../apply-answer.ts'
import { isRunning } from '../current-attempt.ts'
import { placedAnswer } from '../journal.ts'
import type { LockedCart } from '../locked-cart.ts'
import type { Offer } from '../port.ts'
import type { OrderOfToken } from './handed-over.ts'

/** The terms of a token were decided when it was made: the total is the cap of its cart, and the merchant says nothing more about it. */
export function acceptToken(locked: LockedCart): void {
  const { cart, ctx } = locked
  const total = cart.max_allowed_amount
  const parts = { subtotal: total, fulfillment: 0n, tax: 0n, discount: 0n, total }
  if (cart.status === 'created')
    locked.change({ status: 'in_progress', started_at: cart.started_at ?? ctx.now }, 'cart.started')
  if (cart.offer === null) {
    const shown = { subtotal: Number(total), fulfillment: 0, tax: 0, discount: 0, total: Number(total) }
    locked.change({ offer: { ...shown, as_of: ctx.now.toISOString() } }, 'cart.offer_updated')
  }
  locked.change({ stage: null })
  locked.accepted = {
    ...parts,
    reference: null,
    currency: cart.currency,
    lines: cart.items.map((item): Offer['lines'][number] => ({
      itemId: item.id,
      quantity: item.quantity,
      unitAmount: BigInt(item.expected_amount),
      title: null,
      listing: null,
    })),
  }
}

/** Once the merchant uses the credential, its order is known: the first look that sees it says so. */
export async function noteOrder(locked: LockedCart, orderOf: OrderOfToken): Promise<void> {
  const { attempt_number: attempt } = locked.cart
  const hold = locked.hold(attempt)
  const place = locked.effect('place', attempt)
  const isUsed = hold?.status === 'captured' || (hold?.status === 'authorized' && hold.claimed_at !== null)
  if (!isUsed || place?.answer !== null || !isRunning(locked, place)) return
  const orderId = await orderOf(locked.ctx, { intentId: locked.intent.id })
  locked.changeEffect(place, { answer: placedAnswer({ orderRow: null, orderId, transactionId: null }) })
  locked.change({ order_id: orderId }, 'cart.order_placed')
}

/** The merchant has charged the credential: the order is placed and paid. */
export function applyCharged(locked: LockedCart, attempt: number): void {
  const place = locked.effect('place', attempt)
  const hold = locked.hold(attempt)
  if (!place || !hold) throw new Error('a credential was charged that was never handed out')
  const orderId = place.answer?.kind === 'placed' ? place.answer.orderId : null
  applyPlaced(locked, place, { orderId, transactionId: hold.capture_reference })
  if (isRunning(locked, place))
    locked.change({ actual_amount: hold.captured_amount }, 'cart.payment_captured')
}
