import type { Buyer, OfferRequest, PostalAddress } from '../../domain/buying/execution/port.ts'
import type { Checkout } from '../../protocols/ucp/read-checkout.ts'
import { type ClientRelease, conformanceRelease } from '../../protocols/ucp/releases.ts'

type Line = { readonly id: string; readonly quantity: number }

/** For whom and to where. A checkout that only shows its price has no buyer. */
export type Asker = {
  readonly currency: string
  readonly buyer: Pick<Buyer, 'name' | 'email' | 'phone'> | null
  readonly place: Pick<PostalAddress, 'country' | 'state' | 'postalCode'> | null
  /** In the words of the protocol; null: nothing is shipped. */
  readonly destination: object | null
  /** Without one, the business is told of none. */
  readonly promoCode: string | null
}

export function askerOf({
  buyer,
  currency,
  promoCode,
}: Pick<OfferRequest, 'buyer' | 'currency' | 'promoCode'>): Asker {
  const { shipTo, billTo } = buyer
  const destination = shipTo === null ? null : addressOf(shipTo, buyer)
  return { currency, buyer, place: shipTo ?? billTo, destination, promoCode }
}

/** What a checkout is made with. */
export function createBody(
  asker: Asker,
  lines: readonly Line[],
  { release, delivers }: { release: ClientRelease; delivers: boolean },
): object {
  const { currency, destination } = asker
  return {
    line_items: lines.map(({ id, quantity }) => ({ item: { id }, quantity })),
    ...shared(asker),
    ...(delivers && destination !== null
      ? { fulfillment: { methods: [{ type: 'shipping', destinations: [destination] }] } }
      : {}),
    // The first release asks for both; the later ones find the currency in the context.
    ...(release === conformanceRelease ? { currency, payment: { instruments: [], handlers: [] } } : {}),
  }
}

/** The whole of it again, with the delivery that was chosen. */
export function updateBody(
  asker: Asker,
  checkout: Checkout,
  { release, chosen }: { release: ClientRelease; chosen: readonly ChosenMethod[] },
): object {
  return {
    line_items: checkout.lines.map(({ id, itemId, quantity }) => ({
      ...(id === null ? {} : { id }),
      item: { id: itemId },
      quantity,
    })),
    ...shared(asker),
    fulfillment: {
      methods: chosen.map(({ method, destinationId, groups }) => ({
        id: method.id,
        type: method.type,
        line_item_ids: method.lineItemIds,
        destinations: method.destinations,
        selected_destination_id: destinationId,
        ...(groups.length === 0
          ? {}
          : { groups: groups.map(({ id, optionId }) => ({ id, selected_option_id: optionId })) }),
      })),
    },
    ...(release === conformanceRelease
      ? { id: checkout.id, currency: asker.currency, payment: { instruments: [], handlers: [] } }
      : {}),
  }
}

/** How the goods of some lines shall come. */
export type ChosenMethod = {
  readonly method: Checkout['methods'][number]
  readonly destinationId: string | null
  readonly groups: readonly { readonly id: string; readonly optionId: string }[]
}

function shared({ buyer, place, currency, promoCode }: Asker): object {
  return {
    ...(buyer === null
      ? {}
      : {
          buyer: {
            ...nameOf(buyer.name),
            email: buyer.email,
            ...(buyer.phone ? { phone_number: buyer.phone } : {}),
          },
        }),
    context: {
      currency,
      ...(place === null
        ? {}
        : {
            address_country: place.country,
            ...(place.state ? { address_region: place.state } : {}),
            ...(place.postalCode ? { postal_code: place.postalCode } : {}),
          }),
    },
    ...(promoCode === null ? {} : { discounts: { codes: [promoCode] } }),
  }
}

/** The last word is the family name: UCP has no field for a whole name. */
function nameOf(name: string): { first_name: string; last_name: string } {
  const words = name.trim().split(/\s+/)
  const last_name = words.pop() ?? ''
  return { first_name: words.join(' ') || last_name, last_name }
}

export function addressOf(address: PostalAddress, { phone }: Pick<Buyer, 'phone'>): object {
  return {
    ...nameOf(address.recipientName),
    street_address: address.line1,
    ...(address.line2 ? { extended_address: address.line2 } : {}),
    address_locality: address.city,
    ...(address.state ? { address_region: address.state } : {}),
    ...(address.postalCode ? { postal_code: address.postalCode } : {}),
    address_country: address.country,
    ...(phone ? { phone_number: phone } : {}),
  }
}
