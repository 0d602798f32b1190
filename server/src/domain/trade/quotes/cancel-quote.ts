import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed } from '../../../contract/schemas.ts'
import { next } from '../../../core/state-table.ts'
import { quoteTable } from './machine.ts'
import { Quote, QuoteParams } from './quote.ts'
import { quoteHeaders } from './quote-reply.ts'
import { lockQuote } from './quotes.sql.ts'
import { writeQuote } from './write-quote.ts'

export const cancelQuote = defineOperation({
  id: 'v1_cancel_quote',
  method: 'POST',
  path: '/v1/quotes/{quote_id}/cancel',
  auth: 'secret',
  scope: 'quotes:write',
  forBound: 'served',
  tag: 'Quotes',
  summary: 'Cancel a quote',
  description:
    "Works while it is pending, quoted or requires input. The merchant's answer no longer changes anything. A quote that a " +
    'purchase has used cannot be cancelled.',
  destructive: true,
  params: Closed(QuoteParams),
  responses: { 200: Quote },
  replyHeaders: { 200: ['Location', 'Cache-Control'] },
  problems: ['not_found', 'quote_not_cancellable'],
  async handle(ctx, { path }) {
    const { accountId, mode } = ctx.tenant
    const row = await ctx.tx.maybe(lockQuote({ account_id: accountId, mode, id: path.quote_id }))
    if (!row) throw new Problem('not_found', { param: 'quote_id' })
    const status = next(quoteTable, row.status, 'cancel')
    if (status === null) throw new Problem('quote_not_cancellable')
    const changes = { status, cancelled_at: ctx.now, due_at: null }
    const { object: quote } = writeQuote(ctx, row, changes, 'quote.cancelled')
    return reply(200, quote, { headers: quoteHeaders(ctx, quote) })
  },
})
