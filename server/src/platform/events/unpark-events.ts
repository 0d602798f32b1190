import type { ActingContext, Tenant } from '../../contract/context.ts'
import type { Id } from '../../core/id.ts'
import { shardOf } from './append-events.ts'
import { hurryBacklog } from './backlog.sql.ts'

/** Makes events that followers failed at due at once; the relay of the tenant's shard tries them at its next look. */
export function hurryEvents(tenant: Tenant, eventIds: readonly string[]) {
  const { accountId: account_id, mode } = tenant
  return hurryBacklog({ shard: shardOf(tenant), account_id, mode, event_ids: [...eventIds] })
}

/** The same on behalf of an actor, whom the audit names. Returns the events that are tried, and how many wait behind them. */
export async function unparkEvents(ctx: ActingContext, eventIds: readonly string[]): Promise<Id<'evt'>[]> {
  const rows = await ctx.tx.rows(hurryEvents(ctx.tenant, eventIds))
  const tried = [...new Set(rows.map(({ event_id }) => event_id))].sort()
  if (tried.length === 0) return []
  const followers = [...new Set(rows.map(({ follower }) => follower))].sort()
  // Each unparking is an object of its own: these events have no object in common.
  const object = { object: 'unparked_events', event_ids: tried, followers } as const
  ctx.tx.emit({ type: 'events.unparked', aggregateId: ctx.requestId, sequence: 1, object })
  return tried
}
