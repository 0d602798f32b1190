import type { CallContext } from '../../contract/context.ts'
import { Problem } from '../../contract/problem.ts'
import { hostsOf, type MerchantRow, selectMerchantsByHosts } from '../merchant/public.ts'
import { type PaymentMethodRow, selectUsablePaymentMethod } from '../payment-methods/public.ts'
import {
  type AccountSettings,
  type ApplicablePolicyRow,
  accountSettings,
  isFrozen,
  selectApplicablePolicies,
} from '../policies/public.ts'
import { type ProfileRow, selectProfile } from '../profiles/public.ts'
import { actingKey, type PurchaseIntentCreate } from './create-request.ts'
import { selectStanding } from './standing.sql.ts'

/** Everything that a new purchase is decided from, as it stands at the moment. */
export type CreateFacts = {
  readonly profile: ProfileRow
  readonly method: PaymentMethodRow | null
  readonly policies: readonly ApplicablePolicyRow[]
  readonly merchants: readonly MerchantRow[]
  readonly settings: AccountSettings
}

/** Reads it all in one round trip; throws what refuses the purchase whatever its terms are. */
export async function readCreateFacts(ctx: CallContext, body: PurchaseIntentCreate): Promise<CreateFacts> {
  const { accountId: account_id, mode } = ctx.tenant
  const profile_id = body.profile_id
  const policy_id = body.policy_id ?? null
  const key = actingKey(ctx)
  const [profile, method, policies, merchants, standing] = await Promise.all([
    ctx.reads.maybe(selectProfile({ account_id, mode, id: profile_id })),
    ctx.reads.maybe(
      selectUsablePaymentMethod({
        account_id,
        mode,
        profile_id,
        payment_method_id: body.profile_payment_method_id ?? null,
      }),
    ),
    ctx.reads.rows(selectApplicablePolicies({ account_id, mode, profile_id, api_key_id: key, policy_id })),
    ctx.reads.rows(
      selectMerchantsByHosts({ account_id, mode, hosts: hostsOf(body.items.map(({ url }) => url)) }),
    ),
    ctx.reads.maybe(selectStanding({ account_id, mode })),
  ])
  if (!profile) throw new Problem('not_found', { param: 'profile_id' })
  if (body.profile_payment_method_id !== undefined && !method) {
    throw new Problem('not_found', { param: 'profile_payment_method_id' })
  }
  const named = policies.find((policy) => policy.named)
  if (policy_id !== null && !named) throw new Problem('not_found', { param: 'policy_id' })
  if (named?.archived_at) throw new Problem('policy_archived', { param: 'policy_id' })
  if (standing && isFrozen(standing, { profileId: profile.id, apiKeyId: key })) throw new Problem('frozen')
  if (profile.status !== 'active') throw new Problem('profile_not_active', { param: 'profile_id' })
  return { profile, method, policies, merchants, settings: accountSettings(standing) }
}
