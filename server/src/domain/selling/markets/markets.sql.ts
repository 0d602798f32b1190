import { statement } from '../../../contract/statement.ts'
import { aggregate, type Tenanted } from '../../../platform/aggregate/aggregate.ts'
import type { MarketRow } from './market.ts'

type Key = Tenanted & { id: string }

const markets = aggregate<MarketRow>()({
  table: 'markets',
  columns: `id, code, name, currency, default_locale, locales, include, exclude, priority, is_fallback, status, metadata, seq,
    created_at, updated_at, archived_at`,
  key: ['id'],
  json: ['include', 'exclude', 'metadata'],
})

export const insertMarket = markets.insert('insert_market')
export const selectMarket = markets.select('select_market')
export const lockMarket = markets.lock('lock_market', 'for no key update')
export const updateMarketRow = markets.update('update_market')

export const selectMarkets = statement<MarketRow, Tenanted & { limit: number; offset: number }>(
  'select_markets',
  `select ${markets.columns} from markets where account_id = $account_id and mode = $mode
   order by id desc limit $limit + 1 offset $offset`,
)

export const countMarkets = statement<{ counted: number; unarchived: number }, Tenanted>(
  'count_markets',
  `select count(*)::int as counted, (count(*) filter (where status <> 'archived'))::int as unarchived
   from markets where account_id = $account_id and mode = $mode`,
)

/**
 * How many regions the merchant's other markets include and exclude; a purchase may have to look at all of them. Run it under
 * `lockAccount`.
 */
export const countNamedRegions = statement<{ named: number }, Key>(
  'count_named_regions',
  `select coalesce(sum(1 + jsonb_array_length(region -> 'subdivisions') + jsonb_array_length(region -> 'postal_prefixes')), 0)::int as named
   from markets cross join lateral jsonb_array_elements(include || exclude) as region
   where account_id = $account_id and mode = $mode and status <> 'archived' and id <> $id`,
)

/** Parts of what a market includes, as lists of equal length. */
export type AtomLists = { countries: string[]; subdivisions: string[]; postal_prefixes: string[] }

type Routing = Key & AtomLists & { priority: number }

/** Other markets that one of these atoms is routed to at this priority, and another fallback. Run it under `lockAccount`. */
export const selectRivals = statement<
  { code: string; is_fallback: boolean; country: string | null; subdivision: string; postal_prefix: string },
  Routing
>(
  'select_market_rivals',
  `(select m.code, false as is_fallback, r.country, r.subdivision, r.postal_prefix
    from unnest($countries::text[], $subdivisions::text[], $postal_prefixes::text[]) as wanted (country, subdivision, postal_prefix)
    join market_regions r on r.account_id = $account_id and r.mode = $mode and r.country = wanted.country
      and r.subdivision = wanted.subdivision and r.postal_prefix = wanted.postal_prefix and r.priority = $priority::int
    join markets m on m.account_id = r.account_id and m.mode = r.mode and m.id = r.market_id
    where r.market_id <> $id limit 1)
   union all
   (select code, true, null, '', '' from markets
    where account_id = $account_id and mode = $mode and is_fallback and status <> 'archived' and id <> $id limit 1)`,
)

export const deleteRegions = statement<never, Key>(
  'delete_market_regions',
  'delete from market_regions where account_id = $account_id and mode = $mode and market_id = $id',
)

export const insertRegions = statement<never, Routing>(
  'insert_market_regions',
  `insert into market_regions (account_id, mode, country, subdivision, postal_prefix, priority, market_id)
   select $account_id, $mode::mode, country, subdivision, postal_prefix, $priority::int, $id
   from unnest($countries::text[], $subdivisions::text[], $postal_prefixes::text[]) as wanted (country, subdivision, postal_prefix)`,
)

/** Those of the ids that the tenant has. */
export const selectMarketsByIds = statement<MarketRow, Tenanted & { ids: readonly string[] }>(
  'select_markets_by_ids',
  `select ${markets.columns} from markets where account_id = $account_id and mode = $mode and id = any($ids::text[])`,
)
