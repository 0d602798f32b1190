import { defineOperation, reply } from '../../../contract/operation.ts'
import { pageOf, renderList, totalCap } from '../../../contract/page.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, ListOf, Page } from '../../../contract/schemas.ts'
import { Quote, QuoteParams, renderQuote } from './quote.ts'
import { quoteHeaders, readingHeaders } from './quote-reply.ts'
import { countQuotes, selectQuote, selectQuotes } from './quotes.sql.ts'

const limitDefault = 20

export const getQuote = defineOperation({
  id: 'v1_get_quote',
  method: 'GET',
  path: '/v1/quotes/{quote_id}',
  auth: 'secret',
  scope: 'quotes:read',
  forBound: 'served',
  tag: 'Quotes',
  summary: 'Read a quote',
  description:
    'Shows its status and its offers. While it is `pending`, read it again after a few seconds; it fails after 15 minutes ' +
    'without an answer.',
  params: Closed(QuoteParams),
  responses: { 200: Quote },
  answers: { 200: 'While the quote is pending, `Retry-After` says when to read it again.' },
  replyHeaders: readingHeaders,
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const { accountId, mode } = ctx.tenant
    const row = await ctx.reads.maybe(selectQuote({ account_id: accountId, mode, id: path.quote_id }))
    if (!row) throw new Problem('not_found', { param: 'quote_id' })
    const quote = renderQuote(row)
    return reply(200, quote, { headers: quoteHeaders(ctx, quote) })
  },
})

export const listQuotes = defineOperation({
  id: 'v1_list_quotes',
  method: 'GET',
  path: '/v1/quotes',
  auth: 'secret',
  scope: 'quotes:read',
  forBound: 'served',
  tag: 'Quotes',
  summary: 'List quotes, newest first',
  description: 'The quotes that this account has asked merchants for.',
  query: Closed(Page(limitDefault, 200)),
  responses: { 200: ListOf(Quote, 'QuoteList') },
  replyHeaders: { 200: ['Cache-Control'] },
  async handle(ctx, { query }) {
    const { tenant, profileId } = ctx
    const filter = { account_id: tenant.accountId, mode: tenant.mode, profile_id: profileId }
    const page = pageOf(query, limitDefault)
    const [rows, counted] = await Promise.all([
      ctx.reads.rows(selectQuotes({ ...filter, ...page })),
      ctx.reads.maybe(countQuotes({ ...filter, cap: totalCap })),
    ])
    const headers = { 'cache-control': 'private, no-store' }
    return reply(200, renderList(rows, counted?.counted ?? 0, page, renderQuote), { headers })
  },
})
