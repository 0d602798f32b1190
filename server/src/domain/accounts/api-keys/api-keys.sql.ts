import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import type { AgentRow, KeyOfAgent } from './agent.ts'
import type { ApiKeyRow } from './api-key.ts'
import { agentsMeant } from './reads.sql.ts'

type TenantParams = { account_id: Id<'acct'>; mode: Mode }

export const insertAccount = statement<never, { id: Id<'acct'>; name: string; now: Date }>(
  'insert_account',
  `insert into accounts (id, name, created_at) values ($id, $name, $now) /* tenantless: the account is the tenant, born here */`,
)

export const insertAgent = statement<never, TenantParams & AgentRow>(
  'insert_agent',
  `insert into agents (account_id, mode, id, name, profile_id, joined_into, seq, created_at, updated_at)
   values ($account_id, $mode, $id, $name, $profile_id, $joined_into, $seq, $created_at, $updated_at)`,
)

/**
 * The key of an agent that is bound to a profile is found by the hash of its hash. Processes of a version without such agents would give
 * it access to every customer; so they do not find it.
 */
export const insertApiKey = statement<
  never,
  TenantParams & Omit<ApiKeyRow, 'revoked_at' | 'last_used_at'> & { hash: Buffer }
>(
  'insert_api_key',
  // guard bound-key-is-hidden: a version that knows no bound agents does not serve their keys every customer
  `insert into api_keys (account_id, mode, id, agent_id, kind, name, prefix, hash, preset, scopes, origins, capabilities,
     client_secrets, expires_at, seq, created_at, updated_at)
   values ($account_id, $mode, $id, $agent_id, $kind, $name, $prefix,
     case when $profile_id::text is null then $hash::bytea else sha256($hash::bytea) end, $preset, $scopes, $origins,
     $capabilities, $client_secrets, $expires_at, $seq, $created_at, $updated_at)`,
)

const columns = `k.id, k.agent_id, a.profile_id, k.kind, k.name, k.prefix, k.preset, k.scopes, k.origins, k.capabilities, k.client_secrets,
  k.expires_at, k.revoked_at, k.last_used_at, k.seq, k.created_at, k.updated_at`

const withAgent = `api_keys k join agents a on a.account_id = k.account_id and a.mode = k.mode and a.id = k.agent_id`

/** `is_rolled`: its end was set when a later key of its agent took its name and rights. */
export const selectApiKeys = statement<ApiKeyRow & { agent_name: string; is_rolled: boolean }, TenantParams>(
  'select_api_keys',
  `select ${columns}, a.name as agent_name, k.expires_at is not null and exists (
       select from api_keys s
       where s.account_id = k.account_id and s.mode = k.mode and s.agent_id = k.agent_id and s.name = k.name and s.preset = k.preset
         and s.created_at = k.updated_at and s.id <> k.id
     ) as is_rolled
   from ${withAgent} where k.account_id = $account_id and k.mode = $mode order by k.id desc`,
)

export const lockApiKey = statement<ApiKeyRow, TenantParams & { id: string }>(
  'lock_api_key',
  `select ${columns} from ${withAgent} where k.account_id = $account_id and k.mode = $mode and k.id = $id for update of k`,
)

export const revokeApiKeyRow = statement<never, TenantParams & { id: string; seq: number; now: Date }>(
  'revoke_api_key',
  `update api_keys set revoked_at = $now, updated_at = $now, seq = $seq
   where account_id = $account_id and mode = $mode and id = $id`,
)

export const expireApiKeyRow = statement<
  never,
  TenantParams & { id: string; seq: number; expires_at: Date; now: Date }
>(
  'expire_api_key',
  `update api_keys set expires_at = $expires_at, updated_at = $now, seq = $seq
   where account_id = $account_id and mode = $mode and id = $id`,
)

export const updatePageKeyRow = statement<
  never,
  TenantParams & Pick<ApiKeyRow, 'id' | 'origins' | 'capabilities' | 'client_secrets' | 'seq'> & { now: Date }
