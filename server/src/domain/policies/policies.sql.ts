import { statement } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'
import { aggregate, type Tenanted } from '../../platform/aggregate/aggregate.ts'
import { correlate, sql } from '../../platform/database/fragment.ts'
import { agentsMeant } from '../accounts/api-keys/reads.sql.ts'
import { knownMethods, methodsOfProfile, payingMethod } from '../buyers/payment-methods/reads.sql.ts'
import { knownProfiles } from '../buyers/profiles/reads.sql.ts'
import type { ApplicablePolicy, PolicyRow } from './policy.ts'
import { windowsOf } from './windows.sql.ts'
import type { WindowStarts } from './windows.ts'

type Key = Tenanted & { id: string }

const policies = aggregate<Omit<PolicyRow, 'windows'>>()({
  table: 'policies',
  columns: `id, name, description, currency, scope_default, scope_profile_ids, scope_agent_ids, scope_payment_method_ids, terms, timezone,
    zone, valid_from, valid_until, metadata, approved_by, version, seq, created_at, updated_at, archived_at`,
  key: ['id'],
  json: ['terms', 'metadata'],
})

export const insertPolicy = policies.insert('insert_policy')
export const updatePolicyRow = policies.update('update_policy')

export type PolicyVersionWrite = Tenanted &
  Pick<PolicyRow, 'id' | 'version' | 'currency' | 'zone' | 'updated_at'> & { terms: string }

export const insertPolicyVersion = statement<never, PolicyVersionWrite>(
  'insert_policy_version',
  `insert into policy_versions (account_id, mode, policy_id, version, currency, terms, zone, created_at)
   values ($account_id, $mode, $id, $version, $currency, $terms, $zone, $updated_at)`,
)

const columns = `${policies.columnsOf('p')}, ${windowsOf}`

const isOfProfile = correlate(methodsOfProfile, { payment_method_ids: 'p.scope_payment_method_ids' })

/** As whoever acts for one profile sees them: of the cards that a scope names, those of the profile. Null: it acts for the account. */
// guard cards-of-others-in-a-policy: an agent of one customer does not see which cards of others a policy names
const shown = columns.replace(
  'p.scope_payment_method_ids',
  `case when $profile_id::text is null then p.scope_payment_method_ids else array(${isOfProfile.text}) end as scope_payment_method_ids`,
)

export const selectPolicy = statement<PolicyRow, Key & { profile_id: string | null }>(
  'select_policy',
  // guard tenant-of-policy: rows of other accounts and of the other mode do not exist for the caller
  `select ${shown} from policies p where p.account_id = $account_id and p.mode = $mode and p.id = $id`,
)

/**
 * Policies that are locked, in the order of their ids, which is everybody's order. Their windows are read behind the lock, by a function
 * that sees what was committed while the statement waited.
 */
function locked<Row, Params extends Record<string, unknown>>(
  name: string,
  { more = '', joined = '', where }: { more?: string; joined?: string; where: string },
) {
  return statement<Row, Params & Tenanted>(
    name,
    // guard tenant-of-locked-policy: rows of other accounts and of the other mode do not exist for the caller
    // guard policies-are-locked: a purchase that waited for a new policy is judged by it, and two at once never take the last room of a limit
    `select locked.*, policy_windows_now($account_id, $mode::mode, locked.id) as windows
     from (
       select ${policies.columnsOf('p')}${more} from policies p${joined}
       where p.account_id = $account_id and p.mode = $mode and ${where}
       order by p.id
       for no key update of p) locked`,
  )
}

/** A call that waits for a policy must not use terms that we are about to replace. */
export const lockPolicy = locked<PolicyRow, Key>('lock_policy', { where: 'p.id = $id' })

/** The policies whose windows are of the account's time zone, and of another one by now. */
export const lockPoliciesOfZone = locked<PolicyRow, { zone: string }>('lock_policies_of_zone', {
  where: 'p.timezone is null and p.zone <> $zone',
})

/** The policies whose scope names one of these agents. */
export const lockPoliciesOfAgents = locked<PolicyRow, { agent_ids: string[] }>('lock_policies_of_agents', {
  where: 'p.scope_agent_ids && $agent_ids::text[]',
})

type ListFilter = Tenanted & { include_archived: boolean | null } & BoundTo

/** The profile, and its agent, to whose policies the list is limited. Nulls: no limit. */
type BoundTo = { profile_id: string | null; agent_id: string | null }

const isOwn = `(cardinality(p.scope_profile_ids) = 0 or $profile_id::text = any(p.scope_profile_ids))
  and (cardinality(p.scope_agent_ids) = 0 or $agent_id::text = any(p.scope_agent_ids))
  and (cardinality(p.scope_payment_method_ids) = 0
    or exists (${isOfProfile.text}))`

// guard tenant-of-policies: rows of other accounts and of the other mode do not exist for the caller
// guard own-policies-in-lists: an agent of one customer sees the rows of that customer
const filter = `p.account_id = $account_id and p.mode = $mode and ($include_archived or p.archived_at is null)
  and ($profile_id::text is null or ${isOwn})`

/** Which of the ids are policies that are not only for others. */
export const selectOwnPolicies = statement<{ id: string }, Tenanted & BoundTo & { ids: string[] }>(
  'select_own_policies',
  // guard own-policies: an agent of one customer sees the rows of that customer
  `select p.id from policies p
   where p.account_id = $account_id and p.mode = $mode and p.id = any($ids::text[]) and ${isOwn}`,
)

