import type { ActingContext } from '../../contract/context.ts'
import type { Id } from '../../core/id.ts'
import { lockAccount } from '../accounts/api-keys/public.ts'
import { lockPoliciesOfZone } from './policies.sql.ts'
import { writeChange } from './write-policy.ts'

/**
 * Gives the time zone of the account to the policies of this mode that name none. Each of them gets a new version, and its windows run on
 * until they have ended in the zone before.
 */
export async function followTimezone(ctx: ActingContext, timezone: string): Promise<Id<'pol'>[]> {
  const { accountId: account_id, mode } = ctx.tenant
  // A policy that is being written takes the account's zone under this lock.
  await lockAccount(ctx)
  const policies = await ctx.tx.rows(lockPoliciesOfZone({ account_id, mode, zone: timezone }))
  for (const policy of policies) {
    const next = { ...policy, zone: timezone, version: policy.version + 1 }
    writeChange(ctx, policy, { next, type: 'policy.updated' })
  }
  return policies.map(({ id }) => id)
}
