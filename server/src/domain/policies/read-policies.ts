import type { Reads, Tenant } from '../../contract/context.ts'
import { selectApplicablePolicies } from './policies.sql.ts'
import type { ApplicablePolicy } from './policy.ts'

/** Whose purchase it is, the policy that it names, and what pays; null: the default of the profile does. */
type Scope = {
  readonly profileId: string
  readonly agentId: string | null
  readonly policyId: string | null
  readonly paymentMethodId: string | null
}

/** The policies of a purchase, with what is used of them at this moment. */
export function readApplicablePolicies(
  reads: Pick<Reads, 'rows'>,
  { accountId, mode }: Tenant,
  { profileId, agentId, policyId, paymentMethodId }: Scope,
): Promise<ApplicablePolicy[]> {
  const scope = {
    profile_id: profileId,
    agent_id: agentId,
    policy_id: policyId,
    payment_method_id: paymentMethodId,
  }
  return reads.rows(selectApplicablePolicies({ account_id: accountId, mode, ...scope }))
}
