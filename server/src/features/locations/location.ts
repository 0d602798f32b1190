import Type, { type Static } from 'typebox'
import type { Mode } from '../../contract/context.ts'
import {
  Changes,
  Closed,
  CountryCode,
  IdParam,
  Metadata,
  Named,
  Nullable,
  OneOf,
  objectHead,
  Text,
  Timestamp,
} from '../../contract/schemas.ts'
import type { Id } from '../../core/id.ts'

export const locationVisibilities = ['private', 'public'] as const
export const locationStatuses = ['active', 'archived'] as const
export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const
/** What a provider can own of a location. */
export const ownableFields = [
  'name',
  'address',
  'timezone',
  'hours',
  'latitude',
  'longitude',
  'visibility',
] as const

const hoursMax = 50

const AddressWrite = Closed({
  line1: Text(255),
  line2: Type.Optional(Nullable(Text(255))),
  city: Text(255),
  state: Type.Optional(Nullable(Text(255))),
  postal_code: Type.Optional(Nullable(Text(32))),
  country: CountryCode,
})

const Hours = Closed({
  weekday: OneOf(weekdays),
  opens: Type.String({ pattern: '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$', description: 'Local time, `09:00`.' }),
  closes: Type.String({
    pattern: '^(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]|24:00)$',
    description: 'Local time of the same day, to `24:00`.',
  }),
})
export type Hours = Static<typeof Hours>

const Source = Closed({
  provider: Text(100),
  fields: Type.Array(OneOf(ownableFields), { uniqueItems: true, maxItems: ownableFields.length }),
})

/** The fields of a location that a caller writes. */
export const LocationFields = {
  name: Text(255),
  address: AddressWrite,
  timezone: Type.String({
    format: 'timezone',
    description:
      'A name of the IANA time zone database, such as `America/Chicago`, in any case; returned as it is spelt there.',
  }),
  visibility: OneOf(locationVisibilities, { description: 'Default: `private`.' }),
  hours: Type.Array(Hours, { maxItems: hoursMax, description: 'The whole week. Empty: not told.' }),
  latitude: Nullable(Type.Number({ minimum: -90, maximum: 90 })),
  longitude: Nullable(Type.Number({ minimum: -180, maximum: 180 })),
  source: Nullable({
    ...Source,
    description:
      'The provider that the location is synchronized from, and which fields are its own: only a change that names the same provider ' +
      'in `source` writes these. Null disconnects it.',
  }),
  metadata: Metadata,
}

/** What a change may write. */
export const LocationUpdate = Changes(LocationFields)
export type LocationUpdate = Static<typeof LocationUpdate>

export const LocationParams = { location_id: IdParam('The location.') }

export const BusinessLocation = Named(
  'BusinessLocation',
  Closed({
    ...objectHead('loc', 'business_location'),
    status: OneOf(locationStatuses),
    name: Type.String(),
    address: Closed({
      line1: Type.String(),
      line2: Nullable(Type.String()),
      city: Type.String(),
      state: Nullable(Type.String()),
      postal_code: Nullable(Type.String()),
      country: Type.String(),
    }),
    timezone: Type.String(),
    visibility: OneOf(locationVisibilities),
    hours: Type.Array(Hours),
    latitude: Nullable(Type.Number()),
    longitude: Nullable(Type.Number()),
    source: Nullable(Source),
    metadata: Metadata,
    archived_at: Nullable(Timestamp),
  }),
)
export type BusinessLocation = Static<typeof BusinessLocation>

export type LocationRow = {
  id: Id<'loc'>
  name: string
  address: BusinessLocation['address']
  timezone: string
  visibility: BusinessLocation['visibility']
  hours: Hours[]
  latitude: number | null
  longitude: number | null
  source_provider: string | null
  source_fields: (typeof ownableFields)[number][]
  status: BusinessLocation['status']
  metadata: Record<string, string>
  seq: number
  created_at: Date
  updated_at: Date
  archived_at: Date | null
}

export function renderLocation(row: LocationRow, mode: Mode): BusinessLocation {
  return {
    id: row.id,
    object: 'business_location',
    mode,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    status: row.status,
    name: row.name,
    address: row.address,
    timezone: row.timezone,
    visibility: row.visibility,
    hours: row.hours,
    latitude: row.latitude,
    longitude: row.longitude,
    source:
      row.source_provider === null ? null : { provider: row.source_provider, fields: row.source_fields },
    metadata: row.metadata,
    archived_at: row.archived_at?.toISOString() ?? null,
  }
}
