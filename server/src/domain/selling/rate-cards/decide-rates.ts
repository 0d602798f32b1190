import { type Coordinates, distanceKm, type Place } from '../../../core/place.ts'
import { decideMarket, type MarketVerdict, type RoutedMarket } from '../markets/public.ts'
import { chargeOf, type Measures } from './charge.ts'
import { matchZones, outsideOfZones } from './match-zones.ts'
import type { FulfillmentType, RateCardRow } from './rate-card.ts'
import type { Skip } from './skip.ts'
import { type Estimate, estimateOf } from './timing.ts'

/** Everything that a merchant's fees depend on. */
export type RateFacts = {
  /** At least the cards that can go to the place, with at least those of their zones that it can be in. */
  readonly cards: readonly RatedCard[]
  /** All other active cards: none of their zones has the place. */
  readonly unreached: readonly UnreachedCard[]
  readonly locations: readonly RatedLocation[]
  /** At least the markets that the place can belong to. */
  readonly markets: readonly RoutedMarket[]
}

/** The columns of an active card that the decision uses. */
export type RatedCard = Pick<
  RateCardRow,
  | 'id'
  | 'name'
  | 'fulfillment_type'
  | 'provider'
  | 'currency'
  | 'market_ids'
  | 'timing'
  | 'rate'
  | 'zones'
  | 'labels'
  | 'location_ids'
>

/** The columns of an active card that does not go to the place, enough to say why. */
type UnreachedCard = Pick<RatedCard, 'id' | 'name' | 'fulfillment_type' | 'currency' | 'market_ids'>

type RatedLocation = {
  readonly id: string
  readonly timezone: string
  readonly latitude: number | null
  readonly longitude: number | null
}

/** The kind of an item, which decides the cards that can carry it. */
export type ShippedType = 'product' | 'digital' | ServedType

/** What nobody ships and nobody downloads. */
type ServedType = 'service' | 'booking' | 'subscription' | 'api'

export type ShippedItem = {
  /** Null where it is not known: then it can go any way. */
  readonly itemType: ShippedType | null
  readonly quantity: number
  /** Price of one unit. */
  readonly amount: bigint
  readonly weightGrams: number | null
  readonly label: string | null
}

export type Shipment = {
  readonly items: readonly ShippedItem[]
  readonly currency: string
  readonly place: Place | null
  readonly coordinates: Coordinates | null
  /** A distance that a person has measured; it is used instead of the distance between coordinates. */
  readonly distanceKm: number | null
  /** Null: any. */
  readonly types: readonly FulfillmentType[] | null
  readonly at: Date
}

export type RateOption = {
  readonly card: RatedCard
  readonly amount: bigint
  readonly estimate: Estimate | null
  readonly explanation: string
}

type SkippedCard = Skip & { readonly card: Pick<RatedCard, 'id' | 'name'> }

export type RateVerdict = {
  readonly market: MarketVerdict
  /** By amount, then by arrival, then by id: the first is the cheapest. */
  readonly options: readonly RateOption[]
  readonly cheapest: Choice | null
  readonly fastest: Choice | null
  readonly skipped: readonly SkippedCard[]
}

export type Choice = { readonly option: RateOption; readonly explanation: string }

/** The fee of each active card for a shipment, which one is the cheapest and which the fastest, and why the others do not apply. */
export function decideRates(facts: RateFacts, shipment: Shipment): RateVerdict {
  const market = decideMarket(facts.markets, shipment.place)
  const options: RateOption[] = []
  const skipped: SkippedCard[] = []
  for (const card of facts.cards) {
    if (shipment.types !== null && !shipment.types.includes(card.fulfillment_type)) continue
    const judged = judge(card, { facts, shipment, market })
    if ('code' in judged) skipped.push({ card, ...judged })
    else options.push(judged)
  }
  for (const card of facts.unreached) {
    if (shipment.types !== null && !shipment.types.includes(card.fulfillment_type)) continue
    skipped.push({ card, ...judgeUnreached(card, { shipment, market }) })
  }
  const byAmount = options.toSorted((a, b) => compareAmounts(a, b) || compareSpeed(a, b) || compareIds(a, b))
  const bySpeed = options.toSorted((a, b) => compareSpeed(a, b) || compareAmounts(a, b) || compareIds(a, b))
  return {
    market,
    options: byAmount,
    cheapest: choose(byAmount, compareAmounts, compareSpeed, {
      merit: 'the lowest amount',
      tiebreak: 'arrives first',
      equal: 'arrival',
    }),
    fastest: choose(bySpeed, compareSpeed, compareAmounts, {
      merit: 'the earliest arrival',
      tiebreak: 'costs least',
      equal: 'amount',
    }),
    skipped: skipped.toSorted((a, b) => (a.card.id < b.card.id ? -1 : 1)),
  }
}

type Judging = { facts: RateFacts; shipment: Shipment; market: MarketVerdict }

const nothingToCarry: Skip = { code: 'no_items', message: 'No item of the order is delivered in this way.' }

/** In the same order of checks as in `judge`. */
function judgeUnreached(card: UnreachedCard, { shipment, market }: Omit<Judging, 'facts'>): Skip {
  if (carriedBy(card, shipment.items).length === 0) return nothingToCarry
  return refusalAnywhere(card, { shipment, market }) ?? outsideOfZones(shipment.place)
}

