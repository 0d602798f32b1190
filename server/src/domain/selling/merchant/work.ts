import type { ActingContext } from '../../../contract/context.ts'
import { violatedConstraint } from '../../../platform/database/errors.ts'
import { leaseStatements } from '../../../platform/work/lease.sql.ts'
import { expectHeld } from '../../../platform/work/lease.ts'
import type { WorkKind } from '../../../platform/work/work.ts'
import { decideVerification, type Verdict } from './decide-verification.ts'
import { findProof, type Proof, type ProofDeps } from './domain-proof.ts'
import { selectVerifiedHolder } from './merchant.sql.ts'
import type { MerchantRecords } from './merchant-records.ts'
import { holdsTestDomain } from './test-domains.ts'
import {
  type ClaimedVerification,
  claimDueVerifications,
  dropVerification,
  settleVerification,
} from './verification.sql.ts'

export const domainWorkKind = 'domain_verifications'

/** Looks for the proof of a domain, at a request and then every day. A look can be made twice without harm. */
export function createDomainWork(
  deps: ProofDeps & { records: MerchantRecords },
): WorkKind<ClaimedVerification> {
  return {
    kind: domainWorkKind,
    leaseSeconds: 30,
    concurrency: 12,
    claim: claimDueVerifications,
    ...leaseStatements('domain_verifications', { endLease: true }),
    async step(ctx, claimed) {
      const proof = await findProof(deps, claimed)
      const settle = () => ctx.transaction((acting) => settleProof(acting, deps.records, { claimed, proof }))
      await settle().catch((error: unknown) => {
        // Two merchants proved one domain at the same moment. The second look finds the first merchant there.
        if (violatedConstraint(error) === 'merchants_verified_domain') return settle()
        throw error
      })
    },
  }
}

async function settleProof(
  ctx: ActingContext,
  records: MerchantRecords,
  { claimed, proof }: { claimed: ClaimedVerification; proof: Proof },
): Promise<void> {
  const decided: { verdict?: Verdict } = {}
  await records.change(
    ctx,
    async (row) => {
      const isOther = row.domain !== claimed.domain || row.verification_token !== claimed.token
      // A reserved name has no proof to lose.
      if (isOther || holdsTestDomain(row)) {
        ctx.tx.write(dropVerification({ ...claimed, now: ctx.now }))
        return {}
      }
      const holder = await ctx.tx.maybe(selectVerifiedHolder({ mode: row.mode, domain: claimed.domain }))
      const verdict = decideVerification({
        proof,
        isVerified: row.domain_verified_at !== null,
        isTaken: holder !== null && holder.account_id !== row.account_id,
        failingSince: claimed.failing_since,
        now: ctx.now,
      })
      expectHeld(await ctx.tx.rows(settleVerification(writeOf(ctx, claimed, verdict))))
      decided.verdict = verdict
      if (verdict.change === null) return {}
      return { domain_verified_at: verdict.isVerified ? (row.domain_verified_at ?? ctx.now) : null }
    },
    () => decided.verdict?.change ?? null,
  )
}

function writeOf(ctx: ActingContext, claimed: ClaimedVerification, verdict: Verdict) {
  return {
    ...claimed,
    status: verdict.status,
    detail: verdict.detail,
    failing_since: verdict.failingSince,
    lapsed_at: verdict.change === 'merchant.domain_verification_lapsed' ? ctx.now : null,
    due_at: verdict.dueAt,
    now: ctx.now,
  }
}
