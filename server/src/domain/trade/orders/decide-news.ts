import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { hashedPartId, type Id } from '../../../core/id.ts'
import { next } from '../../../core/state-table.ts'
import type { OrderChangeType } from './events.ts'
import { type LineQuantity, unitsLeft } from './lines.ts'
import { type FulfillmentStatus, strangerOrderTable } from './machine.ts'
import type { OrderRow } from './order.ts'
import { type OrderAdjustment, type OrderFulfillment, perOrderMax } from './order-life.ts'
import type { NewsOfShipment, StrangerNews } from './stranger-news.ts'

type Facts = Pick<
  OrderRow,
  'id' | 'status' | 'line_items' | 'fulfillments' | 'adjustments' | 'confirmation_reference' | 'order_url'
>

type Revised = Pick<
  OrderRow,
  'status' | 'fulfillments' | 'adjustments' | 'confirmation_reference' | 'order_url'
>

/** What an order shows after a message about it, and the events that say so. Nothing about its payment is among it. */
type RevisedByNews = { readonly changes: Revised; readonly types: readonly OrderChangeType[] }

/** A message is the whole order, so it replaces what an earlier one has said. Null: it says nothing new. */
export function decideNews(order: Facts, news: StrangerNews, now: Date): RevisedByNews | null {
  const fulfillments = fulfillmentsOf(order, news, now)
  const refunds = news.refunds
    .slice(0, perOrderMax)
    .map(({ amount, reason }): OrderAdjustment => ({ type: 'refund', amount, reason }))
  const changes: Revised = {
    status: statusOf(order, news, fulfillments),
    fulfillments,
    adjustments: refunds,
    confirmation_reference: order.confirmation_reference ?? news.reference,
    order_url: news.url ?? order.order_url,
  }
  const before: Revised = {
    status: order.status,
    fulfillments: order.fulfillments,
    adjustments: order.adjustments,
    confirmation_reference: order.confirmation_reference,
    order_url: order.order_url,
  }
  if (isSame(before, changes)) return null
  return { changes, types: typesOf(before, changes) }
}

const sent: readonly FulfillmentStatus[] = [
  'shipped',
  'in_transit',
  'out_for_delivery',
  'ready_for_pickup',
  'delivered',
]
const lost: readonly FulfillmentStatus[] = ['failed', 'cancelled']

const isSent = ({ status }: { status: FulfillmentStatus }) => sent.includes(status)
const isLost = ({ status }: { status: FulfillmentStatus }) => lost.includes(status)
const isDelivered = ({ status }: { status: FulfillmentStatus }) => status === 'delivered'

function statusOf(
  { status }: Facts,
  news: StrangerNews,
  fulfillments: readonly OrderFulfillment[],
): OrderRow['status'] {
  const isThere = news.isFulfilled && fulfillments.every((one) => isDelivered(one) || isLost(one))
  const isMoving = news.isFulfilled || fulfillments.some(isSent)
  const trigger = news.isCancelled ? 'cancel' : isThere ? 'complete' : isMoving ? 'fulfill' : null
  return trigger === null ? status : (next(strangerOrderTable, status, trigger) ?? status)
}

function fulfillmentsOf(order: Facts, news: StrangerNews, now: Date): OrderFulfillment[] {
  const left = [...unitsLeft(order.line_items, [])]
  // A list of another length may be in another order, and then nobody knows which units a parcel holds.
  const areLinesKnown = news.lineCount === order.line_items.length
  return news.shipments.slice(0, perOrderMax).map((shipment) => {
    const lines = areLinesKnown ? takeUnits(left, shipment) : []
    const id = fulfillmentId(order.id, shipment.key)
    const before = order.fulfillments.find((one) => one.id === id)
    const said = {
      id,
      carrier: shipment.carrier,
      tracking_number: shipment.trackingNumber,
      tracking_url: shipment.trackingUrl,
      status: shipment.status,
      line_items: lines,
    }
    const at = now.toISOString()
    if (!before) return { ...said, created_at: at, updated_at: at }
    const { created_at, updated_at } = before
    const isUnchanged = isSame({ ...before }, { ...said, created_at, updated_at })
    return { ...said, created_at, updated_at: isUnchanged ? updated_at : at }
  })
}

/** However many units a stranger says that it has sent, no more are shown than were bought. */
function takeUnits(left: number[], shipment: NewsOfShipment): LineQuantity[] {
  return shipment.lines.flatMap(({ index, quantity }) => {
    const units = Math.min(quantity, left[index] ?? 0)
    if (units < 1) return []
    if (!isLost(shipment)) left[index] = (left[index] ?? 0) - units
    return [{ index, quantity: units }]
  })
}

/** The same for the same parcel of each message. */
function fulfillmentId(orderId: Id<'ord'>, key: string): Id<'ful'> {
  return hashedPartId('ful', orderId, createHash('sha256').update(`ful/${orderId}/${key}`).digest())
}

function typesOf(before: Revised, after: Revised): OrderChangeType[] {
  const isNew = (holds: (one: OrderFulfillment) => boolean) =>
    after.fulfillments.some(
      (one) =>
        holds(one) &&
        !before.fulfillments.some(({ id, status }) => id === one.id && holds({ ...one, status })),
    )
  const types: OrderChangeType[] = [
    ...(isNew(isSent) ? (['order.shipped'] as const) : []),
    ...(isNew(isDelivered) ? (['order.delivered'] as const) : []),
    ...(refunded(after) > refunded(before) ? (['order.refunded'] as const) : []),
    ...(after.status === 'cancelled' && before.status !== 'cancelled' ? (['order.cancelled'] as const) : []),
  ]
  const isTold = types.length > 0 || isSame(before.fulfillments, after.fulfillments)
  return isTold ? types : ['order.fulfillment_updated']
}

function refunded({ adjustments }: Pick<Revised, 'adjustments'>): number {
  return adjustments.reduce((sum, { amount }) => sum + amount, 0)
}

/** Of values as JSON has them. The order of members does not count: the database gives them in its own. */
function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other)
}
