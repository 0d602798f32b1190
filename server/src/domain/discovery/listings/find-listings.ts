import type { CallContext } from '../../../contract/context.ts'
import type { Statement } from '../../../contract/statement.ts'
import { type Asked, askedOf } from './asked-words.ts'
import { beginning, type Place } from './cursor.ts'
import {
  type FoundListing,
  type ListingFilter,
  rankedAtOnce,
  readAskedWords,
  searchByRelevance,
  searchCheapestFirst,
  searchDearestFirst,
  searchNewestFirst,
} from './listings.sql.ts'

type Search = {
  query: string | undefined
  filter: ListingFilter
  sort: 'relevance' | 'price_asc' | 'price_desc'
  from: Place
  limit: number
}

export type Page = {
  page: FoundListing[]
  /** Where the page begins, and how it was searched. */
  from: Place
  /** Where the next page begins; null where nothing follows. */
  next: Place | null
  corrected: Asked['corrected']
}

/** A query is read up to this word; nobody remembers what they meant by the next one. */
const wordsMax = 12

/**
 * One page. Where the words find nothing as they are, they are searched for in close spellings too: somebody who cannot be found, or who
 * sells something else, may have published the mistake as a word.
 */
export async function findListings(
  ctx: Pick<CallContext, 'reads' | 'tenant'>,
  search: Search,
): Promise<Page> {
  const page = await find(ctx, search)
  const isBeginning = search.from.before === '~' && search.from.id === beginning(search.sort).id
  if (page.page.length > 0 || search.query === undefined || !isBeginning) return page
  return find(ctx, { ...search, from: { ...search.from, isWide: true } })
}

async function find(ctx: Pick<CallContext, 'reads' | 'tenant'>, search: Search): Promise<Page> {
  const { from, limit } = search
  const asked = await readAsked(ctx, search)
  if (!asked) return { page: [], from, next: null, corrected: [] }
  const found = await ctx.reads.rows(statementOf(asked, search))
  return {
    page: found.slice(0, limit),
    from,
    next: nextPlace(found, limit, from),
    corrected: asked.corrected,
  }
}

/** Where the next page begins if only so many of this one are shown. */
export function placeBehind({ page, from, next }: Page, taken: number): Place | null {
  const last = page[taken - 1]
  if (taken === page.length) return next
  return last ? behind(from, last) : from
}

function behind(from: Place, { score, price, id }: FoundListing): Place {
  return { ...from, score, price, id }
}

/** The words of the query; null where it has words, and none of them can be found. */
async function readAsked(
  ctx: Pick<CallContext, 'reads' | 'tenant'>,
  { query, from }: Search,
): Promise<Asked | null> {
  if (query === undefined) return { tsquery: null, corrected: [] }
  const words = await ctx.reads.rows(
    readAskedWords({ mode: ctx.tenant.mode, query, words_max: wordsMax, is_wide: from.isWide }),
  )
  const asked = askedOf(words)
  return asked.tsquery === null ? null : asked
}

function statementOf(asked: Asked, { filter, sort, from, limit }: Search): Statement<FoundListing> {
  const words = asked.tsquery
  if (sort === 'price_asc') return searchCheapestFirst({ ...filter, ...from, words, limit })
  if (sort === 'price_desc') return searchDearestFirst({ ...filter, ...from, words, limit })
  if (words === null) return searchNewestFirst({ ...filter, ...from, limit })
  return searchByRelevance({ ...filter, ...from, words, limit })
}

/** Behind the last product of the page, or behind the newest matches that were ranked. */
function nextPlace(found: readonly FoundListing[], limit: number, from: Place): Place | null {
  const last = found[limit - 1]
  if (found.length > limit && last) return behind(from, last)
  const [any] = found
  if (any && any.looked_at === rankedAtOnce)
    return { ...beginning('relevance'), before: any.last_id, isWide: from.isWide }
  return null
}
