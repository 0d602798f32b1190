import type { PaymentMethod } from '../../domain/buyers/payment-methods/payment-method.ts'
import type { Address, Profile } from '../../domain/buyers/profiles/profile.ts'
import { CommandFailure } from '../failure.ts'
import type { ProductApi } from './product-api.ts'

/** The profile that was named, or the only one. Null: there is none at all. */
export async function findProfile(api: ProductApi, named: string | undefined): Promise<Profile | null> {
  if (named !== undefined) return api.get(`/v1/profiles/${encodeURIComponent(named)}`)
  const { data }: { data: Profile[] } = await api.get('/v1/profiles?status=active&limit=5')
  const [only, second] = data
  if (!second) return only ?? null
  const names = data.map((one) => `${one.id} (${nameOf(one)})`)
  throw new CommandFailure(
    `There are several profiles: name one with --profile, such as ${names.join(', ')}.`,
  )
}

export async function profileFor(api: ProductApi, named: string | undefined): Promise<Profile> {
  const found = await findProfile(api, named)
  if (found) return found
  throw new CommandFailure(
    `There is no profile in ${api.mode} mode. Add one with ${api.command('profiles add')}, which --help explains.`,
  )
}

export function nameOf({
  first_name,
  last_name,
}: Pick<Profile, 'first_name'> & { last_name: string | null }): string {
  return [first_name, last_name].filter((part) => part !== null && part !== '').join(' ')
}

/** An address on one line. */
export function addressLine(address: Omit<Address, 'id' | 'address_type' | 'is_default'>): string {
  const { recipient_name, line1, line2, city, state, postal_code, country } = address
  const town = [city, [state, postal_code].filter(Boolean).join(' ')]
  return [recipient_name, line1, line2, ...town, country].filter(Boolean).join(', ')
}

/** Where a purchase is shipped, by the rule of the interface: the named address, the default for shipping, any default. */
export function shippingAddress({ addresses }: Profile, named: string | null): Address | null {
  const ships = (one: Address) => one.address_type !== 'billing'
  return (
    addresses.find(({ id }) => id === named) ??
    (named === null
      ? (addresses.find((one) => one.is_default && ships(one)) ?? addresses.find((one) => one.is_default))
      : undefined) ??
    null
  )
}

const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** Brand and last four digits; a way to pay that is no card is named by its type. */
export function cardLine({ type, card, label }: PaymentMethod): string {
  if (!card) return type
  const { card_brand, card_last4, card_exp_month, card_exp_year } = card
  const expiry = `${String(card_exp_month).padStart(2, '0')}/${card_exp_year}`
  return `${brands[card_brand] ?? card_brand} •••• ${card_last4} (${expiry})${label === null ? '' : `, ${label}`}`
}

export function methodOf(api: ProductApi, profileId: string, id: string): Promise<PaymentMethod> {
  return api.get(`/v1/profiles/${profileId}/payment_methods/${id}`)
}
