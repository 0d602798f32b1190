import type { PolicyRow } from './policy.ts'

/** Something that only one of two agents may do, and that both could do once they are one. */
export type Widening =
  | { readonly kind: 'policy'; readonly policy_id: string; readonly name: string; readonly agent_id: string }
  | { readonly kind: 'scopes'; readonly scopes: readonly string[]; readonly agent_id: string }

type JoiningAgent = {
  readonly id: string
  /** The scopes of its live keys that the live keys of the other agent lack. */
  readonly more: readonly string[]
}

/**
 * Limits only become stricter: the policies of both apply, and the strictest wins. But a policy that lets one of the two buy unattended,
 * or at a price further above the expected one, lets the other do so too. `agent_id` names the agent that gains it.
 */
export function decideJoin(
  [one, other]: readonly [JoiningAgent, JoiningAgent],
  policies: readonly PolicyRow[],
  now: Date,
): Widening[] {
  return [
    // guard join-tells-of-policies: a policy that lets one of two agents buy unattended is named before it lets the other
    ...policies.filter((policy) => isInForce(policy, now) && grants(policy)).flatMap(namesOneAlone),
    ...[
      { kind: 'scopes' as const, scopes: one.more, agent_id: other.id },
      { kind: 'scopes' as const, scopes: other.more, agent_id: one.id },
    ].filter(({ scopes }) => scopes.length > 0),
  ]

  function namesOneAlone({ id, name, scope_agent_ids: named }: PolicyRow): Widening[] {
    const strangers = [one.id, other.id].filter((agent) => !named.includes(agent))
    return strangers.map((agent) => ({ kind: 'policy', policy_id: id, name, agent_id: agent }))
  }
}

function isInForce({ archived_at, valid_until }: PolicyRow, now: Date): boolean {
  return archived_at === null && (valid_until === null || now < valid_until)
}

function grants({ terms }: PolicyRow): boolean {
  const isUnattended = terms.approval !== null && terms.approval.mode !== 'always'
  return isUnattended || terms.price_drift.tolerance_percent !== null
}
