import { leaseStatements } from '../../../platform/work/lease.sql.ts'
import type { WorkKind } from '../../../platform/work/work.ts'
import { type ClaimedOrder, claimDueOrders, lockDueOrder } from './orders.sql.ts'
import { changeOrder } from './write-order.ts'

/** Expires orders that their merchants have not answered in time. */
export const orderWork: WorkKind<ClaimedOrder> = {
  kind: 'orders',
  leaseSeconds: 30,
  concurrency: 6,
  // Orders wait for a day, so a second does not matter.
  pollMs: 1000,
  claim: claimDueOrders,
  ...leaseStatements('orders'),
  async step(ctx, claimed) {
    await ctx.transaction(async (acting) => {
      const row = await acting.tx.maybe(lockDueOrder(claimed))
      // It was answered or cancelled after it was claimed, and is not due any more.
      if (row) changeOrder(acting, row, { status: 'expired', due_at: null }, ['order.expired'])
    })
  },
}
