import type { Place } from '../../../core/place.ts'
import type { ResolvedUrl } from '../../selling/catalog/public.ts'
import type { CartRequest, Priced } from '../../selling/pricing/public.ts'
import type { ChannelItem, Offer } from '../channels/public.ts'
import type { NativeOfferRequest } from './requests.ts'

/** The request that computes a cart's price. `found` is what stands at the URLs of its items, in their order. */
export function cartRequest(
  request: NativeOfferRequest,
  found: readonly (ResolvedUrl | null)[],
  at: Date,
): CartRequest {
  const { items, currency, fulfillment, merchantAccountId } = request
  const { shipTo } = request.buyer
  return {
    lines: items.map(({ quantity, variant, inputs }, index) => {
      const here = found[index]
      // Goods of another merchant do not belong to this cart.
      const isTheirs = here?.merchant.account_id === merchantAccountId
      return { item: isTheirs ? (here?.item ?? null) : null, variant, quantity, inputs }
    }),
    currency,
    method: fulfillment.method,
    speed: fulfillment.speed,
    place: placeOf(shipTo),
    at,
  }
}

/** A computed price as the offer for these items. */
export function offerOf(
  { kind: _, lines, taxBasisPoints, ...price }: Priced,
  items: readonly Pick<ChannelItem, 'id'>[],
  reference: string | null,
): Offer {
  return {
    reference,
    lines: items.map(({ id }, index) => {
      const line = lines[index]
      if (!line) throw new Error('an item without a line of its price')
      return { itemId: id, ...line }
    }),
    ...price,
    ...(taxBasisPoints === null ? {} : { taxBasisPoints }),
  }
}

export function placeOf(shipTo: NativeOfferRequest['buyer']['shipTo']): Place | null {
  if (shipTo === null) return null
  const { country, state, city, postalCode } = shipTo
  return { country, state, city, postalCode }
}
