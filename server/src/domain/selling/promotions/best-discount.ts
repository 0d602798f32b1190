import { type Discount, decidePromotion, type PromotedCart, type PromotionFacts } from './decide-promotion.ts'

/** A promotion, what others have used of its caps, and the identity that would use it. */
export type CountedPromotion = Pick<PromotionFacts, 'promotion' | 'taken' | 'identity'>

export type BestDiscount<Counted extends CountedPromotion> = Discount & { readonly of: Counted }

/**
 * Of the promotions that apply to a cart, the one with the largest discount, and of two equal ones the first; null where none applies.
 * Discounts do not add up: a cart uses one promotion.
 */
export function bestDiscount<Counted extends CountedPromotion>(
  counted: readonly Counted[],
  cart: PromotedCart,
  now: Date,
): BestDiscount<Counted> | null {
  let best: BestDiscount<Counted> | null = null
  for (const one of counted) {
    const verdict = decidePromotion({ now, cart, ...one })
    // guard best-promotion: a cart gets the promotion that takes most off it
    if (verdict.kind === 'applies' && (best === null || offOf(verdict) > offOf(best)))
      best = { ...verdict, of: one }
  }
  return best
}

export function offOf({ merchandise, fulfillment }: Pick<Discount, 'merchandise' | 'fulfillment'>): bigint {
  return merchandise + fulfillment
}
