import { defineOperation, reply } from '../../../contract/operation.ts'
import { pageOf, renderList, totalCap } from '../../../contract/page.ts'
import { Closed, ListOf, Page } from '../../../contract/schemas.ts'
import { Quote, renderQuote } from './quote.ts'
import { countQuotes, selectQuotes } from './quotes.sql.ts'

const limitDefault = 20

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