>(
  'update_page_key',
  `update api_keys set origins = $origins, capabilities = $capabilities, client_secrets = $client_secrets, updated_at = $now, seq = $seq
   where account_id = $account_id and mode = $mode and id = $id`,
)

/**
 * The agent with this id, or of the key with this id; for a joined agent, the one that it was joined to. Two calls that give it a key
 * wait for each other.
 */
export const lockAgent = statement<AgentRow, TenantParams & { id: string }>(
  'lock_agent',
  `select id, name, profile_id, joined_into, seq, created_at, updated_at from agents
   where account_id = $account_id and mode = $mode and id = coalesce(
     (select agent_id from api_keys where account_id = $account_id and mode = $mode and id = $id),
     (select coalesce(joined_into, id) from agents where account_id = $account_id and mode = $mode and id = $id))
   for no key update`,
)

/** Run it after `lockAgent`. */
export const selectKeysOfAgent = statement<KeyOfAgent, TenantParams & { agent_id: string }>(
  'select_keys_of_agent',
  `select id, scopes, revoked_at is null and (expires_at is null or expires_at > prokura_now()) as is_live from api_keys
   where account_id = $account_id and mode = $mode and agent_id = $agent_id order by id`,
)

export const lockKeysOfAgent = statement<ApiKeyRow, TenantParams & { agent_id: string }>(
  'lock_keys_of_agent',
  `select ${columns} from ${withAgent}
   where k.account_id = $account_id and k.mode = $mode and k.agent_id = $agent_id order by k.id for update of k`,
)

type Join = TenantParams & { from_id: string; into_id: string; now: Date }

export const moveKeysOfAgent = statement<never, Join>(
  'move_keys_of_agent',
  `update api_keys set agent_id = $into_id, seq = seq + 1, updated_at = $now
   where account_id = $account_id and mode = $mode and agent_id = $from_id`,
)

/** With the agents that were joined to it before. */
export const joinAgentRow = statement<never, Join>(
  'join_agent',
  `update agents set joined_into = $into_id, seq = seq + 1, updated_at = $now
   where account_id = $account_id and mode = $mode and (id = $from_id or joined_into = $from_id)`,
)

/** Which of the ids are the agent's own, or those of its keys. */
export const selectAgentOfIds = statement<
  { id: string },
  TenantParams & { agent_id: string | null; ids: string[] }
>(
  'select_agent_of_ids',
  `select id from api_keys
   where account_id = $account_id and mode = $mode and agent_id = $agent_id and id = any($ids::text[])
   union all
   select id from agents
   where account_id = $account_id and mode = $mode and coalesce(joined_into, id) = $agent_id and id = any($ids::text[])`,
)

type AccountRow = { id: Id<'acct'>; name: string; created_at: Date }

/** All accounts, the oldest first. */
export const selectAccounts = statement<AccountRow, Record<never, never>>(
  'select_accounts',
  `select id, name, created_at from accounts order by id /* tenantless: the operator lists accounts, across account_id and mode */`,
)

type AccountKeys = { account_id: Id<'acct'>; mode: Mode; keys: number }

/** How many live keys each account and mode has. */
export const selectLiveKeyCounts = statement<AccountKeys, Record<never, never>>(
  'select_live_key_counts',
  `/* tenantless: the operator lists accounts */
   select account_id, mode, count(*)::int as keys from api_keys
   where revoked_at is null and (expires_at is null or expires_at > prokura_now()) group by account_id, mode`,
)

/** Run it under `lockControlAlone`. Of two calls that rename at once, the second sees the name that the first gave. */
export const renameAccount = statement<
  { before: string; created_at: Date },
  { account_id: Id<'acct'>; name: string }
>(
  'rename_account',
  `/* tenantless: the account's own row */
   with before as (
     select id, name, created_at from accounts where id = $account_id for update
   ), renamed as (
     update accounts a set name = $name from before where a.id = before.id and before.name <> $name returning a.id
   )
   select before.name as before, before.created_at from before`,
)

