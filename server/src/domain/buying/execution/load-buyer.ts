import type { ActingContext } from '../../../contract/context.ts'
import { type Address, selectProfile } from '../../buyers/profiles/public.ts'
import type { IntentRow } from '../intents/public.ts'
import type { Buyer, PostalAddress } from './port.ts'

/** Whom a purchase is for, as every way of buying is told: its profile as it is now, and the address that was fixed with the purchase. */
export async function loadBuyer(
  { reads, tenant }: Pick<ActingContext, 'reads' | 'tenant'>,
  intent: Pick<IntentRow, 'profile_id' | 'fulfillment'>,
): Promise<Buyer> {
  const { accountId: account_id, mode } = tenant
  const profile = await reads.maybe(selectProfile({ account_id, mode, id: intent.profile_id }))
  if (!profile) throw new Error('a purchase for a profile that does not exist')
  return {
    name: `${profile.first_name} ${profile.last_name}`,
    email: profile.email,
    phone: profile.phone,
    shipTo: shipToOf(intent),
    billTo: addressOf(billingAddress(profile.addresses)),
  }
}

export function shipToOf({ fulfillment }: Pick<IntentRow, 'fulfillment'>): PostalAddress | null {
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
