import { leaseStatements } from '../../../platform/work/lease.sql.ts'
import type { WorkKind } from '../../../platform/work/work.ts'
import { type ClaimedLink, claimDueLinks, lockDueLink } from './links.sql.ts'
import { writeLink } from './write-link.ts'

/** Marks links whose time is over. They are useless from that moment on, even if this is late. */
export const onboardingWork: WorkKind<ClaimedLink> = {
  kind: 'onboarding_links',
  leaseSeconds: 30,
  concurrency: 3,
  pollMs: 5000,
  claim: claimDueLinks,
  ...leaseStatements('onboarding_links', { endLease: true }),
  async step(ctx, claimed) {
    await ctx.transaction(async (acting) => {
      const row = await acting.tx.maybe(lockDueLink(claimed))
      // It was sent or revoked after it was claimed.
      if (row) writeLink(acting, row, { status: 'expired', due_at: null }, 'onboarding_link.expired')
    })
  },
}
