import Type, { type Static } from 'typebox'
import type { Mode } from '../../contract/context.ts'
import {
  Changes,
  Closed,
  CountryCode,
  CurrencyCode,
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

export const marketStatuses = ['active', 'archived'] as const

const Locale = Type.String({ format: 'locale', description: 'BCP 47 language tag.' })

/** A postal code's beginning as callers write it. */
export const PostalPrefix = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9 -]{0,15}$',
  noCardNumber: true,
})

export const Subdivision = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9 -]{0,63}$',
  noCardNumber: true,
  description:
    'ISO 3166-2, with or without the country: `US-CA` or `CA`. Compared with the `state` of an address.',
})

const region = {
  country: CountryCode,
  subdivisions: Type.Array(Subdivision, { maxItems: 200, uniqueItems: true }),
  postal_prefixes: Type.Array(PostalPrefix, { maxItems: 1000, uniqueItems: true }),
}

const RegionWrite = Closed({
  country: region.country,
  subdivisions: Type.Optional(region.subdivisions),
  postal_prefixes: Type.Optional(region.postal_prefixes),
})
export type RegionWrite = Static<typeof RegionWrite>

const RegionRead = Closed(region)
export type MarketRegion = Static<typeof RegionRead>

const regionsMax = 250

const Routing = Closed({
  include: Type.Array(RegionRead),
  exclude: Type.Array(RegionRead),
  priority: Type.Integer(),
  is_fallback: Type.Boolean(),
})

/** The fields of a market that a caller writes. */
export const MarketFields = {
  code: Type.String({
    pattern: '^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$',
    description: 'Your own short name, in any case unique among the markets that are not archived.',
  }),
  name: { ...Text(255), description: 'Default: the code.' },
  currency: CurrencyCode,
  default_locale: Locale,
  locales: Type.Array(Locale, {
    minItems: 1,
    maxItems: 100,
    description: 'Default: the default locale, which must be among them.',
  }),
  routing: Closed(
    {
      include: Type.Optional(
        Type.Array(RegionWrite, {
          maxItems: regionsMax,
          description:
            'Where the market is. Of the markets that include a place the one that names it most closely wins: by the longest ' +
            'beginning of its postal code, then by subdivision, then by country; then by priority.',
        }),
      ),
      exclude: Type.Optional(
        Type.Array(RegionWrite, {
          maxItems: regionsMax,
          description: 'Where it is not, whatever it includes.',
        }),
      ),
      priority: Type.Optional(
        Type.Integer({ minimum: -1000, maximum: 1000, default: 0, description: 'The higher goes first.' }),
      ),
      is_fallback: Type.Optional(
        Type.Boolean({ default: false, description: 'Takes what no market includes. At most one.' }),
      ),
    },
    { description: 'Replaced as a whole.' },
  ),
  metadata: Metadata,
}

/** What a change may write. */
export const MarketUpdate = Changes(MarketFields)
export type MarketUpdate = Static<typeof MarketUpdate>

/** The market that a list is narrowed to. */
export const MarketFilter = Type.String({ minLength: 1, maxLength: 64 })

export const MarketParams = { market_id: IdParam('The market.') }

export const Market = Named(
  'Market',
  Closed({
    ...objectHead('mkt', 'market'),
    status: OneOf(marketStatuses),
    code: Type.String(),
    name: Type.String(),
    currency: Type.String(),
    default_locale: Type.String(),
    locales: Type.Array(Type.String()),
    routing: Routing,
    metadata: Metadata,
    archived_at: Nullable(Timestamp),
  }),
)
export type Market = Static<typeof Market>

export type MarketRow = {
  id: Id<'mkt'>
  code: string
  name: string
  currency: string
  default_locale: string
  locales: string[]
  include: MarketRegion[]
  exclude: MarketRegion[]
  priority: number
  is_fallback: boolean
  status: Market['status']
  metadata: Record<string, string>
  seq: number
  created_at: Date
  updated_at: Date
  archived_at: Date | null
}

export function renderMarket(row: MarketRow, mode: Mode): Market {
  return {
    id: row.id,
    object: 'market',
    mode,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    status: row.status,
    code: row.code,
    name: row.name,
    currency: row.currency,
    default_locale: row.default_locale,
    locales: row.locales,
    routing: {
      include: row.include,
      exclude: row.exclude,
      priority: row.priority,
      is_fallback: row.is_fallback,
    },
    metadata: row.metadata,
    archived_at: row.archived_at?.toISOString() ?? null,
  }
}
