import type { CapabilityName } from '../../../protocols/ucp/capabilities.ts'
import type { UcpCall } from '../../../protocols/ucp/ucp-call.ts'
import { orderExpiryHours } from '../../trade/orders/public.ts'
import type { CartRow } from './carts/cart.ts'
import type { Checkout } from './change-checkout.ts'
import type {
  CheckoutDelivery,
  CheckoutDestination,
  CheckoutDiscount,
  CheckoutLine,
  CheckoutMessage,
  CheckoutOption,
  CheckoutRow,
} from './checkout.ts'

type Agreed = Pick<UcpCall, 'release' | 'capabilities' | 'business'>

/** Its address at the business: a platform that has placed it reads it there, and a browser is shown how it stands. */
export function permalinkOf(business: string, orderId: string): string {
  return `${business}/orders/${orderId}`
}

/** A checkout in the words of a release, with the extensions that were agreed on. */
export function checkoutDocument({ row, status, messages }: Checkout, agreed: Agreed) {
  const { delivery, order_id: orderId } = row
  const has = (capability: CapabilityName) => agreed.capabilities.includes(capability)
  return {
    id: row.id,
    status,
    currency: row.currency,
    line_items: row.lines.map(lineOf),
    ...(row.buyer ? { buyer: buyerOf(row.buyer) } : {}),
    totals: totalsOf(row, agreed),
    messages: messages.map((message) => messageOf(message, agreed)),
    links: [],
    payment: { instruments: [] },
    expires_at: expiryOf(row, status).toISOString(),
    ...(delivery && has('dev.ucp.shopping.fulfillment')
      ? { fulfillment: fulfillmentOf(row, delivery, agreed) }
      : {}),
    ...(has('dev.ucp.shopping.discount') ? { discounts: discountsOf(row) } : {}),
    ...(status === 'completed' && orderId
      ? { order: { id: orderId, permalink_url: permalinkOf(agreed.business, orderId) } }
      : {}),
  }
}

/** A cart in the words of a release: what it would cost, as far as that is known. */
export function cartDocument(
  { row, messages }: { readonly row: CartRow; readonly messages: readonly CheckoutMessage[] },
  agreed: Agreed,
) {
  const hasDiscounts = agreed.capabilities.includes('dev.ucp.shopping.discount')
  return {
    id: row.id,
    currency: row.currency,
    line_items: row.lines.map(lineOf),
    ...(row.buyer ? { buyer: buyerOf(row.buyer) } : {}),
    totals: totalsOf({ price: row.price, delivery: null }, agreed),
    messages: messages.map((message) => messageOf(message, agreed)),
    expires_at: row.expires_at.toISOString(),
    ...(hasDiscounts ? { discounts: discountsOf(row) } : {}),
  }
}

/** A checkout that is being paid, or was, can be read until an hour after its order would have ended unanswered. */
function expiryOf({ expires_at, updated_at }: CheckoutRow, status: Checkout['status']): Date {
  return status === 'complete_in_progress' || status === 'completed'
    ? new Date(updated_at.getTime() + (orderExpiryHours + 1) * 3_600_000)
    : expires_at
}

/** Nothing was made or changed, and the messages say why. */
export function refusalDocument(messages: readonly CheckoutMessage[]) {
  return {
    ucp: { status: 'error' },
    messages: messages.map((message) => ({ ...messageOf(message, null), severity: 'unrecoverable' })),
  }
}

function lineOf({ id, item_id, title, unit_amount, quantity }: CheckoutLine) {
  const amount = unit_amount * quantity
  return {
    id,
    item: { id: item_id, title, price: unit_amount },
    quantity,
    totals: [
      { type: 'subtotal', amount },
      { type: 'total', amount },
    ],
  }
}

function buyerOf({ first_name, last_name, email, phone }: NonNullable<CheckoutRow['buyer']>) {
  return withoutNulls({ first_name, last_name, email, phone_number: phone })
}

