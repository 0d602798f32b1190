import type { ActingContext } from '../../../contract/context.ts'
import { ok, type Result, refused } from '../../../core/result.ts'
import type { Profile, ProfileRow } from './profile.ts'
import { lockProfile } from './profiles.sql.ts'
import { missingForIssuing } from './start-profile-issuing.ts'
import { changeProfile } from './write-profile.ts'

type Decision = 'enabled' | 'rejected'

/** What an operator decides about a person's identity, which in live mode nobody else does. The refusal says in words why nothing is decided. */
export async function decideIssuing(
  ctx: ActingContext,
  id: string,
  decision: Decision,
): Promise<Result<Profile, string>> {
  const { accountId: account_id, mode } = ctx.tenant
  const row = await ctx.tx.maybe(lockProfile({ account_id, mode, id }))
  const why = row ? whyNot(row, decision) : 'it does not exist'
  if (why !== null) return refused(why)
  const decided = { issuing_state: decision, issuing_requirements: [] }
  return ok(await changeProfile(ctx, id, 'profile.issuing_updated', () => decided))
}

function whyNot(row: ProfileRow, decision: Decision): string | null {
  if (row.status !== 'active') return `the profile is ${row.status}`
  if (row.issuing_state === decision) return `it is ${decision} already`
  const missing = decision === 'enabled' ? missingForIssuing(row) : []
  return missing.length === 0 ? null : `the profile lacks ${missing.join(', ')}`
}
