import type { Mode } from '../../../contract/context.ts'
import type { Fragment } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { sql } from '../../../platform/database/fragment.ts'
import { activePlaces } from '../locations/reads.sql.ts'
import { candidateMarkets, type PlaceKeys } from '../markets/reads.sql.ts'
import type { RateFacts } from './decide-rates.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }

const active = `account_id = $account_id and mode = $mode and status = 'active'`

/** A destination in the form of the zones' own table; without an address, it matches what goes everywhere. */
export type ZoneKeys = { zone_subdivisions: readonly string[]; zone_prefixes: readonly string[] }

/** In the form in which a caller would have written it, so that places are compared with it by the same rule. */
const zone = `jsonb_strip_nulls(jsonb_build_object('country', country,
  'subdivision', case subdivision when '' then null when '?' then country || '-' else country || '-' || subdivision end,
  'city', city, 'radius_km', radius_km,
  'postal_prefixes', case postal_prefix when '' then null else jsonb_build_array(postal_prefix) end))`

/**
 * Everything that a merchant's fees depend on, in one row: its active cards that can go to the place, with those of their zones that it
 * can be in; of the other cards only enough to say that they do not apply; the locations that cards leave from, and the markets that the
 * place can belong to. A merchant may have thousands of zones, and a purchase reads only those that concern it.
 */
export const rateFacts: Fragment<RateFacts, Tenanted & PlaceKeys & ZoneKeys> =
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
     (select coalesce(jsonb_agg(to_jsonb(market)), '[]') from ${candidateMarkets} as market) as markets`
