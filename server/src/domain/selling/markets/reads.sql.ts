import type { Mode } from '../../../contract/context.ts'
import type { Fragment } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { sql } from '../../../platform/database/fragment.ts'
import type { RoutedMarket } from './decide-market.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }

export type PlaceKeys = {
  country: string | null
  subdivisions: readonly string[]
  postal_prefixes: readonly string[]
}

/** The included or excluded regions in the place's country: no others can matter. */
function ofCountry(regions: 'include' | 'exclude'): string {
  return `(select coalesce(jsonb_agg(region), '[]') from jsonb_array_elements(${regions}) as region
    where region ->> 'country' = $country::text) as ${regions}`
}

/** The markets that a place can belong to, and the fallback; `decideMarket` decides which of them it is. */
export const candidateMarkets: Fragment<RoutedMarket, Tenanted & PlaceKeys> =
  sql`select id, code, currency, ${ofCountry('include')}, ${ofCountry('exclude')}, priority, is_fallback from markets
  where account_id = $account_id and mode = $mode and status <> 'archived' and (is_fallback or id in (
    select market_id from market_regions where account_id = $account_id and mode = $mode and country = $country::text
      and subdivision = any($subdivisions::text[]) and postal_prefix = any($postal_prefixes::text[])))`
