import type { Place } from '../../../core/place.ts'
import { decideMarket } from '../markets/public.ts'
import {
  type CountedPromotion,
  type PromotedCart,
  type RejectedCode,
  stackDiscounts,
  sumOfDiscounts,
} from '../promotions/public.ts'
import {
  decideFulfillment,
  type FulfilledPurchase,
  fulfillmentOptions,
  type RateFacts,
  type RateOption,
} from '../rate-cards/public.ts'
import { lineAmount, type PriceParts, taxOf, totalOf } from './amounts.ts'
import {
  type CartLine,
  type LineRefusal,
  type PricedLine,
  priceLine,
  Shelf,
  type SoldLine,
} from './sold-line.ts'

/** One buyer's request to one merchant of ours. */
export type CartRequest = {
  readonly lines: readonly CartLine[]
  readonly currency: string
  readonly method: FulfilledPurchase['method']
  readonly speed: FulfilledPurchase['speed']
  /** The destination, as far as it is known. */
  readonly place: Place | null
  readonly at: Date
  /** The promotion codes that the buyer names. */
  readonly codes?: readonly string[]
}

/** The merchant's terms beyond its catalog. */
export type CartTerms = { readonly taxBasisPoints: number; readonly rates: RateFacts }

type Refusal = {
  /** The place of the line in the request. */
  readonly line: number
  readonly code: LineRefusal | 'address_undeliverable'
  /** For the buyer, where there is more to say than the code does. */
  readonly message: string | null
}

/** Why there is no price: every line that prevents it, in their order. */
export type Refused = { readonly kind: 'refused'; readonly refusals: readonly [Refusal, ...Refusal[]] }

/** A cart before the discount of a promotion. */
export type Goods = {
  readonly kind: 'goods'
  readonly lines: readonly SoldLine[]
  readonly subtotal: bigint
  readonly fulfillment: bigint
  readonly taxBasisPoints: number
  /** The same as promotions see it. */
  readonly promoted: PromotedCart
}

export type Priced = PriceParts & {
  readonly kind: 'priced'
  readonly lines: readonly SoldLine[]
  readonly total: bigint
  readonly currency: string
  /** The rate of the tax on the subtotal; null where it is not a rate of it. */
  readonly taxBasisPoints: number | null
}

/** The discount of a promotion: on the merchandise, and on the fulfillment. */
type TakenOff = { readonly merchandise: bigint; readonly fulfillment: bigint }

/** A price, and the codes that take nothing off it. */
export type PricedCart = Priced & { readonly rejected: readonly RejectedCode[] }

/** A merchant's price for a cart, with the promotions that the cart would get, or why it cannot be bought. */
export function priceCart(
  facts: CartTerms & { readonly promotions: readonly CountedPromotion[] },
  request: CartRequest,
): PricedCart | Refused {
  const goods = priceGoods(facts, request)
  if (goods.kind === 'refused') return goods
  const { codes = [], at: now } = request
  const { discounts, rejected } = stackDiscounts(facts.promotions, goods.promoted, { codes, now })
  return { ...withDiscount(goods, sumOfDiscounts(discounts)), rejected }
}

/** The first half of `priceCart`, for callers that hold a promotion before they count on it. */
export function priceGoods(terms: CartTerms, request: CartRequest): Goods | Refused {
  const { currency, method, speed, place, at } = request
  const lines: PricedLine[] = []
  const refusals: Refusal[] = []
  const shelf = new Shelf()
  for (const [line, wanted] of request.lines.entries()) {
    const priced = priceLine(wanted, { currency, shelf })
    if (typeof priced === 'string') refusals.push({ line, code: priced, message: aboutLine[priced] ?? null })
    else lines.push(priced)
  }
  const fulfilled = lines.map((line) => line.fulfilled)
  const fee =
    refusals.length > 0
      ? null
      : decideFulfillment(terms.rates, { method, speed, place, currency, at, lines: fulfilled })
  if (fee?.kind === 'undeliverable') {
    const { message } = fee
    refusals.push(...fee.lines.map((line) => ({ line, code: 'address_undeliverable' as const, message })))
  }
  const [first, ...others] = refusals
  if (first) return { kind: 'refused', refusals: [first, ...others] }
  const sold = lines.map((line) => line.sold)
  const subtotal = sold.reduce((sum, line) => sum + lineAmount(line), 0n)
  const fulfillment = fee?.kind === 'fee' ? fee.amount : 0n
  return {
    kind: 'goods',
    lines: sold,
    subtotal,
    fulfillment,
    taxBasisPoints: terms.taxBasisPoints,
    promoted: {
      lines: lines.map((line) => line.promoted),
      subtotal,
      fulfillment,
      currency,
      marketId: decideMarket(terms.rates.markets, place)?.market.id ?? null,
    },
  }
}

const aboutLine: Partial<Record<LineRefusal, string>> = {
  input_not_given:
    'The merchant must know more before it sells this: `required_inputs` of the product says what.',
  merchant_unsupported: 'A purchase pays once, so it buys no subscription. Ask the merchant for a quote.',
}

/** The rate cards that the buyer can choose from for the goods of a cart whose lines can all be sold, the cheapest first. */
export function optionsFor(terms: CartTerms, request: CartRequest): readonly RateOption[] {
  const shelf = new Shelf()
  const lines = request.lines.flatMap((wanted) => {
    const priced = priceLine(wanted, { currency: request.currency, shelf })
    return typeof priced === 'string' ? [] : [priced.fulfilled]
  })
  return fulfillmentOptions(terms.rates, { ...request, lines })
}

/** The second half of `priceCart`. */
export function withDiscount(goods: Goods, off: TakenOff | null): Priced {
  const { lines, subtotal, fulfillment, taxBasisPoints } = goods
  const { merchandise, fulfillment: fee } = off ?? { merchandise: 0n, fulfillment: 0n }
  const parts = {
    subtotal,
    fulfillment,
    // Tax is owed on the price that the goods are sold for.
    // guard tax-on-what-is-left: tax is computed on the price after discounts
    tax: taxOf(subtotal - merchandise, taxBasisPoints),
    discount: merchandise + fee,
  }
  return {
    kind: 'priced',
    lines,
    ...parts,
    total: totalOf(parts),
    currency: goods.promoted.currency,
    // With a discount tax is no longer a rate of the subtotal: another price keeps its part of it.
    // guard rate-only-without-discount: a repriced order with a discount keeps the part of tax that it had
    taxBasisPoints: merchandise === 0n ? taxBasisPoints : null,
  }
}
