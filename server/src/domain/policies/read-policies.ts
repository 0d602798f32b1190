import type { Reads, Tenant } from '../../contract/context.ts'
import { selectApplicablePolicies } from './policies.sql.ts'
import type { ApplicablePolicy } from './policy.ts'

/** Whose purchase it is, and the policy that it names. */
type Scope = { readonly profileId: string; readonly agentId: string | null; readonly policyId: string | null }

/** The policies of a purchase, with what is used of them at this moment. */
export function readApplicablePolicies(
  reads: Pick<Reads, 'rows'>,
  { accountId, mode }: Tenant,
  { profileId, agentId, policyId }: Scope,
): Promise<ApplicablePolicy[]> {
  const scope = { profile_id: profileId, agent_id: agentId, policy_id: policyId }
  return reads.rows(selectApplicablePolicies({ account_id: accountId, mode, ...scope }))
}
