import Type, { type Static } from 'typebox'
import type { Tenant } from '../../../contract/context.ts'
import {
  Changes,
  Closed,
  CountryCode,
  Described,
  IdOf,
  IdParam,
  Metadata,
  Named,
  Nullable,
  OneOf,
  objectHead,
  Text,
} from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'
import { Ruled } from '../../../schema/rules.ts'

const profileTypes = ['consumer', 'business'] as const
const profileStatuses = ['pending', 'active', 'restricted', 'suspended', 'archived'] as const
const issuingStates = [
  'not_requested',
  'pending_requirements',
  'in_review',
  'enabled',
  'rejected',
  'disabled',
] as const

export const ProfileType = Named(
  'ProfileType',
  OneOf(profileTypes, { description: 'A person (`consumer`) or a business.' }),
)
export const ProfileStatus = Named(
  'ProfileStatus',
  OneOf(profileStatuses, { description: 'Only an active profile can be bought for.' }),
)
export const ProfileIssuingState = Named(
  'ProfileIssuingState',
  OneOf(issuingStates, { description: 'How far identity verification is, which issuing cards needs.' }),
)
const AddressType = OneOf(['billing', 'shipping', 'both'])

/** The fields of an address that a caller writes. */
const AddressFields = {
  address_type: Described(AddressType, 'What the address is for: billing, shipping or both.'),
  is_default: Type.Optional(
    Type.Boolean({ description: 'Whether it becomes the default address of its type.' }),
  ),
  recipient_name: Type.Optional(
    Text(255, { description: 'Who receives goods there. Default: the person of the profile.' }),
  ),
  line1: Text(255, { description: 'Street and number.' }),
  line2: Type.Optional(Nullable(Text(255, { description: 'Apartment, floor or other addition.' }))),
  city: Text(255, { description: 'City.' }),
  state: Type.Optional(Nullable(Text(255, { description: 'State, province or region, such as CA.' }))),
  postal_code: Type.Optional(Nullable(Text(32, { description: 'Postal code.' }))),
  country: Described(CountryCode, 'ISO 3166-1 alpha-2 country code, such as US.'),
}

export const addressRules = {
  postalCode: 'every address in this country has a postal code: send it as postal_code',
}

export const AddressCreate = Ruled(Closed(AddressFields), addressRules)

/** The fields of a change of an address. */
export const AddressUpdate = Ruled(
  Changes({
    ...AddressFields,
    is_default: Type.Boolean({
      description:
        'Whether it becomes the default address of its type. False: another address of the type does.',
    }),
    recipient_name: Text(255, { description: 'Who receives goods there.' }),
  }),
  addressRules,
)
export type AddressUpdate = Static<typeof AddressUpdate>

/** An address in a list that replaces the one before. */
export const AddressOfList = Ruled(
  Closed({
    ...AddressFields,
    id: Type.Optional(
      IdParam('An address that the profile has, which this changes. Without it, it is a new one.', 'addr'),
    ),
  }),
  addressRules,
)

export const Address = Named(
  'Address',
  Closed(
    {
      id: IdOf('addr', 'The id of the address.'),
      address_type: Described(AddressType, 'What the address is for: billing, shipping or both.'),
      is_default: Type.Boolean({ description: 'Whether it is the default address of its type.' }),
      recipient_name: Type.String({ description: 'Who receives goods there.' }),
      line1: Type.String({ description: 'Street and number.' }),
      line2: Nullable(Type.String({ description: 'Apartment, floor or other addition.' })),
      city: Type.String({ description: 'City.' }),
      state: Nullable(Type.String({ description: 'State, province or region.' })),
      postal_code: Nullable(Type.String({ description: 'Postal code.' })),
      country: Described(CountryCode, 'ISO 3166-1 alpha-2 country code.'),
    },
    { description: 'An address of a profile.' },
  ),
)
export type Address = Static<typeof Address>

export const dobRules = {
  calendar: 'dob must be a real day of the calendar',
  past: 'dob must be in the past',
}

export const DateOfBirth = Ruled(
  Closed(
    {
      day: Type.Integer({ minimum: 1, maximum: 31, description: 'Day of the month.' }),
      month: Type.Integer({ minimum: 1, maximum: 12, description: 'Month, 1 to 12.' }),
      year: Type.Integer({ minimum: 1900, maximum: 9999, description: 'Year, four digits.' }),
    },
    { description: 'A real date in the past. Kept encrypted; read back only as `dob_provided`.' },
  ),
  dobRules,
)