/** Like `renameAccount`. No time zone before means the default. */
export const setAccountTimezone = statement<
  { name: string; before: string | null; created_at: Date },
  { account_id: Id<'acct'>; timezone: string }
>(
  'set_account_timezone',
  `/* tenantless: the account's own row */
   with before as (
     select id, name, settings, created_at from accounts where id = $account_id for update
   ), changed as (
     update accounts a set settings = before.settings || jsonb_build_object('timezone', $timezone::text)
     from before where a.id = before.id and before.settings ->> 'timezone' is distinct from $timezone
     returning a.id
   )
   select before.name, before.settings ->> 'timezone' as before, before.created_at from before`,
)

/**
 * Whether the acting key may still act for the agent that it acted for, or for the person at a component; true where no key acts. Run it after `lockControlForShare`, as a
 * statement of its own: a revocation holds the control row, and the statement that waited for it there still sees the key as it was
 * before.
 */
export const selectKeyIsLive = statement<
  { is_live: boolean },
  TenantParams & { key_id: string | null; agent_id: string | null }
>(
  'select_key_is_live',
  // guard revoked-key-is-not-live: a revoked key is not live
  // guard expired-key-is-not-live: a key that has expired since it was looked up releases nothing
  // guard key-of-another-agent-is-not-live: the decision under lock is for the agent that the key belongs to
  `select $key_id::text is null or exists (
     select 1 from api_keys
     where account_id = $account_id and mode = $mode and id = $key_id and (agent_id = $agent_id or $agent_id::text is null)
       and revoked_at is null and (expires_at is null or expires_at > prokura_now())) as is_live`,
)

/**
 * Whether an agent still has authority: any live key. Rolling a key changes nothing; revoking the last one does. Run it after
 * `lockControlForShare`, like `selectKeyIsLive`.
 */
export const selectAgentIsLive = statement<{ is_live: boolean }, TenantParams & { agent_id: string | null }>(
  'select_agent_is_live',
  `select $agent_id::text is null or exists (
     select 1 from api_keys
     where account_id = $account_id and mode = $mode and agent_id = $agent_id and revoked_at is null
       and (expires_at is null or expires_at > prokura_now())) as is_live`,
)

/**
 * Like `selectKeyIsLive`, and after `requireUnfrozen` for the same reason: where the key is no longer live, it ends the transaction with
 * a serialization failure, so that it can travel with the commit.
 */
export const requireLiveKeyRow = statement<
  never,
  TenantParams & { key_id: string | null; agent_id: string | null }
>(
  'require_live_key',
  // guard held-for-a-live-key: a purchase is not held when the key that asked for it is gone
  // guard key-of-another-agent-holds-nothing: a purchase is decided for the agent that its key belongs to, also right after a join
  `select refuse_stale_decision() where $key_id::text is not null and not exists (
     select 1 from api_keys
     where account_id = $account_id and mode = $mode and id = $key_id and agent_id = $agent_id and revoked_at is null
       and (expires_at is null or expires_at > prokura_now()))`,
)

export const selectAgentsMeant = statement<
  { id: string; agent_id: Id<'agent'> },
  TenantParams & { key_ids: readonly string[] }
>('select_agents_meant', agentsMeant)

/** Run it before the ids of these agents are stored: it waits for an agent that is being joined to another. */
export const lockNamedAgentRows = statement<{ id: string }, TenantParams & { key_ids: readonly string[] }>(
  'lock_named_agents',
  `select id from agents
   where account_id = $account_id and mode = $mode and (id = any($key_ids::text[]) or id in (
     select agent_id from api_keys where account_id = $account_id and mode = $mode and id = any($key_ids::text[])))
   order by id for share`,
)

export const lockAccountRow = statement<{ id: string }, { account_id: Id<'acct'> }>(
  'lock_account',
  `/* tenantless: the account's own row */ select id from accounts where id = $account_id for no key update`,
)
