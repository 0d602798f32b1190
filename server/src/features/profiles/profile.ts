import Type, { type Static } from 'typebox'
import type { Tenant } from '../../contract/context.ts'
import {
  Closed,
  CountryCode,
  IdOf,
  Metadata,
  Named,
  Nullable,
  OneOf,
  objectHead,
  Text,
} from '../../contract/schemas.ts'
import type { Id } from '../../core/id.ts'

export const profileTypes = ['consumer', 'business'] as const
export const profileStatuses = ['pending', 'active', 'restricted', 'suspended', 'archived'] as const
export const issuingStates = [
  'not_requested',
  'pending_requirements',
  'in_review',
  'enabled',
  'rejected',
  'disabled',
] as const

export const ProfileType = Named('ProfileType', OneOf(profileTypes))
export const ProfileStatus = Named('ProfileStatus', OneOf(profileStatuses))
export const ProfileIssuingState = Named('ProfileIssuingState', OneOf(issuingStates))
export const AddressType = OneOf(['billing', 'shipping', 'both'])

/** The fields of an address that a caller writes. */
export const AddressFields = {
  address_type: AddressType,
  is_default: Type.Optional(Type.Boolean()),
  recipient_name: Type.Optional(Text(255)),
  line1: Text(255),
  line2: Type.Optional(Nullable(Text(255))),
  city: Text(255),
  state: Type.Optional(Nullable(Text(255))),
  postal_code: Type.Optional(Nullable(Text(32))),
  country: CountryCode,
}

export const AddressCreate = Closed(AddressFields)

export const Address = Named(
  'Address',
  Closed({
    id: IdOf('addr'),
    address_type: AddressType,
    is_default: Type.Boolean(),
    recipient_name: Type.String(),
    line1: Type.String(),
    line2: Nullable(Type.String()),
    city: Type.String(),
    state: Nullable(Type.String()),
    postal_code: Nullable(Type.String()),
    country: CountryCode,
  }),
)
export type Address = Static<typeof Address>

export const DateOfBirth = Closed(
  {
    day: Type.Integer({ minimum: 1, maximum: 31 }),
    month: Type.Integer({ minimum: 1, maximum: 12 }),
    year: Type.Integer({ minimum: 1900, maximum: 9999 }),
  },
  { description: 'A real date in the past. Kept encrypted; read back only as `dob_provided`.' },
)

export type DateOfBirth = Static<typeof DateOfBirth>

/** The fields of a profile that a caller writes; all optional in an update. */
export const ProfileFields = {
  profile_type: ProfileType,
  first_name: Text(255),
  last_name: Text(255),
  email: Type.String({ format: 'email', noCardNumber: true }),
  phone: Type.String({ format: 'phone', description: 'E.164, such as +4915112345678.' }),
  dob: DateOfBirth,
  country: CountryCode,
  metadata: Metadata,
}

export const Profile = Named(
  'Profile',
  Closed({
    ...objectHead('prof', 'profile'),
    profile_type: ProfileType,
    first_name: Type.String(),
    last_name: Type.String(),
    email: Type.String(),
    phone: Nullable(Type.String()),
    dob_provided: Type.Boolean(),
    country: CountryCode,
    status: ProfileStatus,
    issuing: Closed({
      state: ProfileIssuingState,
      requirements: Type.Array(Type.String()),
    }),
    addresses: Type.Array(Address),
    metadata: Metadata,
    archived_at: Nullable(Type.String({ format: 'date-time' })),
  }),
)
export type Profile = Static<typeof Profile>

export type BuyerRow = Pick<ProfileRow, 'id' | 'status' | 'country' | 'addresses'>

export type ProfileRow = {
  id: Id<'prof'>
  profile_type: Profile['profile_type']
  first_name: string
  last_name: string
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
