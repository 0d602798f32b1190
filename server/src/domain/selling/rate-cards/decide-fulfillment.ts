import type { Place } from '../../../core/place.ts'
import {
  decideRates,
  type Shipment as RatedShipment,
  type RateFacts,
  type RateOption,
  type RateVerdict,
  type ShippedItem,
  type ShippedType,
} from './decide-rates.ts'
import type { FulfillmentType } from './rate-card.ts'

/** A purchase at one merchant, as far as the fee of its fulfillment depends on it. */
export type FulfilledPurchase = {
  readonly method: 'ship' | 'pickup' | 'digital'
  /** Or the rate card that the buyer chose for the goods; everything else then goes the cheapest way. */
  readonly speed: 'cheapest' | 'fastest' | { readonly cardId: string }
  readonly place: Place | null
  readonly currency: string
  readonly at: Date
  readonly lines: readonly FulfilledLine[]
}

export type FulfilledLine = ShippedItem & { readonly itemType: ShippedType }

/** `lines` are the positions, in the purchase, of the lines that cannot be delivered. */
type FulfillmentVerdict =
  | { readonly kind: 'fee'; readonly amount: bigint }
  | { readonly kind: 'undeliverable'; readonly message: string; readonly lines: readonly number[] }

/**
 * The fees of the merchant's rate cards for a purchase. Goods go the way that the buyer chose. Digital items and services always go their
 * own way, which is free where no card is for it. Each way is one shipment, and their fees are added. A merchant without active cards
 * charges nothing; one that has some delivers only what they cover.
 */
export function decideFulfillment(facts: RateFacts, purchase: FulfilledPurchase): FulfillmentVerdict {
  const cards = [...facts.cards, ...facts.unreached]
  if (cards.length === 0) return { kind: 'fee', amount: 0n }
  let amount = 0n
  for (const { way, lines } of shipmentsOf(purchase)) {
    const types = ways[way]
    const hasCards = cards.some(({ fulfillment_type }) => types.includes(fulfillment_type))
    if (!hasCards && lines.every(({ line }) => line.itemType !== 'product')) continue
    const verdict = decideRates(facts, shipmentOf(purchase, way, lines))
    const option = optionOf(verdict, way, purchase)
    if (option === null)
      return {
        kind: 'undeliverable',
        message: refusalOf(types, verdict),
        lines: lines.map(({ index }) => index),
      }
    amount += option.amount
  }
  return { kind: 'fee', amount }
}

/** The rate cards that the buyer can choose from for the goods of a purchase, the cheapest first. */
export function fulfillmentOptions(facts: RateFacts, purchase: FulfilledPurchase): readonly RateOption[] {
  const goods = shipmentsOf(purchase).find(({ way }) => way === purchase.method)
  return goods ? decideRates(facts, shipmentOf(purchase, goods.way, goods.lines)).options : []
}

function shipmentOf(purchase: FulfilledPurchase, way: Way, lines: Shipment['lines']): RatedShipment {
  return {
    // They are divided already.
    items: lines.map(({ line }) => ({ ...line, itemType: null })),
    currency: purchase.currency,
    place: purchase.place,
    coordinates: null,
    distanceKm: null,
    types: ways[way],
    at: purchase.at,
  }
}

function optionOf(
  { options, cheapest, fastest }: RateVerdict,
  way: Way,
  { speed, method }: FulfilledPurchase,
): RateOption | null {
  if (speed === 'fastest') return fastest?.option ?? null
  if (speed === 'cheapest' || way !== method) return cheapest?.option ?? null
  return options.find(({ card }) => card.id === speed.cardId) ?? null
}

type Way = FulfilledPurchase['method'] | 'service'

const ways: Readonly<Record<Way, readonly FulfillmentType[]>> = {
  ship: ['shipping', 'delivery'],
  pickup: ['pickup'],
  digital: ['digital'],
  service: ['service'],
}

type Shipment = { way: Way; lines: { line: FulfilledLine; index: number }[] }

function shipmentsOf({ lines, method }: FulfilledPurchase): Shipment[] {
  const shipments = new Map<Way, Shipment>()
  for (const [index, line] of lines.entries()) {
    const way = wayOf(line, method)
    const shipment = shipments.get(way) ?? { way, lines: [] }
    shipment.lines.push({ line, index })
    shipments.set(way, shipment)
  }
  return [...shipments.values()]
}

function wayOf({ itemType }: FulfilledLine, method: FulfilledPurchase['method']): Way {
  switch (itemType) {
    case 'product':
      return method
    case 'digital':
      return 'digital'
    case 'service':
    case 'booking':
    case 'subscription':
    case 'api':
      return 'service'
    default:
      return itemType satisfies never
  }
}

const reasonsShown = 3

function refusalOf(types: readonly FulfillmentType[], { skipped }: RateVerdict): string {
  const kind = types.join(' or ')
  if (skipped.length === 0) return `The merchant offers no ${kind}.`
  const reasons = skipped.slice(0, reasonsShown).map(({ card, message }) => `${card.name}: ${message}`)
  const more =
    skipped.length > reasonsShown
      ? ` ${skipped.length - reasonsShown} more rate cards do not fit either.`
      : ''
  return `No rate card of the merchant for ${kind} fits. ${reasons.join(' ')}${more}`
}
