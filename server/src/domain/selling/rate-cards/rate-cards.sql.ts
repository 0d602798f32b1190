import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { sql } from '../../../platform/database/fragment.ts'
import { activePlaces } from '../locations/reads.sql.ts'
import { candidateMarkets, type PlaceKeys } from '../markets/reads.sql.ts'
import type { RateFacts } from './decide-rates.ts'
import type { RateCardRow } from './rate-card.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }
type Key = Tenanted & { id: string }

/** Every column a rate card is written with. */
export type RateCardWrite = Omit<RateCardRow, 'timing' | 'rate' | 'zones' | 'metadata'> &
  Tenanted & { timing: string; rate: string; zones: string; metadata: string }

const columns = `id, name, fulfillment_type, provider, currency, market_ids, timing, rate, zones, labels, location_ids, status, metadata,
  seq, created_at, updated_at, archived_at`

export const insertRateCard = statement<never, RateCardWrite>(
  'insert_rate_card',
  `insert into rate_cards (account_id, mode, ${columns})
   values ($account_id, $mode, $id, $name, $fulfillment_type, $provider, $currency, $market_ids, $timing, $rate, $zones, $labels,
     $location_ids, $status, $metadata, $seq, $created_at, $updated_at, $archived_at)`,
)

export const selectRateCard = statement<RateCardRow, Key>(
  'select_rate_card',
  `select ${columns} from rate_cards where account_id = $account_id and mode = $mode and id = $id`,
)

export const lockRateCard = statement<RateCardRow, Key>(
  'lock_rate_card',
  `select ${columns} from rate_cards where account_id = $account_id and mode = $mode and id = $id for update`,
)

/** Under `lockRateCard`. */
export const updateRateCardRow = statement<never, RateCardWrite>(
  'update_rate_card',
  `update rate_cards set name = $name, fulfillment_type = $fulfillment_type, provider = $provider, currency = $currency,
     market_ids = $market_ids, timing = $timing, rate = $rate, zones = $zones, labels = $labels, location_ids = $location_ids,
     status = $status, metadata = $metadata, seq = $seq, updated_at = $updated_at, archived_at = $archived_at
   where account_id = $account_id and mode = $mode and id = $id`,
)

/** How much there is of a merchant's active cards; every purchase from it may have to look at all of it. */
export type RateCardStock = { cards: number; zones: number; entries: number }

/** Of all but the card of this id. */
export const countActiveRateCards = statement<RateCardStock, Key>(
  'count_active_rate_cards',
  `select count(*)::int as cards,
     coalesce(sum(cardinality(market_ids) + cardinality(labels) + cardinality(location_ids)
       + coalesce(jsonb_array_length(rate -> 'tiers'), 0) + coalesce(jsonb_array_length(rate #> '{otherwise,tiers}'), 0)), 0)::int as entries,
     (select count(*)::int from rate_card_zones
      where account_id = $account_id and mode = $mode and rate_card_id <> $id) as zones
   from rate_cards where account_id = $account_id and mode = $mode and status = 'active' and id <> $id`,
)

export type RateCardFilter = Tenanted & {
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
  `select ${columns} from rate_cards where ${filter} order by id desc limit $limit + 1 offset $offset`,
)

export const countRateCards = statement<{ counted: number }, RateCardFilter & { cap: number }>(
  '',
  `select count(*)::int as counted from (select 1 from rate_cards where ${filter} limit $cap + 1) as first_ones`,
)

const active = `account_id = $account_id and mode = $mode and status = 'active'`

/** Where goods go to, in the form of the zones' own table; without an address, what goes everywhere. */
export type ZoneKeys = { zone_subdivisions: readonly string[]; zone_prefixes: readonly string[] }

/** As a caller would have written it, so that places are compared with it by the same rule. */
const zone = `jsonb_strip_nulls(jsonb_build_object('country', country,
  'subdivision', case subdivision when '' then null when '?' then country || '-' else country || '-' || subdivision end,
  'city', city, 'radius_km', radius_km,
  'postal_prefixes', case postal_prefix when '' then null else jsonb_build_array(postal_prefix) end))`

/**
 * All that the fees of a merchant depend on, in one row: its active cards that can go to the place, with those of their zones that it can
 * be in; of the others no more than it takes to say that they do not; the locations that cards leave from, and the markets that the place
 * can belong to. A merchant may have thousands of zones, and no purchase waits for more of them than its own.
 */
export const selectRateFacts = statement<RateFacts, Tenanted & PlaceKeys & ZoneKeys>(
  'select_rate_facts',
  sql`with reached as materialized (
     select rate_card_id as id, coalesce(jsonb_agg(distinct ${zone}) filter (where country <> ''), '[]') as zones
     from rate_card_zones
     where account_id = $account_id and mode = $mode and country in ('', $country::text)
       and postal_prefix = any($zone_prefixes::text[]) and subdivision = any($zone_subdivisions::text[])
     group by rate_card_id)
   select
     (select coalesce(jsonb_agg(to_jsonb(card) order by card.id), '[]') from (
        select id, name, fulfillment_type, provider, currency, market_ids, timing, rate, reached.zones, labels, location_ids
        from reached join rate_cards using (id) where ${active}) as card) as cards,
     (select coalesce(jsonb_agg(to_jsonb(card) order by card.id), '[]') from (
        select id, name, fulfillment_type, currency, market_ids
        from rate_cards where ${active} and id not in (select id from reached)) as card) as unreached,
     (select coalesce(jsonb_agg(to_jsonb(place)), '[]') from (
        select * from ${activePlaces} as active where active.id in (
          select unnest(location_ids) from reached join rate_cards using (id) where ${active})) as place) as locations,
     (select coalesce(jsonb_agg(to_jsonb(market)), '[]') from ${candidateMarkets} as market) as markets`,
)
