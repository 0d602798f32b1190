import type { Mode } from '../../../contract/context.ts'
import { type Fragment, statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { correlate, sql } from '../../../platform/database/fragment.ts'
import { itemForSale } from '../../selling/catalog/reads.sql.ts'
import {
  answersQuotes,
  ownMerchant,
  unverifiedMerchants,
  verifiedMerchants,
} from '../../selling/merchant/reads.sql.ts'
import { hasShownCategory, shownCategories } from '../../selling/mpp-apis/reads.sql.ts'
import { hasListings, hasListingsOf, listedTypes, newestListings } from '../listings/reads.sql.ts'
import type { FoundProtocol } from './found-protocol.ts'

/** Who asks, and what every merchant of ours has. */
type Viewed = {
  mode: Mode
  viewer: Id<'acct'>
  /** Whose entries the sites are: see `registryAccount`. */
  registry: Id<'acct'>
}

/** What a list is narrowed by; null: by nothing. */
type RegistryFilter = Viewed & {
  /** As a pattern of `like`, in lower case. */
  q: string | null
  protocol: string | null
  item_type: string | null
  mpp_category: string | null
  payment_methods: readonly string[] | null
  payment_instruments: readonly string[] | null
  native_protocols: readonly string[]
  native_methods: readonly string[]
  native_instruments: readonly string[]
}

/** A merchant of ours, or a site. */
export type RegistryRow = {
  id: string
  is_native: boolean
  name: string
  slug: string | null
  domain: string | null
  country: string | null
  is_verified: boolean
  is_public: boolean
  answers_quotes: boolean
  created_at: Date
  updated_at: Date
  item_types: readonly string[]
  /** Of a site. */
  found: readonly FoundProtocol[] | null
  mpp_categories: readonly string[] | null
  payment_methods: readonly string[] | null
  payment_instruments: readonly string[] | null
}

const ofMerchant = { account_id: 'm.account_id', mode: '$mode' } as const

/** As `isPublicInMode` decides it: in live mode strangers find a merchant only once something of it is published. */
const isFound: Fragment<unknown, { mode: Mode }> =
  sql`$mode = 'test' or ${correlate(hasListings, ofMerchant)}`

/** Conditions on merchants of ours and on sites, and how many rows of each list are read, in its order; null: all, in any order. */
type Asked<P> = {
  native: Fragment<unknown, P>
  site: Fragment<unknown, P>
  first: string | null
}

const nameOfMerchant = 'coalesce(m.name, m.slug, m.domain, m.account_id) as name'
const nameOfSite = 'coalesce(e.name, e.site_name, e.host)'

/**
 * What nobody can use is not shown, nor what only a browser can. Each list is read in the order of an index of its own, so a page reads no
 * more of it than it may show. Sites stand first: a count that is over with them looks at no merchant. What is asked for is looked at
 * before what a merchant has: a filter that finds little would look into two tables for each merchant.
 */
function seen<P>({ native, site, first }: Asked<P>): Fragment<unknown, P & Viewed> {
  const inOrder = first === null ? '' : `order by sorted_name, id limit ${first}`
  const sitesOf = (rank: '0' | '1') =>
    sql`select e.id, false as is_native, ${nameOfSite} as name, null as slug, e.host as domain, null as country, ${rank} = 0 as is_verified,
       true as is_public, e.created_at, e.updated_at, ${rank} as place, lower(${nameOfSite}) as sorted_name
     from registry_entries e where e.account_id = $registry and e.mode = $mode and e.rank = ${rank} and e.rank < 2
       and e.channel is distinct from 'browser' and ${site} ${inOrder}`
  const verified = sql`select m.account_id as id, true, ${nameOfMerchant}, m.slug, m.domain, m.country, true, true, m.created_at, m.updated_at, 0, m.sorted_name
     from ${verifiedMerchants} m where case when ${native} then m.is_public and ${isFound} end ${inOrder}`
  const unverified = sql`select m.account_id as id, true, ${nameOfMerchant}, m.slug, m.domain, m.country, false, true, m.created_at, m.updated_at, 1, m.sorted_name
     from ${unverifiedMerchants} m where $mode = 'test' and case when ${native} then m.is_public end ${inOrder}`
  const preview = sql`select m.account_id as id, true, ${nameOfMerchant}, m.slug, m.domain, m.country, m.is_verified, false, m.created_at, m.updated_at, 1, m.sorted_name
     from ${correlate(ownMerchant, { account_id: '$viewer' })} m where not (m.is_public and ${isFound}) and ${native}`
  return sql`${sitesOf('0')} union all ${sitesOf('1')} union all ${verified} union all ${unverified} union all ${preview}`
}

const filteredMerchants: Fragment<unknown, RegistryFilter> =
  sql`($q::text is null or lower(m.name) like $q or m.slug like $q or m.domain like $q)
     and ($protocol::text is null or $protocol = any($native_protocols::text[]) and ($protocol = 'native' or m.slug is not null))
     and ($item_type::text is null or ${correlate(hasListingsOf, ofMerchant)})
     and ($mpp_category::text is null or ${correlate(hasShownCategory, { ...ofMerchant, domain: 'm.domain' })})
     and ($payment_methods::text[] is null or $payment_methods && $native_methods::text[])
     and ($payment_instruments::text[] is null or $payment_instruments && $native_instruments::text[])`

const filteredSites: Fragment<unknown, RegistryFilter> =
  sql`($q::text is null or lower(coalesce(e.name, e.site_name)) like $q or e.host like $q)
     and ($protocol::text is null or $protocol = any(e.speaks))
     and ($item_type::text is null or $item_type = any(e.item_types))
     and ($mpp_category::text is null or $mpp_category = any(e.mpp_categories))
     and ($payment_methods::text[] is null or e.payment_methods && $payment_methods)
     and ($payment_instruments::text[] is null or e.payment_instruments && $payment_instruments)`

const merchantOfId: Fragment<unknown, { id: string }> = sql`m.account_id = $id`
const siteOfId: Fragment<unknown, { id: string }> = sql`e.id = $id`

const ofShown = { account_id: 'm.id', mode: '$mode', domain: 'm.domain' } as const

/** The rest of what a page shows is read for its rows alone. */
function shown<P>(page: Fragment<unknown, P>): Fragment<RegistryRow, P & Viewed> {
  return sql`select /* tenantless: what is public is there for everybody, and each row says whose it is */ m.*,
     m.is_native and ${correlate(answersQuotes, { account_id: 'm.id', mode: '$mode' })} as answers_quotes,
     case when m.is_native then array(select item_type from ${correlate(listedTypes, { account_id: 'm.id', mode: '$mode' })} t)
       else e.item_types end as item_types,
     e.found, case when m.is_native then array(select category from ${correlate(shownCategories, ofShown)} c)
       else e.mpp_categories end as mpp_categories,
     e.payment_methods, e.payment_instruments
   from ${page} m
   left join registry_entries e on not m.is_native and e.account_id = $registry and e.mode = $mode and e.id = m.id
   order by m.place, m.sorted_name, m.id`
}

/** `ahead`: how many rows are looked for from the offset on. */
type Paged = RegistryFilter & { limit: number; offset: number; ahead: number }

const filtered = (first: string | null) => seen({ native: filteredMerchants, site: filteredSites, first })

const filteredPage: Fragment<unknown, Paged> = sql`select one.*, count(*) over ()::int as found_ahead from (
     select * from ${filtered('$ahead::int + $offset::int')} each_list order by place, sorted_name, id limit $ahead offset $offset) one
   order by place, sorted_name, id limit $limit + 1`

/** `found_ahead`: the rows from the offset on, as far as they were looked for. */
export const listRegistryRows = statement<RegistryRow & { found_ahead: number }, Paged>(
  '',
  shown(filteredPage),
)

const firstOnes: Fragment<{ counted: number }, RegistryFilter & { cap: number }> =
  sql`select /* tenantless: what is public is there for everybody */ count(*)::int as counted
   from (select 1 from ${filtered(null)} one limit $cap + 1) as first_ones`

export const countRegistryRows = statement<{ counted: number }, RegistryFilter & { cap: number }>(
  '',
  firstOnes,
)

export const selectRegistryRow = statement<RegistryRow, Viewed & { id: string }>(
  'select_registry_row',
  shown(seen({ native: merchantOfId, site: siteOfId, first: null })),
)

/** An item that shows what a merchant sells. */
export type RepresentativeRow = {
  account_id: Id<'acct'>
  id: string
  title: string
  url: string | null
  item_type: string
  price_min: bigint
  currency: string
}

export const selectRepresentatives = statement<
  RepresentativeRow,
  { mode: Mode; accounts: readonly string[] }
>(
  'select_representative_items',
  sql`select /* tenantless: of merchants that the caller was shown */ a.account_id, l.id, i.title, i.url, i.item_type, l.price_min, l.currency
   from unnest($accounts::text[]) as a (account_id)
   cross join lateral ${correlate(newestListings, { account_id: 'a.account_id', mode: '$mode' })} l
   cross join lateral ${correlate(itemForSale, { account_id: 'a.account_id', mode: '$mode', id: 'l.id' })} i
   order by l.id desc`,
)
