import { leaseStatements } from '../../../platform/work/lease.sql.ts'
import type { WorkKind } from '../../../platform/work/work.ts'
import { type ClaimedCheck, claimDueChecks, lockClaimedCheck } from './integration-checks.sql.ts'
import { lookAtOrder } from './look-at-order.ts'
import { lookAtQuote } from './look-at-quote.ts'
import { writeLook } from './write-check.ts'

export const checkWorkKind = 'integration_checks'

const looks = { order: lookAtOrder, quote: lookAtQuote } as const

/**
 * Looks at what proves or disproves a destination. A look is one transaction without calls, so a look that was interrupted is made again
 * as if it had never begun.
 */
export const checkWork: WorkKind<ClaimedCheck> = {
  kind: checkWorkKind,
  leaseSeconds: 30,
  concurrency: 6,
  claim: claimDueChecks,
  ...leaseStatements('integration_checks', { endLease: true }),
  async step(ctx, claimed) {
    await ctx.transaction(async (acting) => {
      const row = await acting.tx.maybe(lockClaimedCheck(claimed))
      if (row) writeLook(acting, row, await looks[row.kind](acting, row))
    })
  },
}
