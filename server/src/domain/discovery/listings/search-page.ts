import type { CallContext } from '../../../contract/context.ts'
import { CatalogSources, type SourceAnswer } from '../sources/public.ts'
import { beginning, type SearchPlace, type SourcePlace } from './cursor.ts'
import { findListings, type Page, placeBehind } from './find-listings.ts'
import type { FoundListing } from './listings.sql.ts'
import { type Candidate, mergePage } from './merge-page.ts'
import { type CatalogProduct, productOf } from './product.ts'
import type { Scope } from './read-scope.ts'
import type { CatalogSearch } from './search-request.ts'
import { fitted, sourceProductOf } from './source-product.ts'
import { type SourceReport, skippedReport, sourceReport } from './source-report.ts'

type Asked = {
  readonly search: CatalogSearch
  readonly scope: Scope
  readonly sort: 'relevance' | 'price_asc' | 'price_desc'
  readonly limit: number
  /** Null: the first page. */
  readonly from: SearchPlace | null
}

/** A product, and for whom it counts that it was shown. */
type Shown = { readonly product: CatalogProduct; readonly merchantId: string }

type SearchedPage = {
  readonly page: readonly Shown[]
  /** Null: nothing follows. */
  readonly next: SearchPlace | null
  /** Whether something was left out, on this page or before it. */
  readonly isPartial: boolean
  readonly sources: readonly SourceReport[]
  readonly corrected: Page['corrected']
}

/** Sources have no more pages than this in one search: what never ends is not followed for ever. */
const pagesMax = 100

/** One page of everything that is searched. Published listings are read while the sources are asked, which all are at the same time. */
export async function searchPage(ctx: CallContext, asked: Asked): Promise<SearchedPage> {
  const { place, skipped } = await beginAt(ctx, asked)
  const { mode } = ctx.tenant
  const [own, answers] = await Promise.all([
    place.published && findTimed(ctx, asked, place.published),
    place.sources.length === 0 ? [] : ctx.port(CatalogSources).search(mode, place.sources, asked.search),
  ])
  const queues = answers.map((answer) => queueOf(answer, place, asked))
  const published = own?.page ?? null
  const { page, publishedTaken, offsets, turn } = mergePage<FoundListing, Theirs>({
    published: published?.page.map((item) => ({ product: item, url: item.url, price: item.price })) ?? [],
    queues,
    sort: asked.sort,
    turn: place.turn,
    limit: asked.limit,
  })
  const pages = place.pages + 1
  const going = queues.flatMap((queue) => placesBehind(queue, offsets.get(queue.id) ?? 0))
  const isTooFar = pages >= pagesMax && going.length > 0
  const next = {
    published: published && placeBehind(published, publishedTaken),
    sources: isTooFar ? [] : going,
    turn,
    pages,
    isPartial: place.isPartial || skipped.length > 0 || isTooFar || queues.some(leavesOut),
  }
  const reports = answers.map((answer) =>
    sourceReport(answer, page.filter((one) => isOf(one, answer)).length),
  )
  return {
    page: page.map(shownOf),
    next: next.published === null && next.sources.length === 0 ? null : next,
    isPartial: next.isPartial,
    sources: [...(own ? [publishedReport(publishedTaken, own.latencyMs)] : []), ...reports, ...skipped],
    corrected: published?.corrected ?? [],
  }
}

/** A product of a source, on its way to the page. */
type Theirs = { readonly product: CatalogProduct; readonly sourceId: string }

/** The first page asks the sources that are named, or those that fit best; the ones behind ask those that have more. */
async function beginAt(
  ctx: CallContext,
  { search, scope, sort, from }: Asked,
): Promise<{ place: SearchPlace; skipped: SourceReport[] }> {
  if (from) return { place: from, skipped: [] }
  const { sources, isAll } = scope.named
    ? { sources: scope.named, isAll: true }
    : await ctx.port(CatalogSources).chosen(ctx.tenant.mode, search)
  // UCP does not say what kind of item a product is.
  const isAsked = search.filters?.item_types === undefined
  const place = {
    published: scope.isPublishedAsked ? beginning(sort) : null,
    sources: isAsked ? sources.map(({ id }, rank) => ({ id, rank, cursor: null, offset: 0 })) : [],
    turn: { isOurs: true, source: 0 },
    pages: 0,
    isPartial: !isAll,
  }
  return {
    place,
    skipped: isAsked ? [] : sources.map((source) => skippedReport(source, 'filter_unsupported')),
  }
}

async function findTimed(
  ctx: CallContext,
  { search, scope, sort, limit }: Asked,
  from: NonNullable<SearchPlace['published']>,
): Promise<{ page: Page; latencyMs: number }> {
  const beganMs = performance.now()
  const page = await findListings(ctx, { query: search.query, filter: scope.filter, sort, from, limit })
  return { page, latencyMs: performance.now() - beganMs }
}

type SourceQueue = {
  readonly id: string
  readonly rank: number
  readonly candidates: readonly Candidate<Theirs>[]
  readonly from: number
  readonly cursor: string | null
  readonly answer: SourceAnswer
}

/** What the source has for this page. Sources have no order by price, so by price each page of theirs is put in order here. */
function queueOf(
  answer: SourceAnswer,
  { sources }: SearchPlace,
  { search, scope, sort }: Asked,
): SourceQueue {
  const { source } = answer
  const { currency } = scope.filter
  const candidates = answer.products.flatMap((found) => {
    const fit = fitted(found, {
      currency,
      price: search.filters?.price,
      available: search.filters?.available,
    })
    const product = fit && sourceProductOf(answer, fit)
    if (!product) return []
    return [
      {
        product: { product, sourceId: source.id },
        url: product.url,
        price: product.price_range.min.amount,
      },
    ]
  })
  if (sort !== 'relevance')
    candidates.sort((a, b) => (sort === 'price_asc' ? a.price - b.price : b.price - a.price))
  const at = sources.find(({ id }) => id === source.id)
  return {
    id: source.id,
    rank: at?.rank ?? 0,
    candidates,
    from: at?.offset ?? 0,
    cursor: at?.cursor ?? null,
    answer,
  }
}

/** Where the source goes on: in the same page of its own, or in the next one. */
function placesBehind(queue: SourceQueue, offset: number): SourcePlace[] {
  const { id, rank, candidates, cursor, answer } = queue
  if (offset < candidates.length) return [{ id, rank, cursor, offset }]
  return answer.next === null || isTurningInCircles(queue)
    ? []
    : [{ id, rank, cursor: answer.next, offset: 0 }]
}

function leavesOut(queue: SourceQueue): boolean {
  return queue.answer.status !== 'ok' || isTurningInCircles(queue)
}

function isTurningInCircles({ cursor, answer }: SourceQueue): boolean {
  return answer.next !== null && answer.next === cursor
}

function isOf(one: FoundListing | Theirs, { source }: SourceAnswer): boolean {
  return 'sourceId' in one && one.sourceId === source.id
}

function shownOf(one: FoundListing | Theirs): Shown {
  if (!('sourceId' in one)) return { product: productOf(one), merchantId: one.account_id }
  return { product: one.product, merchantId: one.product.merchant.id ?? one.sourceId }
}

function publishedReport(returned: number, latencyMs: number): SourceReport {
  return {
    id: 'published',
    kind: 'published',
    status: 'ok',
    returned,
    latency_ms: Math.round(latencyMs),
  }
}
