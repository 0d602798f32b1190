import { isDeepStrictEqual } from 'node:util'
import type { Address, ToldBuyer } from '../../buyers/profiles/public.ts'
import type { Fulfillment, IntentBuyer, IntentRow } from './intent.ts'

export function frozenBuyer(
  { first_name, last_name, email, phone, addresses }: ToldBuyer,
  { address }: Pick<Fulfillment, 'address'>,
): IntentBuyer {
  const billing = billingAddress(addresses)
  const bill_to = billing !== null && isDeepStrictEqual(billing, address) ? 'ship_to' : billing
  return { first_name, last_name, email, phone, bill_to }
}

/** Who buys when the purchase is approved at this moment. A new price changes nothing about who that is. */
export function buyerToApprove(
  { buyer, reapproval, fulfillment }: Pick<IntentRow, 'buyer' | 'reapproval' | 'fulfillment'>,
  profile: ToldBuyer,
): IntentBuyer {
  // guard same-buyer-at-a-new-price: while a purchase runs, its buyer stays the one that its other carts are bought for
  return reapproval !== null && buyer !== null ? buyer : frozenBuyer(profile, fulfillment)
}

function billingAddress(addresses: readonly Address[]): Address | null {
  const billing = addresses.filter(({ address_type }) => address_type !== 'shipping')
  return billing.find(({ is_default }) => is_default) ?? billing[0] ?? null
}
