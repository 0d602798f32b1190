import { type PriceParts, totalOf } from '../../../selling/pricing/public.ts'
import type { Offer } from '../../channels/public.ts'

/** What was approved for one cart. */
export type Terms = {
  readonly currency: string
  readonly expectedAmount: bigint
  /** Hundredths of a percent of the merchandise. */
  readonly toleranceBasisPoints: number
  readonly feeAllowance: bigint
  /** The cart's cap. */
  readonly maxAllowedAmount: bigint
  readonly onPriceExceed: 'reapprove' | 'fail'
}

/** The merchant's price. */
export type Asked = Pick<Offer, keyof PriceParts | 'total' | 'currency'>

type OfferVerdict =
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
  // guard offer-in-the-currency: an offer in another currency is not paid
  if (asked.currency !== terms.currency) return { kind: 'fail', code: 'unsupported_currency' }
  if (!addsUp(asked)) return { kind: 'fail', code: 'merchant_unavailable' }
  const tolerated =
    terms.expectedAmount + (terms.expectedAmount * BigInt(terms.toleranceBasisPoints)) / 10_000n
  // guard offer-within-the-tolerance: merchandise beyond the tolerance is asked about
  if (asked.subtotal > tolerated) {
    return terms.onPriceExceed === 'reapprove'
      ? { kind: 'reapprove' }
      : { kind: 'fail', code: 'price_changed' }
  }
  // guard offer-within-the-fee: a fee above its allowance is not paid
  if (asked.fulfillment > terms.feeAllowance) return { kind: 'fail', code: 'fulfillment_fee_exceeded' }
  // guard offer-within-the-cap: no offer above the cap is accepted
  if (asked.total > terms.maxAllowedAmount) return { kind: 'fail', code: 'max_amount_exceeded' }
  return { kind: 'accept' }
}

/** If the parts of an offer do not add up to its total, we would charge a part that nobody checked. */
function addsUp(asked: Asked): boolean {
  const { subtotal, fulfillment, tax, discount, total } = asked
  const parts = [subtotal, fulfillment, tax, discount, total]
  // guard offer-adds-up: an offer whose parts do not make its total is not paid
  return parts.every((part) => part >= 0n) && totalOf(asked) === total
}
