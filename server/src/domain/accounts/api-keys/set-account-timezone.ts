import type { ActingContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import { lockControlAlone, takeSequence } from '../controls/public.ts'
import { setAccountTimezone as setTimezoneOfRow } from './api-keys.sql.ts'

export type ZonedAccount = {
  id: string
  object: 'account'
  name: string
  timezone: string
  created_at: string
}

/** Writes the time zone of the account of the context, in test mode. Policies are given it apart from this. */
export async function setAccountTimezone(ctx: ActingContext, timezone: string): Promise<ZonedAccount> {
  const { accountId: account_id } = ctx.tenant
  const locked = await lockControlAlone(ctx)
  const row = await ctx.tx.maybe(setTimezoneOfRow({ account_id, timezone }))
  if (!locked || !row) throw new Problem('not_found', { param: 'account_id' })
  const object = {
    id: account_id,
    object: 'account',
    name: row.name,
    timezone,
    created_at: row.created_at.toISOString(),
  } as const
  if (row.before !== timezone) {
    const sequence = takeSequence(ctx, locked)
    ctx.tx.emit({ type: 'account.timezone_set', aggregateId: account_id, sequence, object })
  }
  return object
}
