import type { ActingContext } from '../../contract/context.ts'
import { Problem } from '../../contract/problem.ts'
import type { Id } from '../../core/id.ts'
import { type KeyOfAgent, lockAgentWithKeys, moveKeys, scopesBeyond } from '../accounts/api-keys/public.ts'
import { lockControlForUpdate, renameFrozenAgent } from '../accounts/controls/public.ts'
import { decideJoin, type Widening } from './decide-join.ts'
import { lockPoliciesOfAgents } from './policies.sql.ts'
import { agentsOf, writeChange } from './write-policy.ts'

type JoinedAgents = {
  agent_id: Id<'agent'>
  joined: Id<'agent'>
  /** The keys that moved. */
  key_ids: Id<'key'>[]
  /** Policies that named one of the two, and now apply to all keys. */
  policy_ids: Id<'pol'>[]
  frozen: boolean
  /** What only one of the two was allowed. */
  widened: Widening[]
}

/**
 * Makes two agents one, for example where a key was rolled while rolling still gave it another agent. Everything that names either agent
 * then applies to the keys and purchases of both: the limits of both, of which the strictest wins, and the freeze of either. It is
 * refused where one of them would be allowed more than before, unless the caller says that this is intended.
 */
export async function joinAgents(
  ctx: ActingContext,
  named: { from: string; into: string; mayWiden: boolean },
): Promise<JoinedAgents> {
  const tenanted = { account_id: ctx.tenant.accountId, mode: ctx.tenant.mode }
  // The lock of a freeze: no release of money is half-way through, and no two joins run at once.
  const control = await lockControlForUpdate(ctx)
  const { agent: from, keys: fromKeys } = await lockAgentWithKeys(ctx, named.from)
  const { agent: into, keys: intoKeys } = await lockAgentWithKeys(ctx, named.into)
  if (from.id === into.id) throw new Problem('agents_are_one')
  // guard join-keeps-the-profile: whom an agent acts for never changes
  if (from.profile_id !== into.profile_id) {
    throw new Problem('agent_bound', {
      message: `${from.id} and ${into.id} act for different profiles, and the profile of an agent never changes.`,
    })
  }
  const policies = await ctx.tx.rows(lockPoliciesOfAgents({ ...tenanted, agent_ids: [from.id, into.id] }))
  const widened = decideJoin(
    [
      { id: from.id, more: scopesBeyond(liveScopes(fromKeys), intoKeys) },
      { id: into.id, more: scopesBeyond(liveScopes(intoKeys), fromKeys) },
    ],
    policies,
    ctx.now,
  )
  // guard join-is-told: a join that gives an agent more power asks first
  if (widened.length > 0 && !named.mayWiden) throw new Problem('join_widens', { extra: { widened } })
  const keyIds = await moveKeys(ctx, from, into)
  // guard joined-freeze: a frozen agent that is joined to another stays frozen
  renameFrozenAgent(ctx, control, from.id, into.id)
  // guard joined-policies: the limits of a joined agent hold for its keys
  for (const policy of policies.filter(({ scope_agent_ids: ids }) => ids.includes(from.id))) {
    const scope_agent_ids = agentsOf(policy.scope_agent_ids, { [from.id]: into.id })
    const next = { ...policy, scope_agent_ids, version: policy.version + 1 }
    writeChange(ctx, policy, { next, type: 'policy.updated' })
  }
  return {
    agent_id: into.id,
    joined: from.id,
    key_ids: keyIds,
    policy_ids: policies.map(({ id }) => id),
    frozen: [from.id, into.id].some((id) => control.frozen_agent_ids.includes(id)),
    widened,
  }
}

function liveScopes(keys: readonly KeyOfAgent[]) {
  return [...new Set(keys.filter(({ is_live }) => is_live).flatMap(({ scopes }) => scopes))]
}
