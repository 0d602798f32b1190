import type { Mode } from '../../../contract/context.ts'
import type { Fragment } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { sql } from '../../../platform/database/fragment.ts'
import type { QuoteAsRead } from './quote.ts'
import { selectQuote } from './quotes.sql.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }

/** The destination that a quote asks, and the event that asks. */
export const quoteRequest: Fragment<
  { merchant_account_id: Id<'acct'>; requested_event_id: Id<'evt'> },
  Tenanted & { quote_id: string }
> =
  sql`select merchant_account_id, requested_event_id from quotes where account_id = $account_id and mode = $mode and id = $quote_id`

/** A quote, whole. */
export const quoteById: Fragment<QuoteAsRead, Tenanted & { id: string }> = selectQuote
