import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed } from '../../../contract/schemas.ts'
import { Quote, QuoteParams, renderQuote } from './quote.ts'
import { quoteHeaders, readingHeaders } from './quote-reply.ts'
import { selectQuote } from './quotes.sql.ts'

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
