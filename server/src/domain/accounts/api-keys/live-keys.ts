import type { ActingContext, CallContext } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { requireLiveKeyRow, selectAgentIsLive, selectAgentsMeant, selectKeyIsLive } from './api-keys.sql.ts'

type Reading = Pick<ActingContext, 'tenant' | 'tx'>
type ActingKey = { keyId: string | null; agentId: string | null }

/** Whether the acting key may still act for that agent, or, in a page of that key, for nobody's; true where no key acts. Call it after `lockControlForShare`. */
export async function isKeyLive(ctx: Reading, { keyId, agentId }: ActingKey): Promise<boolean> {
  const row = await ctx.tx.maybe(selectKeyIsLive({ ...tenanted(ctx), key_id: keyId, agent_id: agentId }))
  return row?.is_live === true
}

/** Whether an agent still has a live key; true where there is no agent. Call it after `lockControlForShare`. */
export async function isAgentLive(ctx: Reading, agentId: string | null): Promise<boolean> {
  const row = await ctx.tx.maybe(selectAgentIsLive({ ...tenanted(ctx), agent_id: agentId }))
  return row?.is_live === true
}

/**
 * Travels with the commit, after `requireUnfrozen`: the transaction ends with a serialization failure where the key is no longer live.
 */
export function requireLiveKey(ctx: Reading, { keyId, agentId }: ActingKey): void {
  ctx.tx.write(requireLiveKeyRow({ ...tenanted(ctx), key_id: keyId, agent_id: agentId }))
}

/** The agent that the id of an agent, or of one of its keys, means; null where the tenant has neither. */
export async function agentMeant(
  ctx: Pick<CallContext, 'tenant' | 'tx'>,
  id: string,
): Promise<Id<'agent'> | null> {
  const row = await ctx.tx.maybe(selectAgentsMeant({ ...tenanted(ctx), key_ids: [id] }))
  return row?.agent_id ?? null
}

function tenanted({ tenant }: Pick<Reading, 'tenant'>) {
  return { account_id: tenant.accountId, mode: tenant.mode }
}
