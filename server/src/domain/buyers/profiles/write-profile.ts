import type { ActingContext, Tenant } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import type { profileEvents } from './events.ts'
import { type Profile, type ProfileRow, renderProfile } from './profile.ts'
import { lockProfile, type ProfileWrite, updateProfileRow } from './profiles.sql.ts'

/** A row as its statements take it. */
export function writeOf(row: ProfileRow, tenant: Tenant): ProfileWrite {
  return {
    ...row,
    account_id: tenant.accountId,
    mode: tenant.mode,
    addresses: JSON.stringify(row.addresses),
    metadata: JSON.stringify(row.metadata),
  }
}

/**
 * Changes one profile: locks it, lets `change` decide (it may throw a refusal), writes the row and the event. A change of nothing
 * writes nothing.
 */
export async function changeProfile(
  ctx: ActingContext,
  profileId: string,
  type: keyof typeof profileEvents,
  change: (row: ProfileRow) => Partial<ProfileRow>,
): Promise<Profile> {
  const { accountId, mode } = ctx.tenant
  const row = await ctx.tx.maybe(lockProfile({ account_id: accountId, mode, id: profileId }))
  if (!row) throw new Problem('not_found', { param: 'profile_id' })
  const changes = change(row)
  if (Object.keys(changes).length === 0) return renderProfile(row, ctx.tenant)
  const changed = { ...row, ...changes, seq: row.seq + 1, updated_at: ctx.now }
  const profile = renderProfile(changed, ctx.tenant)
  ctx.tx.write(updateProfileRow(writeOf(changed, ctx.tenant)))
  ctx.tx.emit({ type, aggregateId: row.id, sequence: changed.seq, object: profile })
  return profile
}
