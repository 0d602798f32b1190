import { agentOf } from '../../../../contract/actor.ts'
import type { CallContext } from '../../../../contract/context.ts'
import { Problem } from '../../../../contract/problem.ts'
import { isFrozen } from '../../../accounts/controls/public.ts'
import type { PayingMethod } from '../../../buyers/payment-methods/public.ts'
import type { BuyerFacts } from '../../../buyers/profiles/public.ts'
import { siteHostsOf } from '../../../discovery/registry/public.ts'
import { type AccountSettings, type ApplicablePolicy, accountSettings } from '../../../policies/public.ts'
import { hostsOf, type MerchantRecord } from '../../../selling/merchant/public.ts'
import type { IntentRow } from '../intent.ts'
import { domainOf } from '../read/purchase-facts.ts'
import { selectCreateFacts } from './create-facts.sql.ts'
import type { PurchaseIntentCreate } from './create-request.ts'

/** Everything that a new purchase is decided from, read at this moment. */
export type CreateFacts = {
  readonly profile: BuyerFacts
  readonly method: PayingMethod | null
  readonly policies: readonly ApplicablePolicy[]
  readonly merchants: readonly MerchantRecord[]
  /** The hosts of its items that the registry of test mode has. In live mode nothing follows from them here, and there are none. */
  readonly siteHosts: ReadonlySet<string>
  readonly settings: AccountSettings
  /** What the profile keeps to be told to the shops of its items. */
  readonly keptAnswers: NonNullable<IntentRow['kept_answers']>
}

/** Reads it all in one round trip; throws what refuses the purchase whatever its terms are. */
export async function readCreateFacts(ctx: CallContext, body: PurchaseIntentCreate): Promise<CreateFacts> {
  const { accountId: account_id, mode } = ctx.tenant
  const profile_id = body.profile_id
  const policy_id = body.policy_id ?? null
  const agent = agentOf(ctx.actor)
  const urls = body.items.map(({ url }) => url)
  const found = selectCreateFacts.read(
    await ctx.reads.rows(
      selectCreateFacts({
        account_id,
        mode,
        profile_id,
        payment_method_id: body.profile_payment_method_id ?? null,
        agent_id: agent,
        policy_id,
        hosts: hostsOf(urls),
        answer_domains: [...new Set(urls.map(domainOf))],
        site_hosts: mode === 'test' ? siteHostsOf(urls) : [],
      }),
    ),
  )
  const { policies, merchants, kept: keptAnswers } = found
  const profile = found.profiles[0]
  const method = found.methods[0] ?? null
  const standing = found.standings[0] ?? null
  if (!profile) throw new Problem('not_found', { param: 'profile_id' })
  if (body.profile_payment_method_id !== undefined && !method) {
    throw new Problem('not_found', { param: 'profile_payment_method_id' })
  }
  const named = policies.find((policy) => policy.named)
  if (policy_id !== null && !named) throw new Problem('not_found', { param: 'policy_id' })
  if (named?.archived_at) throw new Problem('policy_archived', { param: 'policy_id' })
  if (standing && isFrozen(standing, { profileId: profile.id, agentId: agent })) throw new Problem('frozen')
  if (profile.status !== 'active') throw new Problem('profile_not_active', { param: 'profile_id' })
  const siteHosts = new Set(found.sites.map(({ host }) => host))
  return { profile, method, policies, merchants, siteHosts, keptAnswers, settings: accountSettings(standing) }
}
