import { ok, type Result, refused } from '../../../core/result.ts'
import { next } from '../../../core/state-table.ts'
import { isWithin, type LineQuantity, linesLeft, unitsLeft } from './lines.ts'
import { type FulfillmentStatus, orderTable } from './machine.ts'
import type { OrderRow } from './order.ts'
import { type OrderFulfillment, perOrderMax } from './order-life.ts'

type Facts = Pick<OrderRow, 'status' | 'payment_status' | 'line_items' | 'fulfillments'>

type Shipment = {
  readonly id: string | null
  readonly carrier?: string | null
  readonly trackingNumber?: string | null
  readonly trackingUrl?: string | null
  readonly status: FulfillmentStatus
  readonly lines?: readonly LineQuantity[]
  readonly isLast: boolean
}

type Fulfilled = {
  readonly status: OrderRow['status']
  readonly fulfillments: OrderFulfillment[]
  readonly isNew: boolean
}

/**
 * What a report about a shipment changes. It is about the shipment that it names, by id or by tracking number, or begins a new one. A
 * shipment that failed or was cancelled frees its units for the next one. `same`: everything in it is known already.
 */
export function decideFulfillment(
  order: Facts,
  said: Shipment,
  made: { readonly id: OrderFulfillment['id']; readonly now: Date },
): Result<Fulfilled | 'same', 'order_not_fulfillable' | 'not_found' | 'object_limit_reached'> {
  const known = findShipment(order.fulfillments, said)
  if (known === null && said.id !== null) return refused('not_found')
  const others = order.fulfillments.filter((one) => one !== known)
  const left = unitsLeft(
    order.line_items,
    others.filter(isLive).map(({ line_items }) => line_items),
  )
  const shipment = shipmentOf(said, known, left, made)
  const isSame = known !== null && isEqual(known, shipment)
  const fulfillments = order.fulfillments.map((one) => (one === known ? shipment : one))
  if (known === null) fulfillments.push(shipment)
  const isComplete = said.isLast || isDelivered(order, fulfillments)
  if (isSame && (!isComplete || order.status === 'completed')) return ok('same')
  const status = statusAfter(order, isComplete, known)
  if (status === null || !isPaid(order)) return refused('order_not_fulfillable')
  if (isLive(shipment) && (shipment.line_items.length === 0 || !isWithin(left, shipment.line_items)))
    return refused('order_not_fulfillable')
  if (fulfillments.length > perOrderMax) return refused('object_limit_reached')
  return ok({ status, fulfillments, isNew: known === null })
}

function findShipment(known: readonly OrderFulfillment[], said: Shipment): OrderFulfillment | null {
  if (said.id !== null) return known.find(({ id }) => id === said.id) ?? null
  if (!said.trackingNumber) return null
  return known.find(({ tracking_number }) => tracking_number === said.trackingNumber) ?? null
}

/** Fields of a known shipment that the report leaves out stay as they are. */
function shipmentOf(
  said: Shipment,
  known: OrderFulfillment | null,
  left: readonly number[],
  made: { readonly id: OrderFulfillment['id']; readonly now: Date },
): OrderFulfillment {
  const now = made.now.toISOString()
  return {
    id: known?.id ?? made.id,
    carrier: said.carrier === undefined ? (known?.carrier ?? null) : said.carrier,
    tracking_number:
      said.trackingNumber === undefined ? (known?.tracking_number ?? null) : said.trackingNumber,
    tracking_url: said.trackingUrl === undefined ? (known?.tracking_url ?? null) : said.trackingUrl,
    status: said.status,
    line_items: said.lines ? [...said.lines] : (known?.line_items ?? linesLeft(left)),
    created_at: known?.created_at ?? now,
    updated_at: now,
  }
}

function isEqual(known: OrderFulfillment, said: OrderFulfillment): boolean {
  const isSameLine = (line: LineQuantity, at: number) =>
    line.index === known.line_items[at]?.index && line.quantity === known.line_items[at]?.quantity
  return (
    said.carrier === known.carrier &&
    said.tracking_number === known.tracking_number &&
    said.tracking_url === known.tracking_url &&
    said.status === known.status &&
    said.line_items.length === known.line_items.length &&
    said.line_items.every(isSameLine)
  )
}

/** On its way or delivered. */
function isLive({ status }: OrderFulfillment): boolean {
  return status !== 'failed' && status !== 'cancelled'
}

function isDelivered(order: Facts, fulfillments: readonly OrderFulfillment[]): boolean {
  const delivered = fulfillments.filter(({ status }) => status === 'delivered')
  const missing = unitsLeft(
    order.line_items,
    delivered.map(({ line_items }) => line_items),
  )
  return missing.every((units) => units <= 0)
}

function isOnItsWay(shipment: OrderFulfillment): boolean {
  return isLive(shipment) && shipment.status !== 'delivered'
}

/** An order that was refunded in full before anything was sent is not sent any more; a shipment on its way still arrives. */
function isPaid({ status, payment_status: payment }: Facts): boolean {
  if (payment === 'refunded') return status === 'fulfilling' || status === 'completed'
  return payment === 'captured' || payment === 'partially_refunded'
}

/** Where nothing more is sent, a shipment on its way may still arrive, or not. */
function statusAfter(
  order: Facts,
  isComplete: boolean,
  known: OrderFulfillment | null,
): OrderRow['status'] | null {
  if (order.status === 'completed') return known !== null && isOnItsWay(known) ? 'completed' : null
  const begun = order.status === 'fulfilling' ? order.status : next(orderTable, order.status, 'fulfill')
  return begun !== null && isComplete ? next(orderTable, begun, 'complete') : begun
}
