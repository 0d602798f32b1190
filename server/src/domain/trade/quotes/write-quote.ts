import { writesOf } from '../../../platform/aggregate/changes.ts'
import type { QuoteEventType } from './events.ts'
import { ownerOf, type QuoteRow, renderQuote } from './quote.ts'
import { insertQuote, updateQuote } from './quotes.sql.ts'

/** Queues a locked quote's changes and their event. */
export const { write: writeQuote } = writesOf<QuoteRow, QuoteEventType>({
  insert: insertQuote,
  update: updateQuote,
  render: renderQuote,
  // The buyer's, whoever acts; and somebody waits for each.
  about: (row) => ({ tenant: ownerOf(row), lane: 'interactive' }),
})
