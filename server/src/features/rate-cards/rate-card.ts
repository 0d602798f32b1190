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
import { PostalPrefix, Subdivision } from '../markets/public.ts'
import { Rate } from './rate.ts'
import { Timing } from './timing.ts'

export const fulfillmentTypes = ['shipping', 'delivery', 'pickup', 'digital', 'service'] as const
export type FulfillmentType = (typeof fulfillmentTypes)[number]

export const rateCardStatuses = ['draft', 'active', 'inactive', 'archived'] as const

export const AgenticFulfillmentType = Named('AgenticFulfillmentType', OneOf(fulfillmentTypes))
export const FulfillmentRateCardStatus = Named('FulfillmentRateCardStatus', OneOf(rateCardStatuses))

const namedMax = 100

const Zone = Named(
  'Zone',
  Closed({
    country: CountryCode,
    subdivision: Type.Optional(Subdivision),
    city: Type.Optional(Text(255)),
    postal_prefixes: Type.Optional(Type.Array(PostalPrefix, { maxItems: 1000, uniqueItems: true })),
    radius_km: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 20_100,
        description: 'From the nearest of the locations. Taken only where the distance is known.',
      }),
    ),
  }),
)
export type Zone = Static<typeof Zone>

const Label = Text(64)

/** The fields of a rate card that a caller writes. */
export const RateCardFields = {
  name: Text(255),
  fulfillment_type: AgenticFulfillmentType,
  provider: Nullable(Text(255, { description: 'Who delivers, such as a carrier.' })),
  currency: CurrencyCode,
  market_ids: Type.Array(IdParam('A market.'), {
    maxItems: namedMax,
    uniqueItems: true,
    description: 'The markets it holds in. Empty: everywhere.',
  }),
  timing: Timing,
  rate: Rate,
  zones: Type.Array(Zone, { maxItems: 250, description: 'Where it goes to. Empty: everywhere.' }),
  labels: Type.Array(Label, {
    maxItems: namedMax,
    uniqueItems: true,
    description: 'Every item must carry one of these fulfilment labels. Empty: any item.',
  }),
  location_ids: Type.Array(IdParam('A business location.'), {
    maxItems: namedMax,
    uniqueItems: true,
    description:
      'Where it leaves from. Distances are measured from the nearest; its time zone is that of the first.',
  }),
  status: OneOf(['draft', 'active', 'inactive'], {
    description:
      'Default: `draft`. Only active cards count. How many of these there may be, and how much they name together, is limited.',
  }),
  metadata: Metadata,
}

/** What a change may write. */
export const RateCardUpdate = Changes(RateCardFields)
export type RateCardUpdate = Static<typeof RateCardUpdate>

export const RateCardParams = { rate_card_id: IdParam('The rate card.') }

export const RateCard = Named(
  'RateCard',
  Closed({
    ...objectHead('rc', 'rate_card'),
    status: FulfillmentRateCardStatus,
    name: Type.String(),
    fulfillment_type: AgenticFulfillmentType,
    provider: Nullable(Type.String()),
    currency: Type.String(),
    market_ids: Type.Array(Type.String()),
    timing: Timing,
    rate: Rate,
    zones: Type.Array(Zone),
    labels: Type.Array(Type.String()),
    location_ids: Type.Array(Type.String()),
    metadata: Metadata,
    archived_at: Nullable(Timestamp),
  }),
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
