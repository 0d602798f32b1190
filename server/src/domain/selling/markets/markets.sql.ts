import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import type { RoutedMarket } from './decide-market.ts'
import type { MarketRow } from './market.ts'
import { candidateMarkets, type PlaceKeys } from './reads.sql.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }
type Key = Tenanted & { id: string }

/** Every column a market is written with. */
export type MarketWrite = Omit<MarketRow, 'include' | 'exclude' | 'metadata'> &
  Tenanted & { include: string; exclude: string; metadata: string }

const columns = `id, code, name, currency, default_locale, locales, include, exclude, priority, is_fallback, status, metadata, seq,
  created_at, updated_at, archived_at`

export const insertMarket = statement<never, MarketWrite>(
  'insert_market',
  `insert into markets (account_id, mode, ${columns})
   values ($account_id, $mode, $id, $code, $name, $currency, $default_locale, $locales, $include, $exclude, $priority, $is_fallback,
     $status, $metadata, $seq, $created_at, $updated_at, $archived_at)`,
)

export const selectMarket = statement<MarketRow, Key>(
  'select_market',
  `select ${columns} from markets where account_id = $account_id and mode = $mode and id = $id`,
)

export const lockMarket = statement<MarketRow, Key>(
  'lock_market',
  `select ${columns} from markets where account_id = $account_id and mode = $mode and id = $id for no key update`,
)

/** Under `lockMarket`. */
export const updateMarketRow = statement<never, MarketWrite>(
  'update_market',
  `update markets set code = $code, name = $name, currency = $currency, default_locale = $default_locale, locales = $locales,
     include = $include, exclude = $exclude, priority = $priority, is_fallback = $is_fallback, status = $status,
     metadata = $metadata, seq = $seq, updated_at = $updated_at, archived_at = $archived_at
   where account_id = $account_id and mode = $mode and id = $id`,
)

export const selectMarkets = statement<MarketRow, Tenanted & { limit: number; offset: number }>(
  'select_markets',
  `select ${columns} from markets where account_id = $account_id and mode = $mode
   order by id desc limit $limit + 1 offset $offset`,
)

export const countMarkets = statement<{ counted: number; unarchived: number }, Tenanted>(
  'count_markets',
  `select count(*)::int as counted, (count(*) filter (where status <> 'archived'))::int as unarchived
   from markets where account_id = $account_id and mode = $mode`,
)

/** How much the merchant's other markets include and exclude, all of which a purchase may have to look at. Under `lockAccount`. */
export const countNamedRegions = statement<{ named: number }, Key>(
  'count_named_regions',
  `select coalesce(sum(1 + jsonb_array_length(region -> 'subdivisions') + jsonb_array_length(region -> 'postal_prefixes')), 0)::int as named
   from markets cross join lateral jsonb_array_elements(include || exclude) as region
   where account_id = $account_id and mode = $mode and status <> 'archived' and id <> $id`,
)

/** Parts of what a market includes, as lists of equal length. */
export type AtomLists = { countries: string[]; subdivisions: string[]; postal_prefixes: string[] }

type Routing = Key & AtomLists & { priority: number }

/** Who else is routed to one of these atoms at this priority, and who else is the fallback. Under `lockAccount`. */
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
  `select ${columns} from markets where account_id = $account_id and mode = $mode and id = any($ids::text[])`,
)

export const selectCandidateMarkets = statement<RoutedMarket, Tenanted & PlaceKeys>(
  'select_candidate_markets',
  candidateMarkets,
)
