import { leaseStatements } from '../../../platform/work/lease.sql.ts'
import type { WorkKind } from '../../../platform/work/work.ts'
import { type ClaimedPromotion, claimDuePromotions, lockDuePromotion } from './promotions.sql.ts'
import {
  type ClaimedRedemption,
  claimDueRedemptions,
  lockCounters,
  releaseUnordered,
} from './redemptions.sql.ts'
import { moveByTime } from './write-promotion.ts'

/** Begins and ends promotions at their times. Carts use the times themselves, and do not wait for this. */
export const promotionWork: WorkKind<ClaimedPromotion> = {
  kind: 'promotions',
  leaseSeconds: 30,
  concurrency: 3,
  pollMs: 1000,
  claim: claimDuePromotions,
  ...leaseStatements('promotions', { endLease: true }),
  async step(ctx, claimed) {
    await ctx.transaction(async (acting) => {
      const row = await acting.tx.maybe(lockDuePromotion(claimed))
      if (row) moveByTime(acting, row)
    })
  },
}

/** Releases the uses of offers that were held for a cart and not ordered in time. */
export const redemptionWork: WorkKind<ClaimedRedemption> = {
  kind: 'promotion_redemptions',
  leaseSeconds: 30,
  concurrency: 6,
  pollMs: 1000,
  claim: claimDueRedemptions,
  ...leaseStatements('promotion_redemptions', { endLease: true }),
  async step(ctx, { account_id, mode, id, promotion_id, lease_token }) {
    await ctx.transaction(async ({ tx, now }) => {
      await tx.rows(lockCounters({ account_id, mode, ids: [promotion_id] }))
      tx.write(releaseUnordered({ account_id, mode, id, lease_token, now }))
    })
  },
}
