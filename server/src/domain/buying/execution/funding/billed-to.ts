import type { Buyer } from '../../channels/public.ts'
import { type Call, type PaymentRail, timing } from '../../rails/public.ts'
import type { CartState } from '../cart-state.ts'
import { isPrefunded } from './funding.ts'

/**
 * The buyer as a page is told of them, for its price as for its order. A bank compares who is billed with the holder of the card, and the
 * holder of a card that is issued for the cart is the operator's; the parcel goes to the buyer. Null: the holder cannot be read.
 */
export async function billedToHolder(
  state: CartState,
  buyer: Buyer,
  { rail, call }: { rail: () => PaymentRail; call: Call },
): Promise<Buyer | null> {
  // guard billed-to-the-holder: a page is told whom the card belongs to, before its price is agreed
  if (!isPrefunded(state)) return buyer
  const holder = (await rail().readHolder?.({ ...call, timeoutMs: timing.longestCallMs })) ?? null
  if (holder === null) return null
  const { name: recipientName, ...address } = holder
  return { ...buyer, billTo: { recipientName, ...address } }
}
