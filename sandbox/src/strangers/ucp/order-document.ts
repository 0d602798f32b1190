import type { Order } from '../shop/memory.ts'
import { type Agreed, lineId, metadata, permalinkOf, totalsOf } from './checkout-document.ts'
import { isDigital } from './checkout-state.ts'
import { firstRelease } from './releases.ts'
import { cartOfSession, type Session } from './session.ts'
import { storefront, type UcpShop } from './ucp-shop.ts'

const carrier = 'Parcel Post'

/** An order in the words of the release in which it was placed. */
export function orderDocument(shop: UcpShop, session: Session, order: Order, agreed: Agreed): object {
  const { release } = agreed
  const hasApril = release >= '2026-04-08'
  return {
    ucp: metadata(agreed, ['order']),
    id: order.id,
    checkout_id: session.id,
    permalink_url: permalinkOf(session, order),
    ...(release === firstRelease ? {} : { currency: order.priced.currency }),
    ...(hasApril ? { label: order.number } : {}),
    line_items: linesOf(session, order, release),
    totals: totalsOf(order.priced, release),
    fulfillment: {
      expectations: expectationsOf(shop, session, order),
      events: eventsOf(session, order),
    },
    adjustments: adjustmentsOf(session, order, release),
    ...(hasApril && Object.keys(session.attribution).length > 0 ? { attribution: session.attribution } : {}),
  }
}

function linesOf({ happened }: Session, { priced }: Order, release: string): object[] {
  const isShipped = happened.some(({ does }) => does === 'ship')
  const isCancelled = happened.some(({ does }) => does === 'cancel')
  return priced.lines.map(({ sku, name, unit, quantity, amount }, index) => {
    const total = isCancelled ? 0 : quantity
    const fulfilled = isShipped ? total : 0
    return {
      id: lineId(index),
      item: { id: sku, title: name, price: unit },
      quantity: { ...(release >= '2026-04-08' ? { original: quantity } : {}), total, fulfilled },
      totals: [
        { type: 'subtotal', amount },
        { type: 'total', amount },
      ],
      status: isCancelled ? wordForGone(release) : isShipped ? 'fulfilled' : 'processing',
    }
  })
}

/** The older releases have no word for what does not come. */
function wordForGone(release: string): string {
  return release >= '2026-04-08' ? 'removed' : 'fulfilled'
}

function expectationsOf({ desk }: UcpShop, session: Session, order: Order): object[] {
  const { lines, delivery } = cartOfSession(desk, session)
  if (isDigital(lines)) return []
  const destination = session.destinations.find(({ id }) => id === session.selectedDestinationId)
  const { id: _, ...address } = destination ?? { id: '' }
  const chosen = storefront.deliveries.find(({ id }) => id === delivery)
  return [
    {
      id: 'exp_1',
      line_items: referencesOf(order),
      method_type: 'shipping',
      destination: address,
      description: chosen?.promise ?? '',
    },
  ]
}

const moves = { ship: 'shipped', deliver: 'delivered' } as const

function eventsOf({ happened, host }: Session, order: Order): object[] {
  return happened.flatMap(({ does, at }, index) =>
    does === 'ship' || does === 'deliver'
      ? [
          {
            id: `evt_${index + 1}`,
            occurred_at: at,
            type: moves[does],
            line_items: referencesOf(order),
            tracking_number: trackingNumberOf(order),
            tracking_url: `https://${host}/order/${order.number}`,
            carrier,
            description: does === 'ship' ? 'Handed to the carrier' : 'Delivered',
          },
        ]
      : [],
  )
}

function adjustmentsOf({ happened }: Session, order: Order, release: string): object[] {
  return happened.flatMap(({ does, at, amount }, index) => {
    if (does !== 'refund' && does !== 'cancel') return []
    const isAll = does === 'cancel'
    const quantity = (line: { quantity: number }) =>
      release >= '2026-04-08' ? -line.quantity : line.quantity
    const items = order.priced.lines.map((line, at) => ({ id: lineId(at), quantity: quantity(line) }))
    return [
      {
        id: `adj_${index + 1}`,
        type: does === 'refund' ? 'refund' : 'cancellation',
        occurred_at: at,
        status: 'completed',
        ...(isAll ? { line_items: items } : {}),
        ...(release >= '2026-04-08' ? { totals: [{ type: 'total', amount: -amount }] } : { amount }),
        description: does === 'refund' ? 'Recalled' : 'The shop could not send it',
      },
    ]
  })
}

function trackingNumberOf({ number }: Order): string {
  return `PP${number.padStart(10, '0')}`
}

function referencesOf({ priced }: Order): { id: string; quantity: number }[] {
  return priced.lines.map(({ quantity }, index) => ({ id: lineId(index), quantity }))
}
