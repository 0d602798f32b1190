import Type, { type Static } from 'typebox'
import type { Mode } from '../../../contract/context.ts'
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
import { PostalPrefix, Subdivision } from '../markets/public.ts'
import { Rate } from './rate.ts'
import { Timing } from './timing.ts'

export const fulfillmentTypes = ['shipping', 'delivery', 'pickup', 'digital', 'service'] as const
export type FulfillmentType = (typeof fulfillmentTypes)[number]

const rateCardStatuses = ['draft', 'active', 'inactive', 'archived'] as const

export const AgenticFulfillmentType = Named(
  'AgenticFulfillmentType',
  OneOf(fulfillmentTypes, {
    description:
      'A way of fulfillment: shipped by a carrier, delivered locally, picked up, sent digitally, or performed as a service.',
  }),
)
export const FulfillmentRateCardStatus = Named(
  'FulfillmentRateCardStatus',
  OneOf(rateCardStatuses, { description: 'Whether a rate card counts: only an active one does.' }),
)

const namedMax = 100

const Zone = Named(
  'Zone',
  Closed(
    {
      country: Described(CountryCode, 'ISO 3166-1 alpha-2 country code, such as US.'),
      subdivision: Type.Optional(Subdivision),
      city: Type.Optional(Text(255, { description: 'Only this city.' })),
      postal_prefixes: Type.Optional(
        Type.Array(PostalPrefix, {
          maxItems: 1000,
          uniqueItems: true,
          description: 'Only postal codes that begin like this.',
        }),
      ),
      radius_km: Type.Optional(
        Type.Number({
          exclusiveMinimum: 0,
          maximum: 20_100,
          description: 'Only this far from the nearest location, in kilometers; the distance must be known.',
        }),
      ),
    },
    { description: 'A region that a rate card delivers to.' },
  ),
)
export type Zone = Static<typeof Zone>

const Label = Text(64)

/** The fields of a rate card that a caller writes. */
export const RateCardFields = {
  name: Text(255, { description: 'A name for people.' }),
  fulfillment_type: Described(AgenticFulfillmentType, 'The way of fulfillment.'),
  provider: Nullable(Text(255, { description: 'Who delivers, such as a carrier.' })),
  currency: Described(CurrencyCode, 'ISO 4217 code of its amounts, such as USD.'),
  market_ids: Type.Array(IdParam('A market.', 'mkt'), {
    maxItems: namedMax,
    uniqueItems: true,
    description: 'The markets it applies in. Empty: everywhere.',
  }),
  timing: Described(Timing, 'How long it takes.'),
  rate: Described(Rate, 'What it costs.'),
  zones: Type.Array(Zone, { maxItems: 250, description: 'Where it delivers to. Empty: everywhere.' }),
  labels: Type.Array(Label, {
    maxItems: namedMax,
    uniqueItems: true,
    description: 'Every item must have one of these fulfillment labels. Empty: any item.',
  }),
  location_ids: Type.Array(IdParam('A business location.', 'loc'), {
    maxItems: namedMax,
    uniqueItems: true,
    description:
      'Where goods leave from. Distances are measured from the nearest; the time zone is that of the first.',
  }),
  status: OneOf(['draft', 'active', 'inactive'], {
    description: 'Default: `draft`. Only active cards count, and there is a limit to how many can be active.',
  }),
  metadata: Metadata,
}

/** The fields of a change. */
export const RateCardUpdate = Changes(RateCardFields)
export type RateCardUpdate = Static<typeof RateCardUpdate>

export const RateCardParams = { rate_card_id: IdParam('The rate card.', 'rc') }

export const RateCard = Named(
  'RateCard',
  Closed(
    {
      ...objectHead('rc', 'rate_card'),
      status: Described(FulfillmentRateCardStatus, 'Only an active card counts.'),
      name: Type.String({ description: 'A name for people.' }),
      fulfillment_type: Described(AgenticFulfillmentType, 'The way of fulfillment.'),
      provider: Nullable(Type.String({ description: 'Who delivers; null if it does not say.' })),
      currency: Type.String({ description: 'ISO 4217 code of its amounts.' }),
      market_ids: Type.Array(Type.String(), { description: 'The markets it applies in. Empty: everywhere.' }),
      timing: Described(Timing, 'How long it takes.'),
      rate: Described(Rate, 'What it costs.'),
      zones: Type.Array(Zone, { description: 'Where it delivers to. Empty: everywhere.' }),
      labels: Type.Array(Type.String(), {
        description: 'Every item must have one of these fulfillment labels. Empty: any item.',
      }),
      location_ids: Type.Array(Type.String(), { description: 'Where goods leave from.' }),
      metadata: Metadata,
      archived_at: Nullable(At('When it was archived; null if it was not.')),
    },
    { description: 'What one way of fulfillment costs, and where.' },
  ),
)
export type RateCard = Static<typeof RateCard>

export type RateCardRow = {
  id: Id<'rc'>
  name: string
  fulfillment_type: FulfillmentType
  provider: string | null
  currency: string
  market_ids: string[]
  timing: Timing
  rate: Rate
  zones: Zone[]
  labels: string[]
  location_ids: string[]
  status: RateCard['status']
  metadata: Record<string, string>
  seq: number
  created_at: Date
  updated_at: Date
  archived_at: Date | null
}

export function renderRateCard(row: RateCardRow, mode: Mode): RateCard {
  return {
    id: row.id,
    object: 'rate_card',
    mode,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    status: row.status,
    name: row.name,
    fulfillment_type: row.fulfillment_type,
    provider: row.provider,
    currency: row.currency,
    market_ids: row.market_ids,
    timing: row.timing,
    rate: row.rate,
    zones: row.zones,
    labels: row.labels,
    location_ids: row.location_ids,
    metadata: row.metadata,
    archived_at: row.archived_at?.toISOString() ?? null,
  }
}
