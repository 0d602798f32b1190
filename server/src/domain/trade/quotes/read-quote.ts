import type { Reads, Tenant } from '../../../contract/context.ts'
import type { QuoteAsRead } from './quote.ts'
import { selectQuote } from './quotes.sql.ts'

/** The buyer's quote of this id; null where there is none. */
export function readQuote(
  reads: Pick<Reads, 'maybe'>,
  { accountId, mode }: Tenant,
  id: string,
): Promise<QuoteAsRead | null> {
  return reads.maybe(selectQuote({ account_id: accountId, mode, id }))
}
