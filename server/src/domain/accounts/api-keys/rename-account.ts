import type { ActingContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import { lockControlAlone, takeSequence } from '../controls/public.ts'
import { renameAccount as renameAccountRow } from './api-keys.sql.ts'

type RenamedAccount = { id: string; object: 'account'; name: string; created_at: string }

/** Gives the account of the context, in test mode, another name. If the name is the same, nothing changes. */
export async function renameAccount(ctx: ActingContext, name: string): Promise<RenamedAccount> {
  const { accountId: account_id } = ctx.tenant
  const locked = await lockControlAlone(ctx)
  const row = await ctx.tx.maybe(renameAccountRow({ account_id, name }))
  if (!locked || !row) throw new Problem('not_found', { param: 'account_id' })
  const object = {
    id: account_id,
    object: 'account',
    name,
    created_at: row.created_at.toISOString(),
  } as const
  if (row.before !== name) {
    const sequence = takeSequence(ctx, locked)
    ctx.tx.emit({ type: 'account.renamed', aggregateId: account_id, sequence, object })
  }
  return object
}
