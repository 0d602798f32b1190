import { conformanceRelease } from '../../../protocols/ucp/releases.ts'
import type { Order } from '../../trade/orders/public.ts'
import type { Checkout } from './change-checkout.ts'
import type { CheckoutDelivery, CheckoutOption, CheckoutRow } from './checkout.ts'
import { checkoutDocument } from './checkout-document.ts'
import { orderDocument } from './order-document.ts'

/** The extensions that the first release has, all of which a checkout of it shows. */
const extensions = [
  'dev.ucp.shopping.fulfillment',
  'dev.ucp.shopping.discount',
  'dev.ucp.shopping.buyer_consent',
]

/** The words of the release after it, from which its own differ in some shapes. */
const words = { release: '2026-01-23', capabilities: extensions } as const

/** A checkout in the shape of 2026-01-11. `handlers`: how it can be paid, which stands inside the checkout there. */
export function conformanceCheckout(
  checkout: Checkout,
  { business, handlers }: { business: string; handlers: readonly object[] },
) {
  const { row } = checkout
  const {
    payment,
    fulfillment: _,
    buyer,
    ...document
  } = checkoutDocument(checkout, {
    ...words,
    capabilities: [...words.capabilities],
    business,
  })
  return {
    ucp: metadata(['dev.ucp.shopping.checkout', ...extensions]),
    ...document,
    ...(buyer ? { buyer: { ...buyer, ...(row.buyer?.consent ? { consent: row.buyer.consent } : {}) } } : {}),
    payment: { ...payment, handlers },
    ...(row.delivery ? { fulfillment: fulfillmentOf(row, row.delivery) } : {}),
  }
}

/** An order in that shape. */
export function conformanceOrder(
  told: { readonly order: Order; readonly checkout: CheckoutRow },
  { business }: { business: string },
) {
  const { checkout, order } = told
  const {
    line_items,
    fulfillment,
    adjustments,
    attribution: _,
    ...document
  } = orderDocument(told, {
    release: words.release,
    business,
  })
  const option = chosenOf(checkout.delivery)
  return {
    ucp: metadata(['dev.ucp.shopping.order']),
    ...document,
    line_items: line_items.map((line, index) => ({
      ...line,
      item: { ...line.item, id: checkout.lines[index]?.item_id ?? line.item.id },
      quantity: { total: line.quantity.total, fulfilled: line.quantity.fulfilled },
      // What was given back in full is not on its way any more, and this release has no word for it.
      status: line.status === 'removed' ? 'fulfilled' : line.status,
    })),
    fulfillment: {
      ...fulfillment,
      expectations: fulfillment.expectations.map((one) => ({
        ...one,
        ...(option ? { description: titleOf(option) } : {}),
      })),
    },
    adjustments: adjustments.map((one) => ({ ...one, ...amountOf(order, one.id) })),
  }
}

type OrderEvent = 'order_placed' | 'order_shipped'

/** What a message of that release says: the event, and the whole order. */
export function conformanceMessage(
  type: OrderEvent,
  told: Parameters<typeof conformanceOrder>[0],
  agreed: { business: string },
) {
  return { event_type: type, checkout_id: told.checkout.id, order: conformanceOrder(told, agreed) }
}

/** The events of an order that its platform was told of up to the change `told`, where 0 is none. */
export function conformanceEvents({ fulfillments }: Order, told: number): OrderEvent[] {
  const shipped = fulfillments.length > 0 ? (['order_shipped'] as const) : []
  return told === 0 ? ['order_placed', ...shipped] : [...shipped]
}

function metadata(names: readonly string[]) {
  return {
    version: conformanceRelease,
    capabilities: names.map((name) => ({ name, version: conformanceRelease })),
  }
}

function fulfillmentOf({ lines }: CheckoutRow, delivery: CheckoutDelivery) {
  const { destinations, options } = delivery
  const line_item_ids = lines.map(({ id }) => id)
  const chosen = chosenOf(delivery)
  const group = {
    id: 'package',
    line_item_ids,
    options: options.map(optionOf),
    selected_option_id: chosen ? nameOf(chosen) : null,
  }
  return {
    methods: [
      {
        id: 'shipping',
        type: 'shipping',
        line_item_ids,
        ...(destinations.length > 0 ? { destinations: destinations.map(destinationOf) } : {}),
        selected_destination_id: delivery.selected_destination_id,
        ...(options.length > 0 ? { groups: [group] } : {}),
      },
    ],
  }
}

function destinationOf(one: CheckoutDelivery['destinations'][number]) {
  const given = {
    full_name: one.recipient_name,
    street_address: one.line1,
    extended_address: one.line2,
    address_locality: one.city,
    address_region: one.state,
    postal_code: one.postal_code,
    address_country: one.country,
  }
  return { id: one.id, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) }
}

function optionOf(one: CheckoutOption) {
  return {
    id: nameOf(one),
    title: titleOf(one),
    description: one.description,
    totals: [
      { type: 'subtotal', amount: one.amount },
      { type: 'total', amount: one.amount },
    ],
  }
}

function chosenOf(delivery: CheckoutDelivery | null): CheckoutOption | null {
  return delivery?.options.find(({ id }) => id === delivery.selected_option_id) ?? null
}

function nameOf({ id, alias }: CheckoutOption): string {
  return alias ?? id
}

function titleOf({ title, amount }: CheckoutOption): string {
  return amount === 0 ? `${title} (Free)` : title
}

/** This release has one amount in an adjustment, where later ones have totals. */
function amountOf({ refunds }: Order, id: string): { amount?: number; totals?: undefined } {
  const refund = refunds.find((one) => one.id === id)
  return refund ? { amount: refund.amount, totals: undefined } : {}
}
