export type { CountedPromotion } from './best-discount.ts'
export { countPromotions } from './count-promotions.ts'
export { isSameCode, type PromotedCart, type PromotedLine } from './decide-promotion.ts'
export type { RunningPromotion } from './promotion.ts'
export {
  orderByPromotionUses,
  type ReservedDiscount,
  reservePromotionUses,
  useIdsOf,
} from './reserve-promotion-use.ts'
export { type RejectedCode, stackDiscounts, sumOfDiscounts } from './stack-discounts.ts'
