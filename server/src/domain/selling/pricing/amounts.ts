/** The parts of a price, in minor units of one currency. */
export type PriceParts = {
  readonly subtotal: bigint
  readonly fulfillment: bigint
  readonly tax: bigint
  readonly discount: bigint
}

/** The total of a price: everything but the discount is added. */
export function totalOf({ subtotal, fulfillment, tax, discount }: PriceParts): bigint {
  return subtotal + fulfillment + tax - discount
}

/** The price of all units of a line together. */
export function lineAmount({ unitAmount, quantity }: { unitAmount: bigint; quantity: number }): bigint {
  return unitAmount * BigInt(quantity)
}

/** Tax at a merchant's rate: on the merchandise alone, never on fulfillment, and rounded once for the whole, half a unit up. */
export function taxOf(merchandise: bigint, basisPoints: number): bigint {
  return (merchandise * BigInt(basisPoints) + 5_000n) / 10_000n
}

/** The merchandise that a tax was computed on, the tax, and the rate; null where the merchant set the tax, or a discount changed it. */
type TaxedPrice = {
  readonly subtotal: bigint
  readonly tax: bigint
  readonly taxBasisPoints: number | null
}

/** The tax at another price of the same merchandise: by the same rate, otherwise in proportion to the price. */
export function taxAtSubtotal(before: TaxedPrice, subtotal: bigint): bigint {
  if (before.taxBasisPoints !== null) return taxOf(subtotal, before.taxBasisPoints)
  return before.subtotal === 0n ? 0n : (before.tax * subtotal) / before.subtotal
}
