import type { Mode } from '../../../contract/context.ts'
import type { Fragment } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { combineReads, part } from '../../../platform/database/combine-reads.ts'
import { correlate, sql } from '../../../platform/database/fragment.ts'
import { type MerchantRow, merchantTimes } from '../../selling/merchant/public.ts'
import { merchantRecord } from '../../selling/merchant/reads.sql.ts'
import { quoteTimes, selectQuote } from '../../trade/quotes/public.ts'
import { quoteRequest } from '../../trade/quotes/reads.sql.ts'

/** Whom a quote of the account asks. */
const merchantOfQuote: Fragment<MerchantRow, { account_id: Id<'acct'>; mode: Mode; id: string }> =
  sql`select m.*
   from ${correlate(quoteRequest, { quote_id: '$id' })} q
   cross join lateral ${correlate(merchantRecord, { account_id: 'q.merchant_account_id' })} m`

/** A quote and whom it asks, as they stand at one moment. */
export const selectQuoteWithMerchant = combineReads('select_quote_with_merchant', {
  quotes: part(selectQuote, quoteTimes),
  merchants: part(merchantOfQuote, merchantTimes),
})
