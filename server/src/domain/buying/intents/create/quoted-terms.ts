import type { MerchantRecord } from '../../../selling/merchant/public.ts'
import type { QuoteAsRead } from '../../../trade/quotes/public.ts'

/** The facts from which a purchase at a quoted price is made. */
export type Quoted = {
  readonly quoteId: string
  /** As it was read, before any lock. */
  readonly quote: QuoteAsRead
  readonly offerId: string
  /** The complete total of the offer. */
  readonly total: bigint
  readonly currency: string
  readonly offerEndsAt: Date
  readonly merchant: MerchantRecord & { readonly domain: string }
  /** The field of the request that names the quote. */
  readonly param: string
}
