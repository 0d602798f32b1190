import type { Id } from '../../core/id.ts'
import { changeMerchant } from '../../domain/readiness/merchant-readiness/public.ts'
import { selectClaimedTestDomains } from '../../domain/selling/merchant/operated-merchants.sql.ts'
import { takeTestDomain } from '../../domain/selling/merchant/public.ts'
import { violatedConstraint } from '../../platform/database/errors.ts'
import type { Administration } from '../operator/administer.ts'

/** Which merchants have got a test domain, and which claims stay unverified because another merchant has the domain. */
type SharedTestDomains = {
  held: { account_id: string; domain: string }[]
  unverified: { account_id: string; domain: string }[]
}

/**
 * Where accounts share test domains: gives each claimed domain to the oldest merchant that claims it, and returns whose claims stay
 * unverified. Claims that are verified already stay so, and it can run at every start.
 */
export async function shareTestDomains(
  admin: Administration,
  report: (line: string) => void,
): Promise<SharedTestDomains> {
  const shared: SharedTestDomains = { held: [], unverified: [] }
  for (const claim of await admin.parts.pools.read(selectClaimedTestDomains({}))) {
    const { account_id, domain } = claim
    const isHeld = !claim.is_taken && (await take(admin, claim))
    shared[isHeld ? 'held' : 'unverified'].push({ account_id, domain })
  }
  for (const { account_id, domain } of shared.held) report(`Test domain ${domain} is held by ${account_id}`)
  for (const { account_id, domain } of shared.unverified) {
    report(`Test domain ${domain} of ${account_id} stays unverified: another account holds it`)
  }
  return shared
}

async function take(
  admin: Administration,
  { account_id: accountId, domain }: { account_id: Id<'acct'>; domain: string },
): Promise<boolean> {
  let isHeld = false
  await admin
    .inTenant({ accountId, mode: 'test' }, (ctx) =>
      changeMerchant(
        ctx,
        async (row) => {
          const isStill = row.domain === domain && row.domain_verified_at === null
          const hold = isStill ? await takeTestDomain(ctx, domain) : null
          isHeld = hold !== null
          return hold ?? {}
        },
        () => (isHeld ? 'merchant.test_domain_held' : null),
      ),
    )
    .catch((error: unknown) => {
      // Another merchant took it at this very moment.
      if (violatedConstraint(error) !== 'merchants_verified_domain') throw error
      isHeld = false
    })
  return isHeld
}
