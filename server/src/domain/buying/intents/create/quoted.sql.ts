import type { Fragment } from '../../../../contract/statement.ts'
import type { Tenanted } from '../../../../platform/aggregate/aggregate.ts'
import { combineReads, part } from '../../../../platform/database/combine-reads.ts'
import { correlate, sql } from '../../../../platform/database/fragment.ts'
import type { MerchantRecord } from '../../../selling/merchant/public.ts'
import { merchantRecord, merchantTimes } from '../../../selling/merchant/reads.sql.ts'
import { quoteTimes } from '../../../trade/quotes/public.ts'
import { quoteById, quoteRequest } from '../../../trade/quotes/reads.sql.ts'

/** The merchant of a quote of the account. */
const merchantOfQuote: Fragment<MerchantRecord, Tenanted & { id: string }> = sql`select m.*
   from ${correlate(quoteRequest, { quote_id: '$id' })} q
   cross join lateral ${correlate(merchantRecord, { account_id: 'q.merchant_account_id' })} m`

/** A quote and its merchant, read at one moment. */
export const selectQuoteWithMerchant = combineReads('select_quote_with_merchant', {
  quotes: part(quoteById, quoteTimes),
  merchants: part(merchantOfQuote, merchantTimes),
})
