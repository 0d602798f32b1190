import type { Mode } from '../../contract/context.ts'
import { statement } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'
import { sql } from '../../platform/database/fragment.ts'
import { agentsMeant } from '../accounts/api-keys/reads.sql.ts'
import { knownProfiles } from '../buyers/profiles/reads.sql.ts'
import type { ApplicablePolicyRow, PolicyRow } from './policy.ts'
import type { WindowStarts } from './windows.ts'

type Key = { account_id: Id<'acct'>; mode: Mode; id: string }
type Tenanted = { account_id: Id<'acct'>; mode: Mode }

/** Every column a policy is written with. */
export type PolicyWrite = Omit<PolicyRow, 'terms' | 'metadata' | 'windows'> &
  Tenanted & { terms: string; metadata: string }

export const insertPolicy = statement<never, PolicyWrite>(
  'insert_policy',
  `insert into policies (account_id, mode, id, name, description, currency, scope_default, scope_profile_ids, scope_agent_ids, terms,
     valid_from, valid_until, metadata, version, seq, created_at, updated_at, archived_at)
   values ($account_id, $mode, $id, $name, $description, $currency, $scope_default, $scope_profile_ids, $scope_agent_ids, $terms,
     $valid_from, $valid_until, $metadata, $version, $seq, $created_at, $updated_at, $archived_at)`,
)

export const insertPolicyVersion = statement<never, PolicyWrite>(
  'insert_policy_version',
  `insert into policy_versions (account_id, mode, policy_id, version, currency, terms, created_at)
   values ($account_id, $mode, $id, $version, $currency, $terms, $updated_at)`,
)

export const insertPolicyCounter = statement<never, Tenanted & { id: string; version: number }>(
  'insert_policy_counter',
  `insert into policy_counters (account_id, mode, policy_id, policy_version, windows)
   values ($account_id, $mode, $id, $version, '{}')`,
)

const columns = `p.id, p.name, p.description, p.currency, p.scope_default, p.scope_profile_ids, p.scope_agent_ids, p.terms,
  p.valid_from, p.valid_until, p.metadata, p.version, p.seq, p.created_at, p.updated_at, p.archived_at, c.windows`

const withCounter = `policies p
  join policy_counters c on c.account_id = p.account_id and c.mode = p.mode and c.policy_id = p.id`

export const selectPolicy = statement<PolicyRow, Key>(
  'select_policy',
  `select ${columns} from ${withCounter} where p.account_id = $account_id and p.mode = $mode and p.id = $id`,
)

/** Holds the policy and its counter: who waits for the counter must not go by terms that we are about to replace. */
export const lockPolicy = statement<PolicyRow, Key>(
  'lock_policy',
  `select ${columns} from ${withCounter} where p.account_id = $account_id and p.mode = $mode and p.id = $id
   for no key update of p, c`,
)

/** The policies whose scope names one of these agents, held as `lockPolicy` holds one, in everybody's order. */
export const lockPoliciesOfAgents = statement<PolicyRow, Tenanted & { agent_ids: string[] }>(
  'lock_policies_of_agents',
  `select ${columns} from ${withCounter}
   where p.account_id = $account_id and p.mode = $mode and p.scope_agent_ids && $agent_ids::text[]
   order by p.id for no key update of p, c`,
)

export const updatePolicyRow = statement<never, PolicyWrite>(
  'update_policy',
  `update policies set name = $name, description = $description, currency = $currency, scope_default = $scope_default,
     scope_profile_ids = $scope_profile_ids, scope_agent_ids = $scope_agent_ids, terms = $terms, valid_from = $valid_from,
     valid_until = $valid_until, metadata = $metadata, version = $version, seq = $seq, created_at = $created_at,
     updated_at = $updated_at, archived_at = $archived_at
   where account_id = $account_id and mode = $mode and id = $id`,
)

export const updateCounterVersion = statement<never, Key & { version: number }>(
  'update_policy_counter_version',
  `update policy_counters set policy_version = $version
   where account_id = $account_id and mode = $mode and policy_id = $id`,
)

type ListFilter = Tenanted & { include_archived: boolean } & BoundTo

/** The profile, and its agent, whose policies alone are shown. Nulls: nobody's alone. */
type BoundTo = { profile_id: string | null; agent_id: string | null }

const isOwn = `(cardinality(p.scope_profile_ids) = 0 or $profile_id::text = any(p.scope_profile_ids))
  and (cardinality(p.scope_agent_ids) = 0 or $agent_id::text = any(p.scope_agent_ids))`

const filter = `p.account_id = $account_id and p.mode = $mode and ($include_archived or p.archived_at is null)
  and ($profile_id::text is null or ${isOwn})`