/** Amounts of what is taken off are negative, but for the oldest release. */
function totalsOf({ price, delivery }: Pick<CheckoutRow, 'price' | 'delivery'>, { release }: Agreed) {
  const off = release >= '2026-04-08' ? -price.discount : price.discount
  return [
    { type: 'subtotal', display_text: 'Subtotal', amount: price.subtotal },
    ...(price.discount > 0 ? [{ type: 'discount', display_text: 'Discount', amount: off }] : []),
    ...(delivery ? [{ type: 'fulfillment', display_text: 'Shipping', amount: price.fulfillment }] : []),
    { type: 'tax', display_text: 'Tax', amount: price.tax },
    { type: 'total', display_text: 'Total', amount: price.total },
  ]
}

function messageOf(
  { type, code, content, path, severity = 'recoverable' }: CheckoutMessage,
  agreed: Pick<Agreed, 'release'> | null,
) {
  // Nothing was beyond repair before 2026-04-08: a platform tries another checkout.
  const isOld = agreed !== null && agreed.release < '2026-04-08'
  return {
    type,
    code,
    content,
    ...(path ? { path } : {}),
    ...(type === 'error' ? { severity: isOld ? 'recoverable' : severity } : {}),
  }
}

function fulfillmentOf({ lines }: CheckoutRow, delivery: CheckoutDelivery, agreed: Agreed) {
  const line_item_ids = lines.map(({ id }) => id)
  return {
    methods: [
      {
        id: 'shipping',
        type: 'shipping',
        line_item_ids,
        destinations: delivery.destinations.map((one) => destinationOf(one, agreed)),
        selected_destination_id: delivery.selected_destination_id,
        groups: [
          {
            id: 'package',
            line_item_ids,
            options: delivery.options.map((one) => optionOf(one, agreed)),
            selected_option_id: delivery.selected_option_id,
          },
        ],
      },
    ],
  }
}

export function destinationOf(one: CheckoutDestination, { release }: Pick<Agreed, 'release'>) {
  const [first, ...rest] = one.recipient_name?.split(' ') ?? []
  return {
    id: one.id,
    ...(release >= '2026-08-25' ? { type: 'shipping_address' } : {}),
    ...withoutNulls({
      first_name: first ?? null,
      last_name: rest.length > 0 ? rest.join(' ') : null,
      street_address: one.line1,
      extended_address: one.line2,
      address_locality: one.city,
      address_region: one.state,
      postal_code: one.postal_code,
      address_country: one.country,
    }),
  }
}

function optionOf(one: CheckoutOption, { release }: Agreed) {
  return {
    id: one.id,
    title: one.title,
    description: release >= '2026-08-25' ? { plain: one.description } : one.description,
    ...withoutNulls({
      carrier: one.carrier,
      earliest_fulfillment_time: one.earliest,
      latest_fulfillment_time: one.latest,
    }),
    totals: [
      { type: 'fulfillment', amount: one.amount },
      { type: 'total', amount: one.amount },
    ],
  }
}

function discountsOf({ codes, price }: Pick<CheckoutRow, 'codes' | 'price'>) {
  return { codes, applied: (price.discounts ?? []).map(appliedOf) }
}

/** What is taken off the fulfillment is said of the total that shows it. */
function appliedOf({ code, title, amount, of_lines }: CheckoutDiscount, index: number) {
  const ofFulfillment = amount - of_lines.reduce((sum, one) => sum + one, 0)
  const allocations = [
    ...of_lines.map((one, line) => ({ path: `$.line_items[${line}]`, amount: one })),
    { path: '$.totals.fulfillment', amount: ofFulfillment },
  ].filter((one) => one.amount > 0)
  return {
    ...(code === null ? { automatic: true } : { code }),
    title,
    amount,
    method: 'across',
    priority: index + 1,
    allocations,
  }
}

export function withoutNulls(members: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )
}
