import type { MerchantRow } from '../../selling/merchant/public.ts'
import type { QuoteRow } from '../../trade/quotes/public.ts'

/** What a purchase at a quoted price is made from. */
export type Quoted = {
  readonly quoteId: string
  /** As it was read, before any lock. */
  readonly quote: QuoteRow
  readonly offerId: string
  /** The complete total of the offer. */
  readonly total: bigint
  readonly currency: string
  readonly offerEndsAt: Date
  readonly merchant: MerchantRow & { readonly domain: string }
  /** Where in the request the quote is named. */
  readonly param: string
}
