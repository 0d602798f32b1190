import type { ActingContext } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import type { AgentRow } from './agent.ts'
import { renderApiKey } from './api-key.ts'
import { joinAgentRow, lockKeysOfAgent, moveKeysOfAgent } from './api-keys.sql.ts'

/**
 * Moves the keys of an agent to another; everything that names the first agent means the second from then on. The caller holds both, and
 * the control row.
 */
export async function moveKeys(ctx: ActingContext, from: AgentRow, into: AgentRow): Promise<Id<'key'>[]> {
  const { accountId: account_id, mode } = ctx.tenant
  const moved = { account_id, mode, from_id: from.id, into_id: into.id, now: ctx.now }
  const keys = await ctx.tx.rows(lockKeysOfAgent({ account_id, mode, agent_id: from.id }))
  ctx.tx.write(moveKeysOfAgent(moved))
  ctx.tx.write(joinAgentRow(moved))
  for (const row of keys) {
    const changed = { ...row, agent_id: into.id, updated_at: ctx.now, seq: row.seq + 1 }
    const object = renderApiKey(changed, mode)
    ctx.tx.emit({ type: 'api_key.joined', aggregateId: row.id, sequence: changed.seq, object })
  }
  const object = { id: from.id, object: 'agent', mode, name: from.name, joined_into: into.id } as const
  ctx.tx.emit({ type: 'agent.joined', aggregateId: from.id, sequence: from.seq + 1, object })
  return keys.map(({ id }) => id)
}