/** Which of the ids are policies that are not for others alone. */
export const selectOwnPolicies = statement<{ id: string }, Tenanted & BoundTo & { ids: string[] }>(
  'select_own_policies',
  `select p.id from policies p
   where p.account_id = $account_id and p.mode = $mode and p.id = any($ids::text[]) and ${isOwn}`,
)

export const selectPolicies = statement<PolicyRow, ListFilter & { limit: number; offset: number }>(
  '',
  `select ${columns} from ${withCounter} where ${filter} order by p.id desc limit $limit + 1 offset $offset`,
)

export const countPolicies = statement<{ counted: number }, ListFilter & { cap: number }>(
  '',
  `select count(*)::int as counted from (select 1 from policies p where ${filter} limit $cap + 1) as first_ones`,
)

/** Which of the ids of a scope the tenant has, and which agent each of `key_ids` means: that of a key, or the agent itself. */
export const selectKnownIds = statement<
  { profile_ids: string[]; agents: Record<string, Id<'agent'>> },
  Tenanted & { profile_ids: string[]; key_ids: string[] }
>(
  'select_known_ids_of_scope',
  sql`select (select coalesce(array_agg(id), '{}') from ${knownProfiles} as known) as profile_ids,
     (select coalesce(jsonb_object_agg(id, agent_id), '{}') from ${agentsMeant} as named) as agents`,
)

/** Whose purchase it is: what decides which policies apply to it. */
export type PurchaseScope = Tenanted & {
  profile_id: string
  agent_id: string | null
  policy_id: string | null
}

function attachedTo(agent: '$agent_id' | '$acting_agent_id'): string {
  return `(p.archived_at is null and (p.scope_default or (
    (cardinality(p.scope_profile_ids) > 0 or cardinality(p.scope_agent_ids) > 0)
    and (cardinality(p.scope_profile_ids) = 0 or $profile_id = any(p.scope_profile_ids))
    and (cardinality(p.scope_agent_ids) = 0 or coalesce(${agent}::text = any(p.scope_agent_ids), false)))))`
}

const attached = attachedTo('$agent_id')
const attachedToActor = attachedTo('$acting_agent_id')

const named = `coalesce(p.id = $policy_id::text, false)`

/** Part of a statement: the policies of a purchase, `p`, with their counters, `c`. */
export const applicablePolicies = `${withCounter}
   where p.account_id = $account_id and p.mode = $mode and (${named} or ${attached})`

/**
 * The policies of a purchase, with what is used of them at this moment: for a first decision and for previews. Money is released by
 * `admitPurchase` and `reserve`, which decide again under lock, and by `admitAsDecided`, which finds this unchanged under lock.
 */
export const selectApplicablePolicies = statement<ApplicablePolicyRow, PurchaseScope>(
  'select_applicable_policies',
  `select ${columns}, ${attached} as attached, ${named} as named
   from ${applicablePolicies}
   order by p.id`,
)

/** A policy whose counter we hold, with what its purchase holds of it. */
export type LockedPolicyRow = ApplicablePolicyRow & {
  /** Its scope matches the key that acts now, whoever created the purchase. */
  attached_to_actor: boolean
  held_number: number | null
  held_amount: bigint | null
  held_count: number | null
  held_window_starts: WindowStarts | null
  /** The last of the purchase's reservations here, 0 for none; and whether one of them was settled, so that it counts already. */
  last_number: number
  is_counted: boolean
}

/**
 * Holds the counters of every policy that applies to a purchase, or to who acts on it, or that it holds a reservation of, in the order of their ids, which
 * is everybody's order. Who had to wait goes by the terms as they are now.
 *
 * The policies themselves are held before their counters, since purchases do not change them. Each holder leaves a new version of a
 * counter behind, and all who wait for the old one are woken to wait for the new one; of those who wait for a policy one is woken.
 */
export const lockApplicablePolicies = statement<
  LockedPolicyRow,
  PurchaseScope & { intent_id: string; acting_agent_id: string | null }
>(
  'lock_applicable_policies',
  `select ${columns}, ${attached} as attached, ${named} as named, ${attachedToActor} as attached_to_actor,
     r.number as held_number, r.amount as held_amount, r.count::int as held_count, r.window_starts as held_window_starts,
     coalesce(past.last_number, 0) as last_number, coalesce(past.is_counted, false) as is_counted
   from ${withCounter}
   left join policy_reservations r on r.account_id = p.account_id and r.mode = p.mode and r.intent_id = $intent_id
     and r.policy_id = p.id and r.state = 'reserved'
   left join lateral (
     select max(number) as last_number, bool_or(state = 'settled' and count > 0) as is_counted from policy_reservations
     where account_id = p.account_id and mode = p.mode and intent_id = $intent_id and policy_id = p.id) past on true
   where p.account_id = $account_id and p.mode = $mode and (${named} or ${attached} or ${attachedToActor} or r.number is not null)
   order by p.id
   for no key update of p, c`,
)