function judge(card: RatedCard, { facts, shipment: whole, market }: Judging): RateOption | Skip {
  const items = carriedBy(card, whole.items)
  if (items.length === 0) return nothingToCarry
  const shipment = { ...whole, items }
  const locations = card.location_ids.flatMap((id) => facts.locations.find((each) => each.id === id) ?? [])
  const distance = shipment.distanceKm ?? nearest(locations, shipment.coordinates)
  const refusal = refusalOf(card, { shipment, market, distance })
  if (refusal !== null) return refusal
  const charge = chargeOf(card.rate, measuresOf(shipment, distance))
  if ('code' in charge) return charge
  const estimate = estimateOf(card.timing, shipment.at, locations[0]?.timezone ?? 'UTC')
  return { card, estimate, ...charge }
}

/** As purchases are divided: files and services go their own way, and goods the way that the buyer chooses. */
function carriedBy(
  { fulfillment_type: type }: Pick<RatedCard, 'fulfillment_type'>,
  items: readonly ShippedItem[],
): ShippedItem[] {
  const ofTypes = (...types: ShippedType[]) =>
    items.filter(({ itemType }) => itemType === null || types.includes(itemType))
  if (type === 'service') return ofTypes('service', 'booking', 'subscription', 'api')
  if (type !== 'digital') return ofTypes('product')
  const files = ofTypes('digital')
  return files.length > 0 ? files : ofTypes('product')
}

/** Why a card does not apply, wherever the goods go. */
function refusalAnywhere(card: UnreachedCard, { shipment, market }: Omit<Judging, 'facts'>): Skip | null {
  if (card.currency !== shipment.currency) {
    return {
      code: 'currency_mismatch',
      message: `It is priced in ${card.currency}, not in ${shipment.currency}.`,
    }
  }
  if (card.market_ids.length > 0 && !(market && card.market_ids.includes(market.market.id))) {
    const where = market ? `in the market ${market.market.code}` : 'outside of all markets'
    return { code: 'market_mismatch', message: `The address is ${where}, and the card does not apply there.` }
  }
  return null
}

function refusalOf(
  card: RatedCard,
  { shipment, market, distance }: { shipment: Shipment; market: MarketVerdict; distance: number | null },
): Skip | null {
  const anywhere = refusalAnywhere(card, { shipment, market })
  if (anywhere !== null) return anywhere
  const zone = matchZones(card.zones, { place: shipment.place, distanceKm: distance })
  if (zone !== null) return zone
  const unfit =
    card.labels.length === 0 ? -1 : shipment.items.findIndex((item) => !carries(item, card.labels))
  if (unfit < 0) return null
  const label = shipment.items[unfit]?.label ?? null
  return {
    code: 'label_mismatch',
    message:
      label === null
        ? 'It takes only items with certain fulfillment labels, and an item has no label.'
        : `It does not take items with the label ${label}.`,
  }
}

function carries({ label }: ShippedItem, labels: readonly string[]): boolean {
  return label !== null && labels.some((each) => each.toLowerCase() === label.toLowerCase())
}

function nearest(locations: readonly RatedLocation[], to: Coordinates | null): number | null {
  if (to === null) return null
  const distances = locations.flatMap(({ latitude, longitude }) =>
    latitude === null || longitude === null ? [] : [distanceKm({ latitude, longitude }, to)],
  )
  return distances.length === 0 ? null : Math.min(...distances)
}

export function measuresOf({ items }: Pick<Shipment, 'items'>, distance: number | null): Measures {
  const isWeighed = items.every(({ weightGrams }) => weightGrams !== null)
  return {
    orderValue: items.reduce((sum, { amount, quantity }) => sum + amount * BigInt(quantity), 0n),
    itemCount: items.reduce((sum, { quantity }) => sum + quantity, 0),
    weightGrams: isWeighed
      ? items.reduce((sum, { weightGrams, quantity }) => sum + (weightGrams ?? 0) * quantity, 0)
      : null,
    distanceKm: distance,
    labels: items.map(({ label }) => label),
  }
}

type Compare = (a: RateOption, b: RateOption) => number

/** The first of a sorted list, and why it is the first. */
function choose(
  sorted: readonly RateOption[],
  first: Compare,
  second: Compare,
  { merit, tiebreak, equal }: { merit: string; tiebreak: string; equal: string },
): Choice | null {
  const [option, ...others] = sorted
  if (!option) return null
  const rivals = others.filter((other) => first(option, other) === 0)
  const equals = rivals.filter((other) => second(option, other) === 0)
  if (others.length === 0) return { option, explanation: 'The only option.' }
  if (rivals.length === 0) return { option, explanation: `It has ${merit}.` }
  if (equals.length === 0) {
    return {
      option,
      explanation: `It has ${merit}, like ${counted(rivals.length)}, and ${tiebreak} of these.`,
    }
  }
  return {
    option,
    explanation: `It has ${merit} and the same ${equal} as ${counted(equals.length)}, and the lowest id of these.`,
  }
}

function compareAmounts(a: RateOption, b: RateOption): number {
  return a.amount < b.amount ? -1 : a.amount > b.amount ? 1 : 0
}

/** By the latest arrival, then by the earliest; a card without an estimate comes last. */
function compareSpeed(a: RateOption, b: RateOption): number {
  if (a.estimate === null || b.estimate === null)
    return Number(a.estimate === null) - Number(b.estimate === null)
  return (
    a.estimate.latest.getTime() - b.estimate.latest.getTime() ||
    a.estimate.earliest.getTime() - b.estimate.earliest.getTime()
  )
}

function compareIds(a: RateOption, b: RateOption): number {
  return a.card.id < b.card.id ? -1 : 1
}

function counted(count: number): string {
  return count === 1 ? 'one other' : `${count} others`
}
