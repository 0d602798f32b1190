import type { ActingContext } from '../../../contract/context.ts'
import { readSeller } from '../../selling/merchant/public.ts'
import { priceQuoted, readQuotedListing } from '../../selling/pricing/public.ts'
import { readQuote } from '../../trade/quotes/public.ts'
import type { OfferAnswer, OfferRefusalCode } from '../channels/public.ts'
import { isSoldByAnother } from '../intents/public.ts'
import { offerOf } from './price.ts'
import type { NativeOfferRequest } from './requests.ts'

/** The offer of a quote, as long as it stands: the order reaches the merchant before the offer ends, or not at this price. */
export async function offerFromQuote(request: NativeOfferRequest, ctx: ActingContext): Promise<OfferAnswer> {
  const [item] = request.items
  if (!item?.quoteId) throw new Error('a quoted cart without its quote')
  const [quote, merchant] = await Promise.all([
    readQuote(ctx.tx, ctx.tenant, item.quoteId),
    readSeller(ctx.tx, { accountId: request.merchantAccountId, mode: ctx.tenant.mode }),
  ])
  const offer = quote?.offers.find(({ id }) => id === quote.accepted_offer_id)
  if (!quote || !offer) throw new Error('a cart for an offer that was never accepted')
  // guard same-merchant-at-the-offer: nothing is authorized for a quote of a merchant that has become another
  if (isSoldByAnother(item.soldBy, merchant)) return refusedWith('merchant_changed', null)
  // guard quoting-seller-has-confirmed: no money is held for a quote either while the backend has not confirmed its endpoint
  if (merchant?.awaits_confirmation) return { kind: 'unavailable' }
  if (new Date(offer.expires_at) <= ctx.now) {
    return refusedWith('price_changed', `The quote ended at ${offer.expires_at}.`)
  }
  const price = priceQuoted(
    {
      total: BigInt(offer.total_amount),
      currency: offer.currency,
      quantity: item.quantity,
      title: quote.items[0]?.title ?? null,
    },
    await readQuotedListing(ctx.tx, quote),
  )
  if (price.kind === 'priced') return { kind: 'offer', offer: offerOf(price, request.items, offer.id) }
  const [{ code }] = price.refusals
  if (code === 'input_not_given') throw new Error('what a quote was told is not looked at again')
  return refusedWith(code, null)
}

function refusedWith(code: OfferRefusalCode, message: string | null): OfferAnswer {
  return { kind: 'refused', code, message }
}
