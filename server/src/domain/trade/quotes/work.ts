import type { ActingContext } from '../../../contract/context.ts'
import { leaseStatements } from '../../../platform/work/lease.sql.ts'
import type { WorkKind } from '../../../platform/work/work.ts'
import type { QuoteRow } from './quote.ts'
import { type ClaimedQuote, claimDueQuotes, lockDueQuote } from './quotes.sql.ts'
import { writeQuote } from './write-quote.ts'

/** Ends quotes whose time is over: offers that were not accepted, and requests that were not answered. */
export const quoteWork: WorkKind<ClaimedQuote> = {
  kind: 'quotes',
  leaseSeconds: 30,
  concurrency: 6,
  // Nobody depends on a quote's last second: accepting and answering check the time themselves.
  pollMs: 1000,
  claim: claimDueQuotes,
  ...leaseStatements('quotes'),
  async step(ctx, claimed) {
    await ctx.transaction(async (acting) => {
      const row = await acting.tx.maybe(lockDueQuote(claimed))
      // It was answered, accepted or cancelled after it was claimed, and is not due any more.
      if (row) endQuote(acting, row)
    })
  },
}

function endQuote(ctx: ActingContext, row: QuoteRow): void {
  if (row.status === 'quoted') writeQuote(ctx, row, { status: 'expired', due_at: null }, 'quote.expired')
  else if (row.status === 'pending') {
    writeQuote(ctx, row, { status: 'failed', failure: 'no_answer', due_at: null }, 'quote.failed')
  }
}
