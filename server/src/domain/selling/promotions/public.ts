export type { PromotedLine } from './decide-promotion.ts'
export type { PromotionRow } from './promotion.ts'
export { selectRunningPromotions } from './promotions.sql.ts'
export { orderByUse } from './redemptions.sql.ts'
export {
  type ReservedDiscount,
  reservePromotionUse,
} from './reserve-promotion-use.ts'
