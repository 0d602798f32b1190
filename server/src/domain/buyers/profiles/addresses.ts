import type { Static } from 'typebox'
import type { ActingContext } from '../../../contract/context.ts'
import { invalid, Problem } from '../../../contract/problem.ts'
import { hasPostalCodes } from '../../../schema/postal-codes.ts'
import {
  type Address,
  type AddressCreate,
  type AddressOfList,
  type AddressUpdate,
  addressRules,
} from './profile.ts'

/** How many addresses a profile can have. */
export const addressesMax = 50

/**
 * The addresses with one more. The first address of a type becomes its default, and a new default replaces the old one for every type
 * that it serves.
 */
export function withAddress(addresses: readonly Address[], added: Address): Address[] {
  const isFirst = typesOf(added).some((type) => !addresses.some((address) => typesOf(address).includes(type)))
  const isDefault = added.is_default || isFirst
  const others = added.is_default ? withoutDefaultBeside(addresses, added) : addresses
  return [...others, { ...added, is_default: isDefault }]
}

/** The addresses with this one changed; null: it is none of them. */
export function withChanged(
  addresses: readonly Address[],
  id: string,
  update: AddressUpdate,
): Address[] | null {
  const before = addresses.find((address) => address.id === id)
  if (!before) return null
  const changed = { ...before, ...update }
  requirePostalCode(changed, ['body'])
  const others = isChosen(changed, before) ? withoutDefaultBeside(addresses, changed) : addresses
  return withDefaults(
    others.map((address) => (address.id === id ? changed : address)),
    id,
  )
}

/** The addresses without this one; null: it is none of them. */
export function withoutAddress(addresses: readonly Address[], id: string): Address[] | null {
  const rest = addresses.filter((address) => address.id !== id)
  return rest.length === addresses.length ? null : withDefaults(rest)
}

/**
 * The addresses of a list that replaces the one before. Those with an id are changed, and throw the 404 where the profile does not have
 * it.
 */
export function replacedBy(
  ctx: ActingContext,
  written: readonly Static<typeof AddressOfList>[],
  { before, recipientName }: { before: readonly Address[]; recipientName: string },
): Address[] {
  const made = written.map(({ id, ...fields }, index): Address => {
    const known = id === undefined ? undefined : before.find((address) => address.id === id)
    if (id !== undefined && !known) throw new Problem('not_found', { param: `addresses.${index}.id` })
    if (known && written.findIndex((other) => other.id === id) < index)
      throw invalid(['body', 'addresses', index, 'id'], 'another address of the list has this id')
    const address = newAddress(ctx, fields, {
      recipientName: known?.recipient_name ?? recipientName,
      loc: ['body', 'addresses', index],
    })
    return known ? { ...address, id: known.id } : address
  })
  // As if the new defaults had been chosen one after the other.
  const chosen = made.filter((address) =>
    isChosen(
      address,
      before.find(({ id }) => id === address.id),
    ),
  )
  return withDefaults(chosen.reduce<Address[]>(withoutDefaultBeside, made))
}

/** Whether it has become the default of a type; what was so before is written back as it was read. */
function isChosen(address: Address, before: Address | undefined): boolean {
  return address.is_default && !(before?.is_default && before.address_type === address.address_type)
}

/**
 * An address as stored, from the caller's fields at `loc`. The recipient is the profile's person unless the caller names another one.
 * Throws the 422 where it lacks a postal code that it must have.
 */
export function newAddress(
  ctx: ActingContext,
  input: Static<typeof AddressCreate>,
  { recipientName, loc }: { recipientName: string; loc: (string | number)[] },
): Address {
  const address = {
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
  requirePostalCode(address, loc)
  return address
}

/** Found when the address is written: at the shop it would be found after money is held. */
function requirePostalCode({ country, postal_code }: Address, loc: (string | number)[]): void {
  if (postal_code === null && hasPostalCodes(country))
    throw invalid([...loc, 'postal_code'], addressRules.postalCode)
}

/**
 * A type whose default was removed or given up gets its oldest address as the default, unless that one would become the second default of
 * another type. `last` is chosen only where nothing else is left.
 */
function withDefaults(addresses: readonly Address[], last?: string): Address[] {
  return (['shipping', 'billing'] as const).reduce<Address[]>(
    (list, type) => {
      const served = new Set(list.filter(({ is_default }) => is_default).flatMap(typesOf))
      if (served.has(type)) return list
      const able = list.filter(
        (address) => typesOf(address).includes(type) && typesOf(address).every((each) => !served.has(each)),
      )
      const chosen = able.find(({ id }) => id !== last) ?? able[0]
      return list.map((address) => (address === chosen ? { ...address, is_default: true } : address))
    },
    [...addresses],
  )
}

function withoutDefaultBeside(addresses: readonly Address[], chosen: Address): Address[] {
  return addresses.map((address) =>
    address.id !== chosen.id && overlaps(address, chosen) ? { ...address, is_default: false } : address,
  )
}

function typesOf(address: Address): ('billing' | 'shipping')[] {
  return address.address_type === 'both' ? ['billing', 'shipping'] : [address.address_type]
}

function overlaps(a: Address, b: Address): boolean {
  return typesOf(a).some((type) => typesOf(b).includes(type))
}
