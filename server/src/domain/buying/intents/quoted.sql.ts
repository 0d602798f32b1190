import { combineReads, part } from '../../../platform/database/combine-reads.ts'
import { merchantTimes, selectMerchantOfQuote } from '../../selling/merchant/public.ts'
import { quoteTimes, selectQuote } from '../../trade/quotes/public.ts'

/** A quote and whom it asks, as they stand at one moment. */
export const selectQuoteWithMerchant = combineReads('select_quote_with_merchant', {
  quotes: part(selectQuote, quoteTimes),
  merchants: part(selectMerchantOfQuote, merchantTimes),
})
