import { ok, type Result, refused } from '../../../core/result.ts'
import type { QuoteRow } from './quote.ts'
import type { AnswerRow } from './quotes.sql.ts'

/**
 * What an answer of the merchant changes. A request accepts one answer; the same bytes again are a retry of it, whatever has happened to
 * the quote since, also when the merchant was asked again.
 */
export function decideResponse(
  quote: Pick<QuoteRow, 'status' | 'requested_event_id' | 'due_at'>,
  answer: { readonly eventId: string | null; readonly digest: Buffer; readonly before: AnswerRow | null },
  now: Date,
): Result<'take' | 'repeat', 'response_conflict' | 'quote_expired'> {
  if (answer.before?.digest.equals(answer.digest)) return ok('repeat')
  if (answer.before) return refused('response_conflict')
  // A quote whose time is over awaits nothing, also in the moment before it is marked as expired.
  const isAwaiting = quote.status === 'pending' && quote.due_at !== null && quote.due_at > now
  if (!isAwaiting || answer.eventId !== quote.requested_event_id) return refused('quote_expired')
  return ok('take')
}
