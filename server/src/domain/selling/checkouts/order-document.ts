import type { Release } from '../../../protocols/ucp/releases.ts'
import type { Order } from '../../trade/orders/public.ts'
import type { CheckoutRow } from './checkout.ts'
import { destinationOf, permalinkOf, withoutNulls } from './checkout-document.ts'

type Told = { readonly order: Order; readonly checkout: CheckoutRow }

/** An order in the words of a release, for the platform that placed it. */
export function orderDocument(
  { order, checkout }: Told,
  { release, business }: { release: Release; business: string },
) {
  const units = unitsOf(order)
  const { attribution } = checkout
  return {
    id: order.id,
    ...(order.confirmation_reference ? { label: order.confirmation_reference } : {}),
    checkout_id: checkout.id,
    permalink_url: permalinkOf(business, order.id),
    currency: order.currency,
    line_items: order.line_items.map((line, index) =>
      lineOf(line, { id: lineId(checkout, index), ...units(index) }),
    ),
    totals: totalsOf(order, release),
    fulfillment: {
      expectations: expectationsOf({ order, checkout }),
      events: order.fulfillments.map((one) => eventOf(one, checkout)),
    },
    adjustments: [...order.refunds.map((one) => refundOf(one, checkout)), ...cancellationOf(order)],
    ...(Object.keys(attribution).length > 0 && release >= '2026-04-08' ? { attribution } : {}),
  }
}

/** The id that the line has in the checkout. */
function lineId({ lines }: CheckoutRow, index: number): string {
  return lines[index]?.id ?? `li_${index + 1}`
}

const underWay = ['shipped', 'in_transit', 'out_for_delivery', 'ready_for_pickup', 'delivered']

/** How many units of each line were ordered, are left after refunds, and are sent. */
function unitsOf({ line_items, fulfillments, refunds }: Order) {
  const sum = (
    moves: readonly { line_items: readonly { index: number; quantity: number }[] }[],
    index: number,
  ) =>
    moves
      .flatMap((one) => one.line_items)
      .reduce((all, one) => (one.index === index ? all + one.quantity : all), 0)
  return (index: number) => {
    const original = line_items[index]?.quantity ?? 0
    const back = sum(
      refunds.filter(({ status }) => status === 'succeeded'),
      index,
    )
    const sent = sum(
      fulfillments.filter(({ status }) => underWay.includes(status)),
      index,
    )
    const total = Math.max(0, original - back)
    return { original, total, fulfilled: Math.min(sent, total) }
  }
}

type Units = ReturnType<ReturnType<typeof unitsOf>>

function lineOf(
  line: Order['line_items'][number],
  { id, original, total, fulfilled }: Units & { id: string },
) {
  return {
    id,
    item: { id: line.catalog_variant_id ?? line.sku ?? id, title: line.title, price: line.unit_amount },
    quantity: { original, total, fulfilled },
    totals: [
      { type: 'subtotal', amount: line.amount },
      { type: 'total', amount: line.amount },
    ],
    status:
      total === 0 ? 'removed' : fulfilled === total ? 'fulfilled' : fulfilled > 0 ? 'partial' : 'processing',
  }
}

const words: Readonly<Record<string, string>> = {
  subtotal: 'Subtotal',
  fulfillment: 'Shipping',
  tax: 'Tax',
  discount: 'Discount',
  total: 'Total',
}

function totalsOf({ totals }: Order, release: Release) {
  return totals.map(({ type, amount }) => ({
    type,
    display_text: words[type] ?? type,
    amount: type === 'discount' && release >= '2026-04-08' ? -amount : amount,
  }))
}

function expectationsOf({ order, checkout }: Told) {
  const { delivery } = checkout
  const to = delivery?.destinations.find(({ id }) => id === delivery.selected_destination_id)
  if (!delivery || !to) return []
  const {
    id: _,
    type: __,
    ...destination
  } = { type: undefined, ...destinationOf(to, { release: '2026-08-25' }) }
  const option = delivery.options.find(({ id }) => id === delivery.selected_option_id)
  return [
    {
      id: 'shipping',
      line_items: order.line_items.map(({ quantity }, index) => ({ id: lineId(checkout, index), quantity })),
      method_type: 'shipping',
      destination,
      ...(option ? { description: option.title } : {}),
    },
  ]
}

const eventTypes: Readonly<Record<string, string>> = {
  out_for_delivery: 'in_transit',
  failed: 'failed_attempt',
  cancelled: 'canceled',
}

function eventOf(one: Order['fulfillments'][number], checkout: CheckoutRow) {
  return {
    id: one.id,
    occurred_at: one.updated_at,
    type: eventTypes[one.status] ?? one.status,
    line_items: one.line_items.map(({ index, quantity }) => ({ id: lineId(checkout, index), quantity })),
    ...withoutNulls({
      tracking_number: one.tracking_number,
      tracking_url: one.tracking_url,
      carrier: one.carrier,
    }),
  }
}

const refundStates = { pending: 'pending', succeeded: 'completed', failed: 'failed' } as const

function refundOf(one: Order['refunds'][number], checkout: CheckoutRow) {
  return {
    id: one.id,
    type: 'refund',
    occurred_at: one.updated_at,
    status: refundStates[one.status],
    ...(one.line_items.length > 0
      ? {
          line_items: one.line_items.map(({ index, quantity }) => ({
            id: lineId(checkout, index),
            quantity: -quantity,
          })),
        }
      : {}),
    totals: [{ type: 'total', amount: -one.amount }],
    ...(one.reason ? { description: one.reason } : {}),
  }
}

/** The payment of a confirmed order failed, so it was undone. */
function cancellationOf({ id, status, updated_at, cancel_reason }: Order) {
  if (status !== 'cancelled') return []
  const description = cancel_reason ?? 'The payment failed.'
  return [
    {
      id: `${id}:cancellation`,
      type: 'cancellation',
      occurred_at: updated_at,
      status: 'completed',
      description,
    },
  ]
}
