import type { Mode } from '../../../contract/context.ts'
import { type Fragment, statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { correlate, sql } from '../../../platform/database/fragment.ts'
import type { Item } from '../../selling/catalog/public.ts'
import { itemForSale, itemsNamed, listingsOfItems } from '../../selling/catalog/reads.sql.ts'
import { findableMerchant, merchantsNamed } from '../../selling/merchant/reads.sql.ts'

type Named = { account_ids: readonly string[]; modes: readonly string[]; ids: readonly string[] }

/** Words without digits, as people misspell them. Codes are found as they are, or not at all. */
const isSpelled = `lexeme ~ '^[^0-9]{2,40}$'`

/**
 * Lists these items as they are now: puts, replaces and removes listings. Words are put in one order, so that two relays which put the
 * same ones wait for each other and never in a circle.
 */
export const listItems = statement<never, Named>(
  'list_items',
  sql`with /* tenantless: each item names its own */ made as materialized (
     select * from ${listingsOfItems} listed
   ), gone as (
     delete from listings l using unnest($account_ids::text[], $modes::mode[], $ids::text[]) as of (account_id, mode, id)
     where l.account_id = of.account_id and l.mode = of.mode and l.id = of.id
       and not exists (select from made m where m.account_id = l.account_id and m.mode = l.mode and m.id = l.id)
   ), put as (
     insert into listings as l select * from made
     on conflict (account_id, mode, id) do update set words = excluded.words, title_words = excluded.title_words,
       item_type = excluded.item_type, categories = excluded.categories, currency = excluded.currency, price_min = excluded.price_min,
       price_max = excluded.price_max, is_available = excluded.is_available
     where l is distinct from excluded
   )
   insert into listing_words (mode, word, spellings)
   select mode, lexeme, prokura_spellings(lexeme) from (
     select distinct m.mode, one.lexeme from made m, unnest(ts_filter(m.words, '{a,b}')) as one
   ) as said
   where ${isSpelled} and not exists (select from listing_words w where w.mode = said.mode and w.word = said.lexeme)
   order by mode, lexeme
   on conflict do nothing`,
)

/** A word of a query. */
export type AskedWord = {
  word: string
  /** Its stems; empty for a word that says nothing, such as "the". */
  stems: string[]
  is_known: boolean
  /** Words that are written much like it, for one that is not known; for each, where the search is wide. */
  near: string[]
}

const nearMax = 20

export const readAskedWords = statement<
  AskedWord,
  { mode: Mode; query: string; words_max: number; is_wide: boolean }
>(
  'read_asked_words',
  `with /* tenantless: the words of everything that is published */ asked as (
     select word, min(place) as place from unnest(string_to_array(prokura_words($query), ' ')) with ordinality as one (word, place)
     where word <> '' group by word order by 2 limit $words_max
   ), known as (
     select asked.*, coalesce(ts_lexize('english_stem', left(word, 200)), '{}') as stems,
       exists (select from listing_words w where w.mode = $mode and w.word = asked.word) as is_known
     from asked
   )
   select word, stems, is_known, case when is_known and not $is_wide then '{}' else array(
     (select w.word from listing_words w where w.mode = $mode and w.spellings && prokura_spellings(known.word) limit ${nearMax})
     union
     (select w.word from listing_words w where w.mode = $mode and length(known.word) between 7 and 40 and w.word % known.word
      order by similarity(w.word, known.word) desc, w.word limit ${nearMax})
   ) end as near
   from known order by place`,
)

export const selectMerchantsNamed = statement<
  { account_id: Id<'acct'> },
  { mode: Mode; ids: readonly string[]; slugs: readonly string[]; domains: readonly string[] }
>('select_merchants_named', merchantsNamed)

/** What a search asks for, besides its words. */
export type ListingFilter = {
  mode: Mode
  viewer: Id<'acct'>
  /** Only these merchants; null: all. */
  merchants: readonly string[] | null
  item_types: readonly string[] | null
  /** In the words that the caller wrote. */
  categories: readonly string[] | null
  currency: string | null
  price_min: number | null
  price_max: number | null
  available: boolean | null
}

/** An item for sale, and who sells it. */
export type SoldItem = Item & {
  merchant_name: string | null
  merchant_slug: string | null
  merchant_domain: string | null
  merchant_country: string | null
  is_verified: boolean
  answers_quotes: boolean
}

/** An item that was found. */
export type FoundListing = SoldItem & {
  /** How well it matches, in millionths. */
  score: number
  price: number
  /** How many listings were looked at, and the last of them in order of time. */
  looked_at: number
  last_id: string
}

const fits = `l.mode = $mode
  and ($merchants::text[] is null or l.account_id = any($merchants))
  and ($item_types::text[] is null or l.item_type = any($item_types))
  and ($categories::text[] is null or l.categories && array(select prokura_words(asked) from unnest($categories) as asked))
  and ($currency::text is null or l.currency = $currency)
  and ($price_min::bigint is null or l.price_max >= $price_min) and ($price_max::bigint is null or l.price_min <= $price_max)
  and ($available::boolean is null or l.is_available = $available)`

const item = correlate(itemForSale, { account_id: 'r.account_id', mode: 'r.mode', id: 'r.id' })
/** Who sells it, if the caller may find them: what nobody may find takes no place among what is ranked. */
const merchant = correlate(findableMerchant, { account_id: 'l.account_id', mode: 'l.mode' })
const seller = `m.name as merchant_name, m.slug as merchant_slug, m.domain as merchant_domain, m.country as merchant_country, m.is_verified,
  m.answers_quotes`
const listed = `l.account_id, l.mode, l.id, l.price_min, ${seller}`

/** Items are read in the order of `r`, until there are enough. */
function foundAmong<Params>(ranked: Fragment<object, Params>, order: string) {
  return sql`with /* tenantless: what is published is there for everybody */ r as ${ranked}
   select i.*, r.merchant_name, r.merchant_slug, r.merchant_domain, r.merchant_country, r.is_verified, r.answers_quotes,
     r.score::int as score, r.price_min::float8 as price, r.looked_at, r.last_id
   from r cross join lateral ${item} i
   order by ${order} limit $limit + 1`
}

/**
 * How many of the newest listings that match are ranked at once. A word that a million listings have is so ranked within the newest of
 * them; the pages behind go on with older ones.
 */
export const rankedAtOnce = 2_000

/** Matches in title and codes, categories and options, description; a title of few words counts for more. */
const score = `round(1000000 * ts_rank('{0.05, 0.1, 0.4, 1}', l.words, $words::tsquery) / (1 + ln(greatest(l.title_words, 1))))::int`

/** The best of the newest matches first. `before`: matches that are older than this one. */
export const searchByRelevance = statement<
  FoundListing,
  ListingFilter & { words: string; before: string; score: number; id: string; limit: number }
>(
  '',
  foundAmong(
    sql`select * from (
       select *, (count(*) over ())::int as looked_at, min(id) over () as last_id from (
         select ${listed}, ${score} as score from listings l cross join lateral ${merchant} m
         where ${fits} and l.words @@ $words::tsquery and l.id < $before order by l.id desc limit ${String(rankedAtOnce)}
       ) as newest
     ) as ranked where (score, id) < ($score, $id) order by score desc, id desc offset 0`,
    'r.score desc, r.id desc',
  ),
)

type Priced = ListingFilter & { words: string | null; price: number; id: string; limit: number }

function byPrice(direction: 'asc' | 'desc') {
  const behind = direction === 'asc' ? '>' : '<'
  return statement<FoundListing, Priced>(
    '',
    foundAmong(
      sql`select ${listed}, 0 as score, 0 as looked_at, '' as last_id from listings l cross join lateral ${merchant} m
     where ${fits} and ($words::text is null or l.words @@ $words::tsquery) and (l.price_min, l.id) ${behind} ($price, $id)
     order by l.price_min ${direction}, l.id ${direction} offset 0`,
      `r.price_min ${direction}, r.id ${direction}`,
    ),
  )
}

export const searchCheapestFirst = byPrice('asc')
export const searchDearestFirst = byPrice('desc')

/** Without words: the newest first. */
export const searchNewestFirst = statement<FoundListing, ListingFilter & { id: string; limit: number }>(
  '',
  foundAmong(
    sql`select ${listed}, 0 as score, 0 as looked_at, '' as last_id from listings l cross join lateral ${merchant} m
     where ${fits} and l.id < $id order by l.id desc offset 0`,
    'r.id desc',
  ),
)

const merchantItems = correlate(itemsNamed, { account_id: 'm.account_id' })

/** The items of one merchant that these names mean, if the viewer may find the merchant. */
export const selectSoldItems = statement<
  SoldItem,
  {
    account_id: Id<'acct'>
    mode: Mode
    viewer: Id<'acct'>
    names: readonly string[]
    urls: readonly string[]
  }
>(
  'select_sold_items',
  sql`select i.*, ${seller} from ${findableMerchant} m cross join lateral ${merchantItems} i order by i.id`,
)
