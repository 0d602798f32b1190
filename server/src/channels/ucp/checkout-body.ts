import { namesOfRecipient, type PersonNames } from '../../core/person-names.ts'
import type { Buyer, OfferRequest, PostalAddress } from '../../domain/buying/channels/port.ts'
import type { Checkout } from '../../protocols/ucp/read-checkout.ts'
import { type ClientRelease, firstRelease } from '../../protocols/ucp/releases.ts'

type Line = { readonly id: string; readonly quantity: number }

/** For whom and to where. A checkout that only shows its price has no buyer. */
export type Asker = {
  readonly currency: string
  readonly buyer: Pick<Buyer, 'firstName' | 'lastName' | 'email' | 'phone'> | null
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
    ...(release === firstRelease ? { currency, payment: { instruments: [], handlers: [] } } : {}),
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
    ...(release === firstRelease
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
            ...namesIn({ first: buyer.firstName, last: buyer.lastName }),
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

/** A person with one name has it in both fields: merchants that print labels ask for both. */
function namesIn({ first, last }: PersonNames): { first_name: string; last_name: string } {
  return { first_name: first, last_name: last ?? first }
}

export function addressOf(
  address: PostalAddress,
  buyer: Pick<Buyer, 'phone' | 'firstName' | 'lastName'>,
): object {
  const { phone } = buyer
  const names = namesOfRecipient(address.recipientName, buyer)
  return {
    // What cannot be taken apart stands in one field, and in no second one.
    ...(names === null ? { last_name: address.recipientName } : namesIn(names)),
    street_address: address.line1,
    ...(address.line2 ? { extended_address: address.line2 } : {}),
    address_locality: address.city,
    ...(address.state ? { address_region: address.state } : {}),
    ...(address.postalCode ? { postal_code: address.postalCode } : {}),
    address_country: address.country,
    ...(phone ? { phone_number: phone } : {}),
  }
}
