import type { Currency } from '../../../core/money.ts'

/** What was approved for one cart. */
export type Terms = {
  readonly currency: Currency
  readonly expectedAmount: bigint
  /** Hundredths of a percent of the merchandise. */
  readonly toleranceBasisPoints: number
  readonly feeAllowance: bigint
  /** The cart's cap. */
  readonly maxAllowedAmount: bigint
  readonly onPriceExceed: 'reapprove' | 'fail'
}

/** What the merchant asks. */
export type Asked = {
  readonly subtotal: bigint
  readonly fulfillment: bigint
  readonly tax: bigint
  readonly discount: bigint
  readonly total: bigint
  readonly currency: Currency
}

export type OfferVerdict =
  | { readonly kind: 'accept' }
  /** The buyer is asked whether the new price is fine. */
  | { readonly kind: 'reapprove' }
  | {
      readonly kind: 'fail'
      readonly code:
        | 'unsupported_currency'
        | 'price_changed'
        | 'fulfillment_fee_exceeded'
        | 'max_amount_exceeded'
        | 'merchant_unavailable'
    }

/**
 * Three separate checks, in this order: merchandise within tolerance, fee within its allowance, total within the cap. Only a price
 * can be approved again; a fee or a total beyond its limit fails.
 */
export function decideOffer(terms: Terms, asked: Asked): OfferVerdict {
  if (asked.currency !== terms.currency) return { kind: 'fail', code: 'unsupported_currency' }
  if (!addsUp(asked)) return { kind: 'fail', code: 'merchant_unavailable' }
  const tolerated =
    terms.expectedAmount + (terms.expectedAmount * BigInt(terms.toleranceBasisPoints)) / 10_000n
  if (asked.subtotal > tolerated) {
    return terms.onPriceExceed === 'reapprove'
      ? { kind: 'reapprove' }
      : { kind: 'fail', code: 'price_changed' }
  }
  if (asked.fulfillment > terms.feeAllowance) return { kind: 'fail', code: 'fulfillment_fee_exceeded' }
  if (asked.total > terms.maxAllowedAmount) return { kind: 'fail', code: 'max_amount_exceeded' }
  return { kind: 'accept' }
}

/** An offer whose parts do not make its total would be charged by the part we did not look at. */
function addsUp({ subtotal, fulfillment, tax, discount, total }: Asked): boolean {
  const parts = [subtotal, fulfillment, tax, discount, total]
  return parts.every((part) => part >= 0n) && subtotal + fulfillment + tax - discount === total
}
