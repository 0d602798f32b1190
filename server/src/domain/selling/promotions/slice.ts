import { defineIds } from '../../../contract/ids.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { promotionEvents } from './events.ts'
import { followPromotedOrders } from './follow-orders.ts'
import { promotionInvariants } from './invariants.ts'
import { promotionOperations } from './operations.ts'
import { problems } from './problems.ts'
import { promotionWork, redemptionWork } from './work.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  promo: { names: 'a promotion' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

export const promotions = defineSlice({
  name: 'selling/promotions',
  about: 'Decides the best discount for a cart, and holds each use of it until the order ends.',
  needs: ['selling/catalog', 'selling/markets'],
  tables: ['promotion_counters', 'promotion_redemptions', 'promotions'],
  ids,
  problems,
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
