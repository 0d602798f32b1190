import type { ForeignOrder } from '../../../protocols/ucp/read-order.ts'
import type { FulfillmentStatus, NewsOfShipment, StrangerNews } from '../../trade/orders/public.ts'

/** What a business elsewhere says of an order, as orders here show it. */
export function newsOfUcp(order: ForeignOrder): StrangerNews {
  const { lines } = order
  const isCancelled = lines.length > 0 && lines.every(({ total }) => total === 0)
  return {
    reference: order.id,
    url: order.url,
    lineCount: lines.length,
    isCancelled,
    isFulfilled:
      !isCancelled && lines.length > 0 && lines.every(({ total, fulfilled }) => fulfilled >= total),
    shipments: shipmentsOf(order),
    refunds: order.adjustments.flatMap(({ type, status, amount, reason }) =>
      type === 'refund' && status === 'completed' && amount !== null ? [{ amount, reason }] : [],
    ),
  }
}

/** The words of the protocol; others are free, and say nothing that can be shown. */
const statuses: Readonly<Record<string, FulfillmentStatus>> = {
  processing: 'processing',
  shipped: 'shipped',
  in_transit: 'in_transit',
  out_for_delivery: 'out_for_delivery',
  ready_for_pickup: 'ready_for_pickup',
  failed_attempt: 'in_transit',
  delivered: 'delivered',
  picked_up: 'delivered',
  canceled: 'cancelled',
  undeliverable: 'failed',
  returned_to_sender: 'failed',
}

/** Events are what happened, in order: those of one parcel make one shipment, and the last one says where it is. */
function shipmentsOf({ events, lines }: ForeignOrder): NewsOfShipment[] {
  const places = new Map(
    lines.flatMap(({ id }, index): [string, number][] => (id === null ? [] : [[id, index]])),
  )
  const shipments = new Map<string, NewsOfShipment>()
  for (const event of events) {
    const key = event.trackingNumber ?? `lines ${event.lines.map(({ id }) => id).join(' ')}`
    const before = shipments.get(key)
    const status = Object.hasOwn(statuses, event.type) ? statuses[event.type] : before?.status
    const units = event.lines.flatMap(({ id, quantity }) => {
      const index = places.get(id)
      return index === undefined ? [] : [{ index, quantity }]
    })
    shipments.set(key, {
      key,
      status: status ?? 'processing',
      carrier: event.carrier ?? before?.carrier ?? null,
      trackingNumber: event.trackingNumber,
      trackingUrl: event.trackingUrl ?? before?.trackingUrl ?? null,
      lines: units.length > 0 ? units : (before?.lines ?? []),
    })
  }
  return [...shipments.values()]
}
