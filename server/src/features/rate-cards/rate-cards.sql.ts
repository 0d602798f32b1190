import type { Mode } from '../../contract/context.ts'
import { statement } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'
import { candidateMarkets, type PlaceKeys } from '../markets/public.ts'
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

/** Cards become active one after the other, so that their number can be held. */
export const lockAccount = statement<{ id: string }, { account_id: Id<'acct'> }>(
  'lock_account_for_rate_cards',
  `/* tenantless: the account's own row */ select id from accounts where id = $account_id for no key update`,
)

export const countActiveRateCards = statement<{ active: number }, Tenanted>(
  'count_active_rate_cards',
  `select count(*)::int as active from rate_cards where account_id = $account_id and mode = $mode and status = 'active'`,
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

/**
 * All that the fees of a merchant depend on, in one row: its active cards, the locations they leave from, and the markets that the
 * place can belong to. Of a merchant without cards, no more than the markets.
 */
export const selectRateFacts = statement<RateFacts, Tenanted & PlaceKeys>(
  'select_rate_facts',
  `select
     (select coalesce(jsonb_agg(to_jsonb(card) order by card.id), '[]') from (
        select id, name, fulfillment_type, provider, currency, market_ids, timing, rate, zones, labels, location_ids
        from rate_cards where ${active}) as card) as cards,
     (select coalesce(jsonb_agg(to_jsonb(place)), '[]') from (
        select id, timezone, latitude, longitude from business_locations
        where ${active} and id in (select unnest(location_ids) from rate_cards where ${active})) as place) as locations,
     (select coalesce(jsonb_agg(to_jsonb(market)), '[]') from (${candidateMarkets}) as market) as markets`,
)
