import Type, { type Static } from 'typebox'
import type { Mode } from '../../../contract/context.ts'
import {
  At,
  Changes,
  Closed,
  CountryCode,
  Described,
  IdParam,
  Metadata,
  Named,
  Nullable,
  OneOf,
  objectHead,
  Text,
} from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'
import { given, not, Ruled, whenThen } from '../../../schema/rules.ts'

const locationVisibilities = ['private', 'public'] as const
const locationStatuses = ['active', 'archived'] as const
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
/** The fields of a location that a provider can own. */
const ownableFields = ['name', 'address', 'timezone', 'hours', 'latitude', 'longitude', 'visibility'] as const

const hoursMax = 50

const AddressWrite = Closed({
  line1: Text(255, { description: 'Street and number.' }),
  line2: Type.Optional(Nullable(Text(255, { description: 'Floor, unit or other addition.' }))),
  city: Text(255, { description: 'City.' }),
  state: Type.Optional(Nullable(Text(255, { description: 'State, province or region, such as CA.' }))),
  postal_code: Type.Optional(Nullable(Text(32, { description: 'Postal code.' }))),
  country: Described(CountryCode, 'ISO 3166-1 alpha-2 country code, such as US.'),
})

/** The rules for a location beyond its schema. */
export const locationRules = {
  together: 'latitude and longitude must be sent together',
  closing: 'closes must be after opens; write hours past midnight as two entries',
  overlap: 'the hours of a weekday must not overlap',
}

const Hours = Closed({
  weekday: OneOf(weekdays, { description: 'The day of the week.' }),
  opens: Type.String({
    pattern: '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$',
    description: 'When it opens, in local time, such as 09:00.',
  }),
  closes: Type.String({
    pattern: '^(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]|24:00)$',
    description: 'When it closes on the same day, in local time, up to 24:00.',
  }),
})
export type Hours = Static<typeof Hours>

const Source = Closed({
  provider: Text(100, { description: 'The name of the provider.' }),
  fields: Type.Array(OneOf(ownableFields), {
    uniqueItems: true,
    maxItems: ownableFields.length,
    description: 'The fields that the provider owns.',
  }),
})

/** The fields of a location that a caller writes. */
export const LocationFields = {
  name: Text(255, { description: 'A name for people.' }),
  address: Described(AddressWrite, 'Where it is.'),
  timezone: Type.String({
    format: 'timezone',
    description:
      'A name of the IANA time zone database, such as America/Chicago, in any case; returned as it is spelled there.',
  }),
  visibility: OneOf(locationVisibilities, { description: 'Whether buyers can see it. Default: `private`.' }),
  hours: Ruled(
    Type.Array(Hours, {
      maxItems: hoursMax,
      description: 'The opening hours of a whole week; empty if they are not known.',
    }),
    { closing: locationRules.closing, overlap: locationRules.overlap },
  ),
  latitude: Nullable(
    Type.Number({ minimum: -90, maximum: 90, description: 'Latitude in degrees, for rates by distance.' }),
  ),
  longitude: Nullable(
    Type.Number({ minimum: -180, maximum: 180, description: 'Longitude in degrees, for rates by distance.' }),
  ),
  source: Nullable({
    ...Source,
    description:
      'The provider that the location is synchronized from, and which fields are its own: only a change that names the same provider ' +
      'in `source` writes these. Null disconnects it.',
  }),
  metadata: Metadata,
}

/** One coordinate without the other is not a place. */
export const bothCoordinates = [
  whenThen(given('latitude', 'number'), given('longitude', 'number')),
  whenThen(not(given('latitude', 'number')), not(given('longitude', 'number'))),
]

/** The fields of a change. */
export const LocationUpdate = Ruled(Changes(LocationFields), { together: locationRules.together })
export type LocationUpdate = Static<typeof LocationUpdate>

export const LocationParams = { location_id: IdParam('The location.', 'loc') }

export const BusinessLocation = Named(
  'BusinessLocation',
  Closed(
    {
      ...objectHead('loc', 'business_location'),
      status: OneOf(locationStatuses, { description: 'Whether it is in use.' }),
      name: Type.String({ description: 'A name for people.' }),
      address: Closed(
        {
          line1: Type.String({ description: 'Street and number.' }),
          line2: Nullable(Type.String({ description: 'Floor, unit or other addition.' })),
          city: Type.String({ description: 'City.' }),
          state: Nullable(Type.String({ description: 'State, province or region.' })),
          postal_code: Nullable(Type.String({ description: 'Postal code.' })),
          country: Type.String({ description: 'ISO 3166-1 alpha-2 country code.' }),
        },
        { description: 'Where it is.' },
      ),
      timezone: Type.String({ description: 'IANA time zone.' }),
      visibility: OneOf(locationVisibilities, { description: 'Whether buyers can see it.' }),
      hours: Type.Array(Hours, { description: 'The opening hours of a week; empty if they are not known.' }),
      latitude: Nullable(Type.Number({ description: 'Latitude in degrees; null if it is not known.' })),
      longitude: Nullable(Type.Number({ description: 'Longitude in degrees; null if it is not known.' })),
      source: Nullable(
        Described(
          Source,
          'The provider it is synchronized from, and the fields that provider owns; null if there is none.',
        ),
      ),
      metadata: Metadata,
      archived_at: Nullable(At('When it was archived; null if it was not.')),
    },
    { description: 'A place that goods leave from or where they are picked up.' },
  ),
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
