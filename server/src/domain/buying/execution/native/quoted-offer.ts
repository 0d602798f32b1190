import type { ActingContext } from '../../../../contract/context.ts'
import {
  findVariant,
  type ItemRow,
  selectItem,
  stockFor,
  type Variant,
} from '../../../selling/catalog/public.ts'
import { selectSeller } from '../../../selling/merchant/public.ts'
import { type QuoteRow, selectQuote } from '../../../trade/quotes/public.ts'
import { isSoldByAnother } from '../../intents/public.ts'
import type { OfferAnswer, OfferLine, OfferRefusalCode } from '../port.ts'
import type { NativeOfferRequest } from './requests.ts'

/**
 * What was quoted, as long as it stands: the order reaches the merchant before the offer ends, or not at this price. The stock is looked
 * at as for any order, since a quote reserves nothing.
 */
export async function offerFromQuote(request: NativeOfferRequest, ctx: ActingContext): Promise<OfferAnswer> {
  const [item] = request.items
  if (!item?.quoteId) throw new Error('a quoted cart without its quote')
  const { accountId: account_id, mode } = ctx.tenant
  const [quote, merchant] = await Promise.all([
    ctx.tx.maybe(selectQuote({ account_id, mode, id: item.quoteId })),
    ctx.tx.maybe(selectSeller({ account_id: request.merchantAccountId, mode })),
  ])
  const offer = quote?.offers.find(({ id }) => id === quote.accepted_offer_id)
  if (!quote || !offer) throw new Error('a cart for an offer that was never accepted')
  if (isSoldByAnother(item.soldBy, merchant)) return refusedWith('merchant_changed', null)
  if (merchant?.awaits_confirmation) return { kind: 'unavailable' }
  if (new Date(offer.expires_at) <= ctx.now) {
    return refusedWith('price_changed', `The quote ended at ${offer.expires_at}.`)
  }
  const sold = await soldItem(quote, ctx)
  if (typeof sold === 'string') return refusedWith(sold, null)
  const subtotal = BigInt(offer.total_amount)
  const line: OfferLine = {
    itemId: item.id,
    quantity: item.quantity,
    unitAmount: subtotal / BigInt(item.quantity),
    title: quote.items[0]?.title ?? null,
    listing: sold && { itemId: sold.item.id, variantId: sold.variant.id, sku: sold.variant.sku },
  }
  return {
    kind: 'offer',
    offer: {
      reference: offer.id,
      lines: [line],
      subtotal,
      // The offer's total is complete; what of it is fulfilment or tax the merchant has not said.
      fulfillment: 0n,
      tax: 0n,
      discount: 0n,
      total: subtotal,
      currency: offer.currency,
    },
  }
}

/** The variant that was quoted, if one was, while it is for sale. */
async function soldItem(
  quote: QuoteRow,
  ctx: ActingContext,
): Promise<{ item: ItemRow; variant: Variant } | null | OfferRefusalCode> {
  if (quote.catalog_item_id === null || quote.catalog_variant_id === null) return null
  const item = await ctx.tx.maybe(
    selectItem({ account_id: quote.merchant_account_id, mode: quote.mode, id: quote.catalog_item_id }),
  )
  if (item?.status !== 'published') return 'product_not_found'
  const variant = findVariant(item, { id: quote.catalog_variant_id })
  if (typeof variant === 'string') return 'product_not_found'
  const stock = stockFor(variant, quote.quantity)
  return stock === 'available' ? { item, variant } : stock
}

function refusedWith(code: OfferRefusalCode, message: string | null): OfferAnswer {
  return { kind: 'refused', code, message }
}
