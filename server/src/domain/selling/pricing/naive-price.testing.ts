import type { CountedPromotion } from '../promotions/public.ts'
import type { RateFacts } from '../rate-cards/public.ts'
import type { CartRequest, CartTerms } from './price-cart.ts'

/**
 * The price of a cart as the merchants' documentation describes it, sentence by sentence and without regard to speed: `priceCart` is
 * compared with it. The two share no code. It has no distances, no subdivisions and no business days, and of a promotion's arms only
 * those that everybody gets.
 */
export function naivePrice(
  facts: CartTerms & { readonly promotions: readonly CountedPromotion[] },
  cart: CartRequest,
): NaivePrice {
  const refused = cart.lines.flatMap((_, at) => {
    const code = naiveRefusal(cart, at)
    return code === null ? [] : [`${at} ${code}`]
  })
  if (refused.length > 0) return { refused }
  const lines = cart.lines.map((_, at) => naiveLine(cart, at))
  const ways = [...new Set(lines.map(({ way }) => way))]
  let fulfillment = 0n
  for (const way of ways) {
    const shipped = lines.filter((line) => line.way === way)
    const fee = naiveFee(facts.rates, cart, way, shipped)
    if (fee === null) return { refused: shipped.map(({ at }) => `${at} address_undeliverable`) }
    fulfillment += fee
  }
  let subtotal = 0n
  for (const { unit, quantity } of lines) for (let times = 0; times < quantity; times++) subtotal += unit
  let best = { merchandise: 0n, fulfillment: 0n }
  for (const one of facts.promotions) {
    const off = naiveDiscount(one, cart, {
      lines,
      subtotal,
      fulfillment,
      market: naiveMarket(facts.rates, cart),
    })
    if (off.merchandise + off.fulfillment > best.merchandise + best.fulfillment) best = off
  }
  const tax = nearestShareOf(subtotal - best.merchandise, facts.taxBasisPoints)
  const discount = best.merchandise + best.fulfillment
  return { subtotal, fulfillment, tax, discount, total: subtotal - discount + tax + fulfillment }
}

type NaivePrice =
  | { readonly refused: readonly string[] }
  | {
      readonly subtotal: bigint
      readonly fulfillment: bigint
      readonly tax: bigint
      readonly discount: bigint
      readonly total: bigint
    }

type NaiveLine = {
  at: number
  itemId: string
  categories: readonly string[]
  unit: bigint
  quantity: number
  weight: number | null
  label: string | null
  way: 'ship' | 'pickup' | 'digital' | 'service'
}

/** This many ten-thousandths, rounded down: whole ten-thousandths first, so that no step is the same as in the other computation. */
function shareOf(amount: bigint, basisPoints: number): bigint {
  const points = BigInt(basisPoints)
  return (amount / 10_000n) * points + ((amount % 10_000n) * points) / 10_000n
}

/** This many ten-thousandths, rounded: what is left over counts from half a unit on. */
function nearestShareOf(amount: bigint, basisPoints: number): bigint {
  const whole = shareOf(amount, basisPoints)
  const left = amount * BigInt(basisPoints) - whole * 10_000n
  return left + left >= 10_000n ? whole + 1n : whole
}

function fittingVariants(cart: CartRequest, at: number) {
  const { item, variant } = cart.lines[at] ?? { item: null, variant: null }
  return (item?.variants ?? []).filter(
    (one) =>
      (variant?.id === undefined || variant.id === one.id) &&
      (variant?.sku === undefined || variant.sku === one.sku),
  )
}

function naiveRefusal(cart: CartRequest, at: number): string | null {
  const [variant, another] = fittingVariants(cart, at)
  if (cart.lines[at]?.item?.item_type === 'subscription') return 'merchant_unsupported'
  if (!variant) return 'product_not_found'
  if (another) return 'variant_required'
  if (variant.price === null) return 'product_not_found'
  let wanted = 0
  for (let before = 0; before <= at; before++) {
    const [same, other] = fittingVariants(cart, before)
    if (!other && same?.id === variant.id) wanted += cart.lines[before]?.quantity ?? 0
  }
  const isGone = ['out_of_stock', 'discontinued'].includes(variant.availability)
  const isCounted = variant.availability === 'in_stock' && variant.quantity !== null
  if (isGone || (isCounted && variant.quantity === 0)) return 'product_out_of_stock'
  if (isCounted && wanted > Number(variant.quantity)) return 'insufficient_stock'
  return variant.currency === cart.currency ? null : 'unsupported_currency'
}

