import { defineSlice } from '../../../platform/slices/slice.ts'
import { promotionEvents } from './events.ts'
import { followPromotedOrders } from './follow-orders.ts'
import { ids } from './ids.ts'
import { promotionInvariants } from './invariants.ts'
import { promotionOperations } from './operations.ts'
import { promotionWork, redemptionWork } from './work.ts'

export const promotions = defineSlice({
  name: 'selling/promotions',
  needs: ['selling/catalog', 'selling/markets'],
  ids,
  tags: {
    Promotions: 'Discounts: for whom, for how long and how often.',
  },
  events: promotionEvents,
  operations: promotionOperations,
  work: () => [promotionWork, redemptionWork],
  queues: [
    { kind: 'promotions', table: 'promotions' },
    { kind: 'promotion_redemptions', table: 'promotion_redemptions', of: 'promotion_id' },
  ],
  followers: [followPromotedOrders],
  invariants: promotionInvariants,
})
