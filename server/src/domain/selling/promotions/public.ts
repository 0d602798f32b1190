export { bestDiscount, type CountedPromotion } from './best-discount.ts'
export { countPromotions } from './count-promotions.ts'
export type { PromotedCart, PromotedLine } from './decide-promotion.ts'
export type { RunningPromotion } from './promotion.ts'
export {
  orderByPromotionUse,
  orderByPromotionUses,
  type ReservedDiscount,
  reservePromotionUse,
  reservePromotionUses,
} from './reserve-promotion-use.ts'
export { type RejectedCode, stackDiscounts } from './stack-discounts.ts'