function naiveLine(cart: CartRequest, at: number): NaiveLine {
  const [variant] = fittingVariants(cart, at)
  const line = cart.lines[at]
  if (!line?.item || !variant || variant.price === null) throw new Error('a line that is not sold')
  const { id: itemId, categories, item_type } = line.item
  const way = item_type === 'product' ? cart.method : item_type === 'digital' ? 'digital' : 'service'
  return {
    at,
    itemId,
    categories,
    unit: BigInt(variant.price),
    quantity: line.quantity,
    weight: variant.weight_grams,
    label: variant.fulfillment_label,
    way,
  }
}

const kindsOf: Record<NaiveLine['way'], readonly string[]> = {
  ship: ['shipping', 'delivery'],
  pickup: ['pickup'],
  digital: ['digital'],
  service: ['service'],
}

/** The fee of one shipment; null where no card covers it. */
function naiveFee(
  rates: RateFacts,
  cart: CartRequest,
  way: NaiveLine['way'],
  lines: readonly NaiveLine[],
): bigint | null {
  const known = [...rates.cards, ...rates.unreached]
  if (known.length === 0) return 0n
  const goesBy = (kind: string) => kindsOf[way].includes(kind)
  // Files in one digital shipment with goods count like goods: a shipment is free without a card only when it has no goods.
  const hasGoods = lines.some(({ at }) => cart.lines[at]?.item?.item_type === 'product')
  if (!hasGoods && !known.some(({ fulfillment_type }) => goesBy(fulfillment_type))) return 0n
  const options = rates.cards
    .filter(({ fulfillment_type }) => goesBy(fulfillment_type))
    .filter((card) => reaches(rates, cart, card))
    .filter(
      ({ labels }) =>
        labels.length === 0 || lines.every(({ label }) => label !== null && labels.includes(label)),
    )
    .flatMap((card) => {
      const amount = rateOf(card.rate, lines)
      const days = card.timing.transit
      return amount === null ? [] : [{ amount, max: days?.max ?? Infinity, min: days?.min ?? Infinity }]
    })
  const [first, ...others] = options
  if (!first) return null
  const isBetter = (a: typeof first, b: typeof first) => {
    if (cart.speed === 'cheapest') return a.amount < b.amount
    if (a.max !== b.max) return a.max < b.max
    return a.min === b.min ? a.amount < b.amount : a.min < b.min
  }
  return others.reduce((best, one) => (isBetter(one, best) ? one : best), first).amount
}

function reaches(rates: RateFacts, cart: CartRequest, card: RateFacts['cards'][number]): boolean {
  if (card.currency !== cart.currency) return false
  const market = naiveMarket(rates, cart)
  if (card.market_ids.length > 0 && (market === null || !card.market_ids.includes(market))) return false
  if (card.zones.length === 0) return true
  return card.zones.some(({ country, postal_prefixes: prefixes }) => {
    if (cart.place === null || cart.place.country !== country) return false
    const { postalCode } = cart.place
    return prefixes === undefined || prefixes.some((prefix) => postalCode?.startsWith(prefix) ?? false)
  })
}

/** The market that includes the country of the address, otherwise the fallback. */
function naiveMarket({ markets }: RateFacts, { place }: CartRequest): string | null {
  const named = markets.find(({ include }) => include.some(({ country }) => country === place?.country))
  return (named ?? markets.find(({ is_fallback }) => is_fallback))?.id ?? null
}

type Rate = RateFacts['cards'][number]['rate']

