import type { Static } from 'typebox'
import type { ActingContext } from '../../../contract/context.ts'
import type { Address, AddressCreate } from './profile.ts'

/** How many addresses a profile can have. */
export const addressesMax = 50

/**
 * The addresses with one more. The first address of a type becomes its default, and a new default replaces the old one for every type
 * that it serves.
 */
export function withAddress(addresses: readonly Address[], added: Address): Address[] {
  const isFirst = typesOf(added).some((type) => !addresses.some((address) => typesOf(address).includes(type)))
  const isDefault = added.is_default || isFirst
  const others = added.is_default
    ? addresses.map((address) => (overlaps(address, added) ? { ...address, is_default: false } : address))
    : addresses
  return [...others, { ...added, is_default: isDefault }]
}

/** An address as stored, from the caller's fields. The recipient is the profile's person unless the caller names another one. */
export function newAddress(
  ctx: ActingContext,
  input: Static<typeof AddressCreate>,
  recipientName: string,
): Address {
  return {
    id: ctx.newId('addr'),
    address_type: input.address_type,
    is_default: input.is_default ?? false,
    recipient_name: input.recipient_name ?? recipientName,
    line1: input.line1,
    line2: input.line2 ?? null,
    city: input.city,
    state: input.state ?? null,
    postal_code: input.postal_code ?? null,
    country: input.country,
  }
}

function typesOf(address: Address): ('billing' | 'shipping')[] {
  return address.address_type === 'both' ? ['billing', 'shipping'] : [address.address_type]
}

function overlaps(a: Address, b: Address): boolean {
  return typesOf(a).some((type) => typesOf(b).includes(type))
}
