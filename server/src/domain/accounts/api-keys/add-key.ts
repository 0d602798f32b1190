import type { ActingContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import type { Scope } from '../../../contract/scopes.ts'
import { findProfileId } from '../../buyers/profiles/public.ts'
import type { AgentRow, KeyOfAgent } from './agent.ts'
import { lockAgent, selectKeysOfAgent } from './api-keys.sql.ts'
import { type IssuedKey, insertKey, issueKey, type KeyRequest, scopesOf } from './issue-key.ts'

/** Makes a key of an existing agent: policies and freezes that name the agent apply to the new key from its first call. */
export async function addKey(
  ctx: ActingContext,
  request: KeyRequest & { agentId: string; isForced: boolean },
): Promise<IssuedKey> {
  const { agent, keys } = await lockAgentWithKeys(ctx, request.agentId)
  const scopes = scopesOf(request, agent.profile_id, ctx.scopeCatalog)
  const more = scopesBeyond(scopes, keys)
  // guard added-key-has-no-more-power: nobody gives an agent more power by giving it a key, unless that is said
  if (more.length > 0 && !request.isForced) {
    throw new Problem('scopes_exceed_agent', {
      message: `The other keys of ${agent.id} lack ${more.join(', ')}.`,
      extra: { scopes: more },
    })
  }
  return insertKey(ctx, { ...request, agent, scopes })
}

/** Makes a key, and the agent it belongs to, for one customer alone. */
export async function issueBoundKey(
  ctx: ActingContext,
  request: KeyRequest & { profileId: string },
): Promise<IssuedKey> {
  const profileId = await findProfileId(ctx, request.profileId)
  if (!profileId) throw new Problem('not_found', { param: 'profile_id' })
  return issueKey(ctx, { ...request, profileId })
}

/** The agent with this id, or of the key with this id, with its keys; nobody else can give it another key until the transaction ends. */
export async function lockAgentWithKeys(
  ctx: ActingContext,
  id: string,
): Promise<{ agent: AgentRow; keys: KeyOfAgent[] }> {
  const { accountId: account_id, mode } = ctx.tenant
  let agent = await ctx.tx.maybe(lockAgent({ account_id, mode, id }))
  // It was joined while this waited for the lock.
  if (agent?.joined_into) agent = await ctx.tx.maybe(lockAgent({ account_id, mode, id: agent.joined_into }))
  if (!agent) throw new Problem('not_found', { param: 'agent_id' })
  return { agent, keys: await ctx.tx.rows(selectKeysOfAgent({ account_id, mode, agent_id: agent.id })) }
}

/** The scopes that a key would have beyond the live keys of its agent; where no key is live, beyond the keys that it had. */
export function scopesBeyond(scopes: readonly Scope[], keys: readonly KeyOfAgent[]): Scope[] {
  const live = keys.filter(({ is_live }) => is_live)
  const others = new Set((live.length > 0 ? live : keys).flatMap((key) => key.scopes))
  return scopes.filter((scope) => !others.has(scope))
}