function rateOf(rate: Rate, lines: readonly NaiveLine[]): bigint | null {
  const value = lines.reduce((sum, { unit, quantity }) => sum + unit * BigInt(quantity), 0n)
  if (rate.kind === 'free') return 0n
  if (rate.kind === 'flat') return BigInt(rate.amount)
  if (rate.kind === 'free_above')
    return value >= BigInt(rate.threshold_amount) ? 0n : rateOf(rate.otherwise, lines)
  if (rate.basis === 'label') {
    const named = lines.map(({ label }) =>
      rate.tiers.find((tier) => tier.label === undefined || tier.label === label),
    )
    return named.includes(undefined) ? null : BigInt(Math.max(...named.map((tier) => tier?.amount ?? 0)))
  }
  const measured = measuredBy(rate.basis, value, lines)
  if (measured === null) return null
  const tier = rate.tiers.find(
    ({ up_to }) => up_to === null || up_to === undefined || measured <= BigInt(up_to),
  )
  return tier ? BigInt(tier.amount) : null
}

function measuredBy(basis: string, value: bigint, lines: readonly NaiveLine[]): bigint | null {
  if (basis === 'order_value') return value
  if (basis === 'item_count') return BigInt(lines.reduce((sum, { quantity }) => sum + quantity, 0))
  if (basis !== 'weight' || lines.some(({ weight }) => weight === null)) return null
  return BigInt(lines.reduce((sum, { weight, quantity }) => sum + Number(weight) * quantity, 0))
}

type NaiveGoods = {
  lines: readonly NaiveLine[]
  subtotal: bigint
  fulfillment: bigint
  market: string | null
}

const nothing = { merchandise: 0n, fulfillment: 0n }

function naiveDiscount(
  { promotion, taken, identity }: CountedPromotion,
  { currency, at }: CartRequest,
  { lines, subtotal, fulfillment, market }: NaiveGoods,
): typeof nothing {
  const { caps, targets, starts_at, ends_at, status } = promotion
  const isBegun = status === 'active' || (status === 'scheduled' && starts_at !== null && starts_at <= at)
  if (!isBegun || (ends_at !== null && ends_at <= at) || identity === null) return nothing
  if (promotion.currency !== currency || subtotal < BigInt(targets.min_subtotal_amount ?? 0)) return nothing
  if (promotion.market_id !== null && promotion.market_id !== market) return nothing
  // These carts name no codes.
  if (promotion.code !== null) return nothing
  if (caps.total_uses !== null && taken.uses + 1 > caps.total_uses) return nothing
  const each = promotion.identity_rule === 'first_purchase' ? 1 : (caps.uses_per_identity ?? Infinity)
  if (identity.uses + 1 > each) return nothing
  const isForAll = targets.catalog_item_ids.length + targets.categories.length === 0
  const chosen = lines.filter(
    ({ itemId, categories }) =>
      isForAll ||
      targets.catalog_item_ids.includes(itemId) ||
      targets.categories.some((category) => categories.includes(category)),
  )
  const arm = promotion.arms.find(({ weight }) => weight > 0)
  if (!arm || chosen.length === 0) return nothing
  const price = chosen.reduce((sum, { unit, quantity }) => sum + unit * BigInt(quantity), 0n)
  const value = arm.value ?? 0
  const cut = (off: bigint) => (off > price ? price : off)
  const off = {
    percent: { merchandise: cut(shareOf(price, value)), fulfillment: 0n },
    amount: { merchandise: cut(BigInt(value)), fulfillment: 0n },
    fixed_price: {
      merchandise: chosen
        .filter(({ unit }) => unit > BigInt(value))
        .reduce((sum, { unit, quantity }) => sum + (unit - BigInt(value)) * BigInt(quantity), 0n),
      fulfillment: 0n,
    },
    free_fulfillment: { merchandise: 0n, fulfillment },
  }[arm.kind]
  const isWithin =
    caps.budget_amount === null ||
    taken.discountAmount + off.merchandise + off.fulfillment <= BigInt(caps.budget_amount)
  return isWithin ? off : nothing
}
