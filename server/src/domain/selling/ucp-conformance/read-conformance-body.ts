import type { CallContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import { normalizeCurrency } from '../../../schema/formats.ts'
import type { CheckoutBuyer, CheckoutRequest, WantedDelivery } from '../checkouts/public.ts'
import type { ConformanceBody } from './conformance-body.ts'
import { withKnownAddresses } from './known-addresses.ts'

/** More of one thing than can be sold at once. */
const quantityMax = 10_000

/** What a platform wants, from the words of 2026-01-11. `before`: what the checkout says already, of which the rest stays. */
export async function readConformanceBody(
  ctx: CallContext,
  body: ConformanceBody,
  before: CheckoutRequest | null,
): Promise<CheckoutRequest> {
  const tooMany = body.line_items.find(({ quantity }) => quantity > quantityMax)
  if (tooMany) throw shortOf(tooMany.item.id)
  const buyer = body.buyer ? buyerOf(body.buyer) : (before?.buyer ?? null)
  return {
    lines: body.line_items.map(({ id, item, quantity }) => ({ id: id ?? null, itemId: item.id, quantity })),
    currency: body.currency && /^[a-z]{3}$/i.test(body.currency) ? normalizeCurrency(body.currency) : null,
    buyer,
    delivery: await deliveryOf(ctx, body, buyer, before?.delivery ?? null),
    codes: body.discounts ? (body.discounts.codes ?? []) : (before?.codes ?? []),
    attribution: before?.attribution ?? {},
  }
}

export function shortOf(item: string): Problem {
  return new Problem('conformance_checkout_refused', { message: `Insufficient stock for item ${item}` })
}

function buyerOf(sent: NonNullable<ConformanceBody['buyer']>): CheckoutBuyer {
  const [first, ...rest] = sent.full_name?.split(' ') ?? []
  return {
    first_name: sent.first_name ?? first ?? null,
    last_name: sent.last_name ?? (rest.length > 0 ? rest.join(' ') : null),
    email: sent.email ?? null,
    phone: sent.phone_number ?? null,
    consent: sent.consent ?? null,
  }
}

async function deliveryOf(
  ctx: CallContext,
  { fulfillment }: ConformanceBody,
  buyer: CheckoutBuyer | null,
  before: WantedDelivery | null,
): Promise<WantedDelivery | null> {
  if (!fulfillment) return before
  const method = fulfillment.methods?.find(({ type }) => (type ?? 'shipping') === 'shipping')
  if (!method) return null
  const sent = (method.destinations ?? []).map((one) => ({
    id: one.id ?? null,
    recipient_name: one.full_name ?? null,
    line1: one.street_address ?? null,
    line2: one.extended_address ?? null,
    city: one.address_locality ?? null,
    state: one.address_region ?? null,
    postal_code: one.postal_code ?? null,
    country: one.address_country?.toUpperCase() ?? null,
  }))
  const named = method.selected_destination_id ?? null
  const known = await withKnownAddresses(ctx, buyer?.email ?? null, sent)
  // A destination of before that is selected again need not be sent again.
  const kept =
    sent.length === 0 && before?.destinations.some(({ id }) => id === named) ? before.destinations : known
  return {
    destinations: kept,
    selectedDestinationId: named,
    selectedOptionId: method.groups?.[0]?.selected_option_id ?? null,
  }
}
