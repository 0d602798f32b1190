import { defineIds } from '../../../contract/ids.ts'
import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { archivePromotion } from './archive-promotion.ts'
import { createPromotion } from './create-promotion.ts'
import { endPromotion } from './end-promotion.ts'
import { promotionEvents } from './events.ts'
import { followPromotedOrders } from './follow-orders.ts'
import { getPromotion, listPromotions } from './get-promotions.ts'
import { promotionInvariants } from './invariants.sql.ts'
import { pausePromotion } from './pause-promotion.ts'
import { publishPromotion } from './publish-promotion.ts'
import { resumePromotion } from './resume-promotion.ts'
import { updatePromotion } from './update-promotion.ts'
import { promotionWork, redemptionWork } from './work.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  promo: { names: 'a promotion' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  promotion_not_publishable: {
    status: 409,
    retryable: false,
    message: 'The promotion lacks what publishing needs.',
  },
  promotion_not_editable: {
    status: 409,
    retryable: false,
    message: 'This field of the promotion can no longer be changed in its status.',
  },
  promotion_state_conflict: {
    status: 409,
    retryable: false,
    message: 'The promotion cannot go from its status to that one.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
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
  operations: [
    createPromotion,
    listPromotions,
    getPromotion,
    updatePromotion,
    publishPromotion,
    pausePromotion,
    resumePromotion,
    endPromotion,
    archivePromotion,
  ],
  work: () => [promotionWork, redemptionWork],
  queues: [
    { kind: 'promotions', table: 'promotions' },
    { kind: 'promotion_redemptions', table: 'promotion_redemptions', of: 'promotion_id' },
  ],
  followers: [followPromotedOrders],
  invariants: promotionInvariants,
})
