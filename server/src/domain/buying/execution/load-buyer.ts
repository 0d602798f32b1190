import type { ActingContext } from '../../../contract/context.ts'
import type { PayingMethod } from '../../buyers/payment-methods/public.ts'
import { type Address, personName, readProfile, type ToldBuyer } from '../../buyers/profiles/public.ts'
import type { Buyer, PostalAddress } from '../channels/public.ts'
import type { LoadedIntent } from '../intents/public.ts'
import { selectPayerTold } from './payer.sql.ts'

/**
 * The buyer of a purchase, as every way of buying gets it: its profile at this moment, and the address that was fixed with the purchase.
 */
export async function loadBuyer(
  { reads, tenant }: Pick<ActingContext, 'reads' | 'tenant'>,
  intent: Pick<LoadedIntent['intent'], 'profile_id' | 'fulfillment'>,
): Promise<Buyer> {
  return buyerOf(await readProfile(reads, tenant, intent.profile_id), intent)
}

/** The same, and the payment method that is named with it, if it may still be used. One read. */
export async function loadPayer(
  { reads, tenant }: Pick<ActingContext, 'reads' | 'tenant'>,
  intent: Pick<LoadedIntent['intent'], 'profile_id' | 'payment_method_id' | 'fulfillment'>,
): Promise<{ buyer: Buyer; method: PayingMethod | null }> {
  const { profile_id, payment_method_id } = intent
  const key = { account_id: tenant.accountId, mode: tenant.mode, profile_id, payment_method_id }
  const { profiles, methods } = selectPayerTold.read(await reads.rows(selectPayerTold(key)))
  return { buyer: buyerOf(profiles[0] ?? null, intent), method: methods[0] ?? null }
}

function buyerOf(profile: ToldBuyer | null, intent: Pick<LoadedIntent['intent'], 'fulfillment'>): Buyer {
  if (!profile) throw new Error('a purchase for a profile that does not exist')
  return {
    name: personName(profile),
    firstName: profile.first_name,
    lastName: profile.last_name,
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
