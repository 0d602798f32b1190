import Type, { type Static } from 'typebox'
import type { ActingContext } from '../../../contract/context.ts'
import { Closed } from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'
import { normalizePhone } from '../../../schema/formats.ts'
import { addressesMax, newAddress, withAddress } from './addresses.ts'
import { isoDateOfBirth, sealedAs } from './date-of-birth.ts'
import {
  type Address,
  AddressCreate,
  lastNameOf,
  type Profile,
  ProfileFields,
  type ProfileRow,
  personName,
} from './profile.ts'
import { addRow } from './write-profile.ts'

export const ProfileCreate = Closed({
  ...ProfileFields,
  profile_type: Type.Optional(ProfileFields.profile_type),
  last_name: Type.Optional(ProfileFields.last_name),
  phone: Type.Optional(ProfileFields.phone),
  dob: Type.Optional(ProfileFields.dob),
  metadata: Type.Optional(ProfileFields.metadata),
  addresses: Type.Optional(
    Type.Array(AddressCreate, { maxItems: addressesMax, description: 'Billing and shipping addresses.' }),
  ),
})
export type ProfileCreate = Static<typeof ProfileCreate>

/** Queues a new profile under this id, with its event. Throws the 422 for an impossible date of birth. */
export function addProfile(ctx: ActingContext, id: Id<'prof'>, body: ProfileCreate): Profile {
  const recipientName = personName(body)
  const addresses = (body.addresses ?? []).reduce<Address[]>((known, input, index) => {
    const loc = ['body', 'addresses', index]
    return withAddress(known, newAddress(ctx, input, { recipientName, loc }))
  }, [])
  const row: ProfileRow = {
    id,
    profile_type: body.profile_type ?? 'consumer',
    first_name: body.first_name,
    last_name: lastNameOf(body.last_name),
    email: body.email,
    phone: body.phone === undefined ? null : (normalizePhone(body.phone) ?? null),
    dob_sealed: body.dob ? ctx.sealer.seal(isoDateOfBirth(body.dob, ctx.now), sealedAs, id) : null,
    country: body.country,
    status: 'active',
    issuing_state: 'not_requested',
    issuing_requirements: [],
    addresses,
    metadata: body.metadata ?? {},
    seq: 1,
    created_at: ctx.now,
    updated_at: ctx.now,
    archived_at: null,
  }
  return addRow(ctx, row, 'profile.created')
}
