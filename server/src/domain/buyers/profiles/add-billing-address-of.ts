import Type, { type Static } from 'typebox'
import type { ActingContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, CountryCode, Described, Nullable, Text } from '../../../contract/schemas.ts'
import { Ruled } from '../../../schema/rules.ts'
import { addressesMax, newAddress, withAddress } from './addresses.ts'
import { type Address, addressRules, personName } from './profile.ts'
import { changeProfile } from './write-profile.ts'

/** As the holder of a card types it. */
export const BillingAddress = Ruled(
  Closed({
    recipient_name: Type.Optional(Text(255, { description: 'The name on the card.' })),
    line1: Text(255, { description: 'Street and number.' }),
    line2: Type.Optional(Nullable(Text(255, { description: 'Apartment, floor or other addition.' }))),
    city: Text(255, { description: 'City.' }),
    state: Type.Optional(Nullable(Text(255, { description: 'State, province or region, such as CA.' }))),
    postal_code: Type.Optional(Nullable(Text(32, { description: 'Postal code.' }))),
    country: Described(CountryCode, 'ISO 3166-1 alpha-2 country code, such as US.'),
  }),
  addressRules,
)

/** The address of the profile that says the same, or else a new one. What is typed twice, such as after a refused card, is there once. */
export async function addBillingAddressOf(
  ctx: ActingContext,
  profileId: string,
  typed: Static<typeof BillingAddress>,
): Promise<string> {
  let known: Address | undefined
  await changeProfile(ctx, profileId, 'profile.updated', (row) => {
    if (row.status === 'archived') throw new Problem('profile_archived')
    const input = { ...typed, address_type: 'billing', is_default: false } as const
    const added = newAddress(ctx, input, { recipientName: personName(row), loc: ['body'] })
    known = row.addresses.find((each) => each.address_type !== 'shipping' && isSame(each, added))
    if (known !== undefined) return {}
    if (row.addresses.length >= addressesMax) throw new Problem('object_limit_reached')
    known = added
    return { addresses: withAddress(row.addresses, added) }
  })
  if (known === undefined) throw new Error('a profile was changed, and its address is unknown')
  return known.id
}

function isSame(one: Address, other: Address): boolean {
  const facts = ['recipient_name', 'line1', 'line2', 'city', 'state', 'postal_code', 'country'] as const
  return facts.every((name) => one[name] === other[name])
}