export type DateOfBirth = Static<typeof DateOfBirth>

/** The fields of a profile that a caller writes; all optional in an update. */
export const ProfileFields = {
  profile_type: Described(ProfileType, 'Whether it is a person (`consumer`, the default) or a business.'),
  first_name: Text(255, { description: 'First name of the person.' }),
  last_name: Nullable(
    Type.String({
      maxLength: 255,
      noCardNumber: true,
      description: 'Last name of the person; null, empty or left out for a person who has one name.',
    }),
  ),
  email: Type.String({
    format: 'email',
    noCardNumber: true,
    description: 'E-mail address, which merchants get with an order.',
  }),
  phone: Type.String({ format: 'phone', description: 'Phone number in E.164 form, such as +4915112345678.' }),
  dob: DateOfBirth,
  country: Described(CountryCode, 'Country of residence, ISO 3166-1 alpha-2, such as US.'),
  metadata: Metadata,
}

export const Profile = Named(
  'Profile',
  Closed(
    {
      ...objectHead('prof', 'profile'),
      profile_type: Described(ProfileType, 'Whether it is a person or a business.'),
      first_name: Type.String({ description: 'First name of the person.' }),
      last_name: Nullable(
        Type.String({ description: 'Last name of the person; null for a person who has one name.' }),
      ),
      email: Type.String({ description: 'E-mail address.' }),
      phone: Nullable(Type.String({ description: 'Phone number in E.164 form.' })),
      dob_provided: Type.Boolean({
        description: 'Whether a date of birth is on file. The date itself is never shown.',
      }),
      country: Described(CountryCode, 'Country of residence, ISO 3166-1 alpha-2.'),
      status: Described(ProfileStatus, 'Only an `active` profile can be bought for.'),
      issuing: Closed(
        {
          state: Described(ProfileIssuingState, 'How far the verification is.'),
          requirements: Type.Array(Type.String(), { description: 'What is still missing.' }),
        },
        { description: 'Identity verification, which issuing cards needs.' },
      ),
      addresses: Type.Array(Address, { description: 'The addresses of the profile.' }),
      metadata: Metadata,
      archived_at: Nullable(
        Type.String({ format: 'date-time', description: 'When it was archived; null if it was not.' }),
      ),
    },
    { description: 'A person or business that is bought for.' },
  ),
)
export type Profile = Static<typeof Profile>

export type ProfileRow = {
  id: Id<'prof'>
  profile_type: Profile['profile_type']
  first_name: string
  last_name: string | null
  email: string
  phone: string | null
  dob_sealed: Buffer | null
  country: string
  status: Profile['status']
  issuing_state: Profile['issuing']['state']
  issuing_requirements: string[]
  addresses: Address[]
  metadata: Record<string, string>
  seq: number
  created_at: Date
  updated_at: Date
  archived_at: Date | null
}

/** Whom a profile is of, as other slices are given it. */
export type ProfileFacts = Omit<
  ProfileRow,
  'issuing_state' | 'issuing_requirements' | 'metadata' | 'seq' | 'created_at' | 'updated_at' | 'archived_at'
>

/** What of it merchants are told. */
export type ToldBuyer = Pick<ProfileFacts, 'first_name' | 'last_name' | 'email' | 'phone' | 'addresses'>

/** What of it a purchase is decided from, and released with. */
export type BuyerFacts = Pick<ProfileFacts, 'id' | 'status' | 'country'> & ToldBuyer

/** The name of a profile's person in one. */
export function personName({
  first_name,
  last_name,
}: {
  first_name: string
  last_name?: string | null
}): string {
  return [first_name, lastNameOf(last_name)].filter((name) => name !== null).join(' ')
}

/** A last name as it is stored: what is empty is none. */
export function lastNameOf(written: string | null | undefined): string | null {
  return written?.trim() ? written : null
}

export function renderProfile(row: ProfileRow, tenant: Tenant): Profile {
  return {
    id: row.id,
    object: 'profile',
    mode: tenant.mode,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    profile_type: row.profile_type,
    first_name: row.first_name,
    last_name: row.last_name,
    email: row.email,
    phone: row.phone,
    dob_provided: row.dob_sealed !== null,
    country: row.country,
    status: row.status,
    issuing: { state: row.issuing_state, requirements: row.issuing_requirements },
    addresses: row.addresses,
    metadata: row.metadata,
    archived_at: row.archived_at?.toISOString() ?? null,
  }
}
