import type { ActingContext } from '../../../contract/context.ts'
import { type Address, readProfile } from '../../buyers/profiles/public.ts'
import type { LoadedIntent } from '../intents/public.ts'
import type { Buyer, PostalAddress } from './port.ts'

/**
 * The buyer of a purchase, as every way of buying gets it: its profile at this moment, and the address that was fixed with the purchase.
 */
export async function loadBuyer(
  { reads, tenant }: Pick<ActingContext, 'reads' | 'tenant'>,
  intent: Pick<LoadedIntent['intent'], 'profile_id' | 'fulfillment'>,
): Promise<Buyer> {
  const profile = await readProfile(reads, tenant, intent.profile_id)
  if (!profile) throw new Error('a purchase for a profile that does not exist')
  return {
    name: `${profile.first_name} ${profile.last_name}`,
    email: profile.email,
    phone: profile.phone,
    shipTo: shipToOf(intent),
    billTo: addressOf(billingAddress(profile.addresses)),
  }
}

export function shipToOf({ fulfillment }: Pick<LoadedIntent['intent'], 'fulfillment'>): PostalAddress | null {
  return addressOf(fulfillment.address)
}

function billingAddress(addresses: readonly Address[]): Address | null {
  const billing = addresses.filter(({ address_type }) => address_type !== 'shipping')
  return billing.find(({ is_default }) => is_default) ?? billing[0] ?? null
}

function addressOf(address: Address | null): PostalAddress | null {
  if (!address) return null
  return {
    recipientName: address.recipient_name,
    line1: address.line1,
    line2: address.line2,
    city: address.city,
    state: address.state,
    postalCode: address.postal_code,
    country: address.country,
  }
}
