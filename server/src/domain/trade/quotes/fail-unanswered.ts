import type { ActingContext } from '../../../contract/context.ts'
import type { QuoteRow } from './quote.ts'
import { lockRequestedQuotes } from './quotes.sql.ts'
import { writeQuote } from './write-quote.ts'

/** A request for a quote that will not be sent again, and the status of its last attempt, if there was an answer. */
type Failed = {
  readonly eventId: string
  readonly mode: string
  readonly accountId: string
  readonly aggregateId: string
  readonly httpStatus: number | null
}

/**
 * What happens to a quote whose request failed for good. Quotes are locked before deliveries, as the merchant's answers lock them. A
 * merchant that answered with an error status has failed. A merchant that is silent may still be working on it, and the quote waits on.
 */
export async function failUnanswered(
  ctx: ActingContext,
  failed: readonly Failed[],
): Promise<(one: Failed) => void> {
  const refused = failed.filter(({ httpStatus }) => httpStatus !== null)
  if (refused.length === 0) return () => undefined
  const rows = await ctx.tx.rows(
    lockRequestedQuotes({
      account_ids: refused.map(({ accountId }) => accountId),
      modes: refused.map(({ mode }) => mode),
      ids: refused.map(({ aggregateId }) => aggregateId),
    }),
  )
  const byEvent = new Map(rows.map((row): [string | null, QuoteRow] => [row.requested_event_id, row]))
  return ({ eventId, httpStatus }) => {
    const row = byEvent.get(eventId)
    if (httpStatus === null || row?.status !== 'pending') return
    writeQuote(ctx, row, { status: 'failed', failure: 'responder_failed', due_at: null }, 'quote.failed')
  }
}
