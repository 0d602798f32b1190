import { readSellers } from '../../intents/public.ts'
import type { EffectStep } from '../cart-facts.ts'
import type { LockedCart } from '../locked-cart.ts'
import { isHandedOver } from '../place/handed-over.ts'

/**
 * Why no money is held for the merchant of ours: another merchant sells the item by now, or its backend has not confirmed its endpoint.
 * An offer of this very look was compared already: this is for an authorization that was journaled before and never left.
 */
export async function refusalBySeller(
  locked: LockedCart,
  { step }: { step: EffectStep },
): Promise<'merchant_changed' | 'merchant_unavailable' | null> {
  const takesMoney = step === 'authorize' || step === 'issue_credential'
  if (!takesMoney || locked.accepted !== null || locked.cart.merchant_account_id === null) return null
  const ofCart = new Set<string>(locked.cart.items.map(({ id }) => id))
  const sold = await readSellers(
    locked.ctx,
    locked.intent.items.filter(({ id }) => ofCart.has(id)),
  )
  if (sold.some(({ hasChanged }) => hasChanged)) return 'merchant_changed'
  // A merchant that takes a token charges it by itself: no order of this purchase waits for its backend.
  if (isHandedOver(locked.cart)) return null
  return sold.some(({ now }) => now?.awaits_confirmation) ? 'merchant_unavailable' : null
}
