import type { ActingContext, Tenant } from '../../contract/context.ts'
import type { Id } from '../../core/id.ts'
import { shardOf } from './append-events.ts'
import { hurryBacklog } from './backlog.sql.ts'

/** Has what followers failed at tried at once, by the next look of whoever relays the tenant's events. */
export function hurryEvents(tenant: Tenant, eventIds: readonly string[]) {
  const { accountId: account_id, mode } = tenant
  return hurryBacklog({ shard: shardOf(tenant), account_id, mode, event_ids: [...eventIds] })
}

/** The same on somebody's behalf, who is named in the audit. Answers the events that are tried now, and what waits behind them. */
export async function unparkEvents(ctx: ActingContext, eventIds: readonly string[]): Promise<Id<'evt'>[]> {
  const rows = await ctx.tx.rows(hurryEvents(ctx.tenant, eventIds))
  const tried = [...new Set(rows.map(({ event_id }) => event_id))].sort()
  if (tried.length === 0) return []
  const followers = [...new Set(rows.map(({ follower }) => follower))].sort()
  // Each time is an object of its own: there is none that these events have in common.
  const object = { object: 'unparked_events', event_ids: tried, followers } as const
  ctx.tx.emit({ type: 'events.unparked', aggregateId: ctx.requestId, sequence: 1, object })
  return tried
}
