import { statement } from '../../../contract/statement.ts'
import { aggregate, type Tenanted } from '../../../platform/aggregate/aggregate.ts'
import type { PlaceKeys } from '../markets/reads.sql.ts'
import type { RateFacts } from './decide-rates.ts'
import type { RateCardRow } from './rate-card.ts'
import { rateFacts, type ZoneKeys } from './reads.sql.ts'

type Key = Tenanted & { id: string }

const rateCards = aggregate<RateCardRow>()({
  table: 'rate_cards',
  columns: `id, name, fulfillment_type, provider, currency, market_ids, timing, rate, zones, labels, location_ids, status, metadata,
    seq, created_at, updated_at, archived_at`,
  key: ['id'],
  json: ['timing', 'rate', 'zones', 'metadata'],
})

export const insertRateCard = rateCards.insert('insert_rate_card')
export const selectRateCard = rateCards.select('select_rate_card')
export const lockRateCard = rateCards.lock('lock_rate_card', 'for update')
export const updateRateCardRow = rateCards.update('update_rate_card')

/** The size of a merchant's active cards; every purchase from the merchant may have to look at all of it. */
export type RateCardStock = { cards: number; zones: number; entries: number }

/** Counts all but the card with this id. */
export const countActiveRateCards = statement<RateCardStock, Key>(
  'count_active_rate_cards',
  `select count(*)::int as cards,
     coalesce(sum(cardinality(market_ids) + cardinality(labels) + cardinality(location_ids)
       + coalesce(jsonb_array_length(rate -> 'tiers'), 0) + coalesce(jsonb_array_length(rate #> '{otherwise,tiers}'), 0)), 0)::int as entries,
     (select count(*)::int from rate_card_zones
      where account_id = $account_id and mode = $mode and rate_card_id <> $id) as zones
   from rate_cards where account_id = $account_id and mode = $mode and status = 'active' and id <> $id`,
)

type RateCardFilter = Tenanted & {
  fulfillment_type: string | null
  market_id: string | null
  status: string | null
  q: string | null
}

const filter = `account_id = $account_id and mode = $mode
  and ($fulfillment_type::text is null or fulfillment_type = $fulfillment_type)
  and ($market_id::text is null or market_ids @> array[$market_id])
  and ($status::text is null or status = $status)
  and ($q::text is null or search like $q)`

export const selectRateCards = statement<RateCardRow, RateCardFilter & { limit: number; offset: number }>(
  '',
  `select ${rateCards.columns} from rate_cards where ${filter} order by id desc limit $limit + 1 offset $offset`,
)

export const countRateCards = statement<{ counted: number }, RateCardFilter & { cap: number }>(
  '',
  `select count(*)::int as counted from (select 1 from rate_cards where ${filter} limit $cap + 1) as first_ones`,
)

/** Everything that a merchant's fees depend on, for goods that go to one place. */
export const selectRateFacts = statement<RateFacts, Tenanted & PlaceKeys & ZoneKeys>(
  'select_rate_facts',
  rateFacts,
)
