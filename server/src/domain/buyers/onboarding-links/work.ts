import { leaseStatements } from '../../../platform/work/lease.sql.ts'
import type { WorkKind } from '../../../platform/work/work.ts'
import { type ClaimedLink, claimDueLinks, lockDueLink } from './links.sql.ts'
import { changeLink } from './write-link.ts'

/** Marks links whose time is up. They are of no use from that moment on, whoever is late here. */
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
      // Sent or revoked since it was claimed.
      if (row) changeLink(acting, row, { status: 'expired', due_at: null }, 'onboarding_link.expired')
    })
  },
}
