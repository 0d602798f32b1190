import type { Id } from '../../../../core/id.ts'
import type { IntentRow } from '../intent.ts'
import type { NextAction } from './next-action.ts'

/** What the person of a payment does: confirm it on a page of their bank or of a wallet. */
export function paymentAction(asked: { cartId: Id<'cart'>; url: string; until: Date }): NextAction {
  return {
    type: 'verify_payment',
    method: 'popup',
    cart_id: asked.cartId,
    element: null,
    url: asked.url,
    expires_at: asked.until.toISOString(),
  }
}

/**
 * The cart whose payment its person has to confirm; null: the purchase waits for no such thing. A proof that is asked for before there are
 * carts names none.
 */
export function confirmingCart({
  status,
  next_action: action,
}: Pick<IntentRow, 'status' | 'next_action'>): string | null {
  return status === 'awaiting_approval' && action?.type === 'verify_payment' ? (action.cart_id ?? null) : null
}
