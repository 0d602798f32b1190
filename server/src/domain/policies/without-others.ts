import type { Id } from '../../core/id.ts'

type Owner = { readonly profileId: Id<'prof'>; readonly agentId: Id<'agent'> | null }

/**
 * An answer as an agent that is bound to one profile may see it: of a policy its name and what it allows, and nothing about what others
 * have used of it, or about its other profiles and agents.
 */
export function withoutOthersPolicy(body: unknown, owner: Owner): unknown {
  if (Array.isArray(body)) return body.map((each) => withoutOthersPolicy(each, owner))
  if (typeof body !== 'object' || body === null) return body
  const narrowed = Object.fromEntries(
    Object.entries(body).map(([name, member]) => [
      name,
      // guard windows-in-decisions: an agent of one customer does not see how full a window was when its own purchase was decided
      name === 'policy_decision' ? withoutUsage(member) : withoutOthersPolicy(member, owner),
    ]),
  )
  return narrowed.object === 'policy' ? withoutOthers(narrowed, owner) : narrowed
}

function withoutOthers(policy: Record<string, unknown>, { profileId, agentId }: Owner) {
  const { profile_ids, api_key_ids, payment_method_ids, default: isDefault } = Object(policy.scope)
  const own = (ids: unknown, id: string | null) =>
    id !== null && Array.isArray(ids) && ids.includes(id) ? [id] : []
  const scope = {
    profile_ids: own(profile_ids, profileId),
    api_key_ids: own(api_key_ids, agentId),
    // Those of others were not read.
    payment_method_ids,
    default: isDefault,
  }
  // guard usage-of-others: an agent of one customer does not see what others have used of a policy
  return { ...policy, description: null, scope, usage: [], metadata: {} }
}

/** The state of a window shows what others bought; the rule's verdict on this purchase stays. */
function withoutUsage(decision: unknown): unknown {
  if (typeof decision !== 'object' || decision === null || !('evaluated' in decision)) return decision
  const { evaluated } = decision
  if (!Array.isArray(evaluated)) return decision
  return {
    ...decision,
    evaluated: evaluated.map((one) => (countsOthers(String(one?.rule)) ? { ...one, observed: null } : one)),
  }
}

function countsOthers(rule: string): boolean {
  return rule.startsWith('limits.intervals') || rule === 'limits.max_intents_per_day'
}
