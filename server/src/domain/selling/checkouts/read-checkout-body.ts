import { normalizeCurrency } from '../../../schema/formats.ts'
import type { CheckoutBody } from './checkout-body.ts'
import type { CheckoutRequest, WantedDelivery } from './checkout-request.ts'

/** The name of a search's token among what a platform wants to find on the order again. */
export const searchToken = 'service_attribution_id'

/** What a platform wants, from the words of the protocol. `token`: of the search that it follows from, where it came as a header. */
export function readCheckoutBody(body: CheckoutBody, token?: string): CheckoutRequest {
  const { buyer, context, fulfillment, discounts, attribution } = body
  return {
    lines: body.line_items.map(({ id, item, quantity }) => ({ id: id ?? null, itemId: item.id, quantity })),
    currency:
      context?.currency && /^[a-z]{3}$/i.test(context.currency) ? normalizeCurrency(context.currency) : null,
    buyer: buyer
      ? {
          first_name: buyer.first_name ?? null,
          last_name: buyer.last_name ?? null,
          email: buyer.email ?? null,
          phone: buyer.phone_number ?? null,
        }
      : null,
    delivery: deliveryOf(fulfillment?.methods ?? []),
    codes: discounts?.codes ?? [],
    attribution: { ...attribution, ...(isToken(token) ? { [searchToken]: token } : {}) },
  }
}

/** All of it is replaced by what is sent, but for the search that the checkout follows from. */
export function withSearch(
  sent: CheckoutRequest['attribution'],
  before: CheckoutRequest['attribution'] = {},
): CheckoutRequest['attribution'] {
  const token = before[searchToken]
  return token === undefined ? sent : { [searchToken]: token, ...sent }
}

/** Whatever else is sent is passed over: the sale goes on. */
function isToken(token: string | undefined): token is string {
  return token !== undefined && /^attr_[A-Za-z0-9_-]{1,195}$/.test(token)
}

type Method = NonNullable<NonNullable<CheckoutBody['fulfillment']>['methods']>[number]

/** One way for all goods: the first that ships them. */
function deliveryOf(methods: readonly Method[]): WantedDelivery | null {
  const at = methods.findIndex(({ type }) => type === undefined || type === 'shipping')
  const method = methods[at]
  if (!method) return null
  const place = `$.fulfillment.methods[${at}]`
  return {
    lineIds: [
      ...named(method.line_item_ids, place),
      ...(method.groups ?? []).flatMap((group, index) =>
        named(group.line_item_ids, `${place}.groups[${index}]`),
      ),
    ],
    unused: methods.flatMap((_, index) => (index === at ? [] : [`$.fulfillment.methods[${index}]`])),
    destinations: (method.destinations ?? []).map((one) => ({
      id: one.id ?? null,
      recipient_name: [one.first_name, one.last_name].filter(Boolean).join(' ') || null,
      line1: one.street_address ?? null,
      line2: one.extended_address ?? null,
      city: one.address_locality ?? null,
      state: one.address_region ?? null,
      postal_code: one.postal_code ?? null,
      country: one.address_country?.toUpperCase() ?? null,
    })),
    selectedDestinationId: method.selected_destination_id ?? null,
    selectedOptionId: method.groups?.[0]?.selected_option_id ?? null,
  }
}

function named(ids: readonly string[] | undefined, place: string) {
  return (ids ?? []).map((id, index) => ({ id, path: `${place}.line_item_ids[${index}]` }))
}
