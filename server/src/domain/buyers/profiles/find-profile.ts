import type { ActingContext } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { selectProfileExists } from './profiles.sql.ts'

/** The id, if the tenant has this profile, archived or not; otherwise null. */
export async function findProfileId(
  ctx: Pick<ActingContext, 'tenant' | 'tx'>,
  id: string,
): Promise<Id<'prof'> | null> {
  const { accountId: account_id, mode } = ctx.tenant
  const row = await ctx.tx.maybe(selectProfileExists({ account_id, mode, id }))
  return row?.id ?? null
}
