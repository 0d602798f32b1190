import type { Reads, Tenant } from '../../../../contract/context.ts'
import type { Place } from '../../../../core/place.ts'
import type { ResolvedUrl } from '../../../selling/catalog/public.ts'
import { decideMarket } from '../../../selling/markets/public.ts'
import {
  decideFulfillment,
  type FulfilledLine,
  type FulfillmentVerdict,
  type RateFacts,
  readRateFacts,
} from '../../../selling/rate-cards/public.ts'
import type { OfferLine } from '../port.ts'
import type { NativeOfferRequest } from './requests.ts'

/** The rate cards that a cart's fee goes by; one read, beside that of the catalog. */
export function readRatesFor(
  request: Pick<NativeOfferRequest, 'shipTo'>,
  merchant: Tenant,
  reads: Pick<Reads, 'maybe'>,
): Promise<RateFacts> {
  return readRateFacts(reads, merchant, placeOf(request.shipTo))
}

/** Which of the merchant's markets a cart goes to. */
export function marketFor(
  { shipTo }: Pick<NativeOfferRequest, 'shipTo'>,
  { markets }: RateFacts,
): string | null {
  return decideMarket(markets, placeOf(shipTo))?.market.id ?? null
}

/** What the merchant's rate cards ask for a cart of its catalog. `found` is what the lines are of, in their order. */
export function fulfillmentFeeFor(
  request: Pick<NativeOfferRequest, 'fulfillment' | 'shipTo' | 'currency'>,
  cart: { lines: readonly OfferLine[]; found: readonly (ResolvedUrl | null)[]; rates: RateFacts; at: Date },
): FulfillmentVerdict {
  const { method, speed } = request.fulfillment
  return decideFulfillment(cart.rates, {
    method,
    speed,
    place: placeOf(request.shipTo),
    currency: request.currency,
    at: cart.at,
    lines: cart.lines.map((line, index) => fulfilledLine(line, cart.found[index] ?? null)),
  })
}

function fulfilledLine(
  { quantity, unitAmount, listing }: OfferLine,
  found: ResolvedUrl | null,
): FulfilledLine {
  const variant = found?.item?.variants.find(({ id }) => id === listing?.variantId)
  return {
    itemType: found?.item?.item_type ?? 'product',
    quantity,
    amount: unitAmount,
    weightGrams: variant?.weight_grams ?? null,
    label: variant?.fulfillment_label ?? null,
  }
}

function placeOf(shipTo: NativeOfferRequest['shipTo']): Place | null {
  if (shipTo === null) return null
  const { country, state, city, postalCode } = shipTo
  return { country, state, city, postalCode }
}
