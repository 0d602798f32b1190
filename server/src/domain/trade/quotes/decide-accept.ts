import { ok, type Result, refused } from '../../../core/result.ts'
import type { QuoteOffer, QuoteRow } from './quote.ts'

type AcceptRefusal = 'quote_not_acceptable' | 'quote_expired' | 'offer_not_found' | 'offer_required'

/** Which offer of a quote a buyer accepts: the one that is named, or without a name the only one. */
export function decideAccept(
  quote: Pick<QuoteRow, 'status' | 'offers' | 'quantity'>,
  offerId: string | null,
  now: Date,
): Result<QuoteOffer, AcceptRefusal> {
  if (quote.status === 'expired') return refused('quote_expired')
  if (quote.status !== 'quoted') return refused('quote_not_acceptable')
  if (offerId === null && quote.offers.length > 1) return refused('offer_required')
  const offer = offerId === null ? quote.offers[0] : quote.offers.find(({ id }) => id === offerId)
  if (!offer) return refused('offer_not_found')
  // Also in the moment before it is marked as expired.
  if (new Date(offer.expires_at) <= now) return refused('quote_expired')
  const { available_quantity: available } = offer
  if (available !== null && available < quote.quantity) return refused('quote_not_acceptable')
  return ok(offer)
}