export const selectPolicies = statement<PolicyRow, ListFilter & { limit: number; offset: number }>(
  '',
  `select ${shown} from policies p where ${filter} order by p.id desc limit $limit + 1 offset $offset`,
)

export const countPolicies = statement<{ counted: number }, ListFilter & { cap: number }>(
  '',
  `select count(*)::int as counted from (select 1 from policies p where ${filter} limit $cap + 1) as first_ones`,
)

/** Which of the ids of a scope the tenant has, and which agent each of `key_ids` means: that of a key, or the agent itself. */
export const selectKnownIds = statement<
  { profile_ids: string[]; agents: Record<string, Id<'agent'>>; payment_method_ids: string[] },
  Tenanted & { profile_ids: string[]; key_ids: string[]; payment_method_ids: string[] }
>(
  'select_known_ids_of_scope',
  sql`select (select coalesce(array_agg(id), '{}') from ${knownProfiles} as known) as profile_ids,
     (select coalesce(jsonb_object_agg(id, agent_id), '{}') from ${agentsMeant} as named) as agents,
     (select coalesce(array_agg(id), '{}') from ${knownMethods} as kept) as payment_method_ids`,
)

/** Whose purchase it is and what pays for it, which decides the policies that apply to it. */
export type PurchaseScope = Tenanted & {
  profile_id: string
  agent_id: string | null
  policy_id: string | null
  payment_method_id: string | null
}

/** `method`: the id of what pays, as an expression; null where nothing does. */
function attachedTo(agent: '$agent_id' | '$acting_agent_id', method = '$payment_method_id::text'): string {
  // guard policies-of-the-card: a policy that names cards allows nothing that another card pays for
  return `(p.archived_at is null and (p.scope_default or (
    (cardinality(p.scope_profile_ids) > 0 or cardinality(p.scope_agent_ids) > 0 or cardinality(p.scope_payment_method_ids) > 0)
    and (cardinality(p.scope_profile_ids) = 0 or $profile_id = any(p.scope_profile_ids))
    and (cardinality(p.scope_agent_ids) = 0 or coalesce(${agent}::text = any(p.scope_agent_ids), false))
    and (cardinality(p.scope_payment_method_ids) = 0 or coalesce(${method} = any(p.scope_payment_method_ids), false)))))`
}

const attached = attachedTo('$agent_id')
const attachedToActor = attachedTo('$acting_agent_id')
/** By the method that is named, or else the default of the profile. */
const attachedByPayer = attachedTo('$agent_id', `(select paying.id from (${payingMethod.text}) as paying)`)

const named = `coalesce(p.id = $policy_id::text, false)`

/** Part of a statement: the policies of a purchase, `p`. */
// guard tenant-of-policies-that-apply: rows of other accounts and of the other mode do not exist for the caller
export const applicablePolicies = `policies p
   where p.account_id = $account_id and p.mode = $mode and (${named} or ${attached})`

/**
 * The policies of a purchase, with what is used of them at this moment: for a first decision and for previews. Where no method is named, the
 * default of the profile pays: it is found here, so that a purchase is decided in one round trip. Money is released by
 * `admitPurchase` and `reserve`, which decide again under lock, and by `admitAsDecided`, which finds this unchanged under lock.
 */
export const selectApplicablePolicies = statement<ApplicablePolicy, PurchaseScope>(
  'select_applicable_policies',
  `select ${columns}, ${attachedByPayer} as attached, ${named} as named
   from policies p
   where p.account_id = $account_id and p.mode = $mode and (${named} or ${attachedByPayer})
   order by p.id`,
)

/** A policy that is locked, with what its purchase holds of it. */
export type LockedPolicyRow = ApplicablePolicy & {
  /** Whether its scope matches the acting key, even when another key created the purchase. */
  attached_to_actor: boolean
  held_number: number | null
  held_amount: bigint | null
  held_count: number | null
  held_window_starts: WindowStarts | null
  /**
   * The number of the purchase's last reservation here, 0 for none; and whether one of them was settled, so that the purchase is counted
   * already.
   */
  last_number: number
  is_counted: boolean
}

/**
 * Every policy that applies to a purchase, or to the acting key, or in which the purchase has a reservation. A call that had to wait uses
 * the terms as they are then. Their windows are not locked: a purchase is added to them by `reserveInWindows`, which looks again.
 */
export const lockApplicablePolicies = locked<
  LockedPolicyRow,
  PurchaseScope & { intent_id: string; acting_agent_id: string | null }
>('lock_applicable_policies', {
  more: `, ${attached} as attached, ${named} as named, ${attachedToActor} as attached_to_actor,
       r.number as held_number, r.amount as held_amount, r.count::int as held_count, r.window_starts as held_window_starts,
       coalesce(past.last_number, 0) as last_number, coalesce(past.is_counted, false) as is_counted`,
  joined: `
       left join policy_reservations r on r.account_id = $account_id and r.mode = $mode and r.intent_id = $intent_id
         and r.policy_id = p.id and r.state = 'reserved'
       left join lateral (
         select max(number) as last_number, bool_or(state = 'settled' and count > 0) as is_counted from policy_reservations
         where account_id = $account_id and mode = $mode and intent_id = $intent_id and policy_id = p.id) past on true`,
  where: `(${named} or ${attached} or ${attachedToActor} or r.number is not null)`,
})
