import Type, { type Static } from 'typebox'
import type { Mode } from '../../../contract/context.ts'
import { exampleId } from '../../../contract/examples.ts'
import {
  At,
  Changes,
  Closed,
  CountryCode,
  CurrencyCode,
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
import { Ruled } from '../../../schema/rules.ts'

const marketStatuses = ['active', 'archived'] as const

const Locale = Type.String({ format: 'locale', description: 'BCP 47 language tag.' })

/** The beginning of a postal code, as callers write it. */
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
  country: Described(CountryCode, 'ISO 3166-1 alpha-2 country code, such as US.'),
  subdivisions: Type.Array(Subdivision, {
    maxItems: 200,
    uniqueItems: true,
    description: 'Only these parts of the country, as ISO 3166-2, such as US-CA. Empty: the whole country.',
  }),
  postal_prefixes: Type.Array(PostalPrefix, {
    maxItems: 1000,
    uniqueItems: true,
    description: 'Only postal codes that begin like this. Empty: all.',
  }),
}

const RegionWrite = Closed({
  country: region.country,
  subdivisions: Type.Optional(
    Described(
      region.subdivisions,
      'Only these parts of the country, as ISO 3166-2, such as US-CA. Empty: the whole country.',
    ),
  ),
  postal_prefixes: Type.Optional(
    Described(region.postal_prefixes, 'Only postal codes that begin like this. Empty: all.'),
  ),
})
export type RegionWrite = Static<typeof RegionWrite>

const RegionRead = Closed(region)
export type MarketRegion = Static<typeof RegionRead>

const regionsMax = 250

const Routing = Closed({
  include: Type.Array(RegionRead, { description: 'The regions of the market.' }),
  exclude: Type.Array(RegionRead, {
    description: 'Regions that are not in the market, whatever `include` says.',
  }),
  priority: Type.Integer({
    description: 'When two markets include a place equally closely, the higher priority wins.',
  }),
  is_fallback: Type.Boolean({ description: 'Whether it takes addresses that are in no other market.' }),
})

/** The rules for a market beyond its schema. */
export const marketRules = {
  locale: 'default_locale must be one of the locales',
  regions: 'routing may include at most {most} regions',
}

/** The fields of a market that a caller writes. */
export const MarketFields = {
  code: Type.String({
    pattern: '^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$',
    description: 'Your own short name, in upper or lower case unique among markets that are not archived.',
  }),
  name: Described(Text(255), 'A name for people. Default: the code.'),
  currency: Described(CurrencyCode, 'ISO 4217 code of the currency you sell in there, such as USD.'),
  default_locale: Ruled(Described(Locale, 'The BCP 47 tag of the main language, such as en-US.'), {
    locale: marketRules.locale,
  }),
  locales: Type.Array(Locale, {
    minItems: 1,
    maxItems: 100,
    description: 'All languages, as BCP 47 tags; the default locale must be among them, and is the default.',
  }),
  routing: Ruled(
    Closed(
      {
        include: Type.Optional(
          Type.Array(RegionWrite, {
            maxItems: regionsMax,
            description:
              'The regions of the market. When several markets include a place, the closest wins: by postal code, then by subdivision, then by country, then by priority.',
          }),
        ),
        exclude: Type.Optional(
          Type.Array(RegionWrite, {
            maxItems: regionsMax,
            description: 'Regions that are not in the market, whatever `include` says.',
          }),
        ),
        priority: Type.Optional(
          Type.Integer({
            minimum: -1000,
            maximum: 1000,
            default: 0,
            description: 'When two markets include a place equally closely, the higher priority wins.',
          }),
        ),
        is_fallback: Type.Optional(
          Type.Boolean({
            default: false,
            description: 'Whether it takes addresses that are in no other market. At most one market does.',
          }),
        ),
      },
      { description: 'Which addresses are in the market; replaced as a whole.' },
    ),
    { regions: marketRules.regions },
  ),
  metadata: Metadata,
}

/** The fields of a change. */
export const MarketUpdate = Changes(MarketFields)
export type MarketUpdate = Static<typeof MarketUpdate>

/** The market to which a list is narrowed. */
export const MarketFilter = Type.String({
  minLength: 1,
  maxLength: 64,
  'x-id': true,
  examples: [exampleId('mkt')],
})

export const MarketParams = { market_id: IdParam('The market.', 'mkt') }

export const Market = Named(
  'Market',
  Closed(
    {
      ...objectHead('mkt', 'market'),
      status: OneOf(marketStatuses, { description: 'Whether it is in use.' }),
      code: Type.String({ description: 'Your own short name.' }),
      name: Type.String({ description: 'A name for people.' }),
      currency: Type.String({ description: 'ISO 4217 code of the currency you sell in there.' }),
      default_locale: Type.String({ description: 'The BCP 47 tag of the main language.' }),
      locales: Type.Array(Type.String(), { description: 'All languages, as BCP 47 tags.' }),
      routing: Described(Routing, 'Which addresses are in the market.'),
      metadata: Metadata,
      archived_at: Nullable(At('When it was archived; null if it was not.')),
    },
    { description: 'A part of the world that the merchant sells to.' },
  ),
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
