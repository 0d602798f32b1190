import type { Mode } from '../../../contract/context.ts'
import type { Scope } from '../../../contract/scopes.ts'
import type { Fragment } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { sql } from '../../../platform/database/fragment.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }

export const accountById: Fragment<
  { id: Id<'acct'>; name: string; settings: Record<string, unknown>; created_at: Date },
  { account_id: Id<'acct'> }
> =
  sql`/* tenantless: the row of the tenant itself */ select id, name, settings, created_at from accounts where id = $account_id`

/** The agent of a key. */
export const agentOfKey: Fragment<{ agent_id: Id<'agent'> }, Tenanted & { key_id: string | null }> =
  sql`select agent_id from api_keys where account_id = $account_id and mode = $mode and id = $key_id`

/** A row where the key opens something at this moment. */
// guard session-ends-with-its-key: a revoked key ends the sessions of its pages
export const liveKey: Fragment<{ id: string }, Tenanted & { key_id: string | null }> =
  sql`select id from api_keys where account_id = $account_id and mode = $mode and id = $key_id and revoked_at is null
     and (expires_at is null or expires_at > prokura_now())`

/** Whether components in pages of a key list and prove cards only under a client secret. */
export const clientSecretsOfKey: Fragment<
  { client_secrets: 'optional' | 'required' },
  Tenanted & { key_id: string | null }
> = sql`select client_secrets from api_keys where account_id = $account_id and mode = $mode and id = $key_id`

/** A row where pages of this origin may show components. */
export const elementOrigin: Fragment<{ id: string }, Tenanted & { origin: string }> =
  sql`select id from api_keys where account_id = $account_id and mode = $mode and kind = 'publishable'
     and 'elements' = any(capabilities) and $origin = any(origins)
     and revoked_at is null and (expires_at is null or expires_at > prokura_now())`

export const keysOfAgent: Fragment<{ id: Id<'key'> }, Tenanted & { agent_id: string | null }> =
  sql`select id from api_keys where account_id = $account_id and mode = $mode and agent_id = $agent_id`

/** Which agent each of the ids means: that of a key, or the agent itself. */
// guard tenant-of-keys-of-a-policy: rows of other accounts and of the other mode do not exist for the caller
// guard tenant-of-agents-of-a-policy: rows of other accounts and of the other mode do not exist for the caller
export const agentsMeant: Fragment<
  { id: string; agent_id: Id<'agent'> },
  Tenanted & { key_ids: readonly string[] }
> = sql`select id, agent_id from api_keys
   where account_id = $account_id and mode = $mode and id = any($key_ids::text[])
   union all
   select id, coalesce(joined_into, id) from agents
   where account_id = $account_id and mode = $mode and id = any($key_ids::text[])`

/** What a key may do at this moment; no row where it opens nothing any more. */
export const rightsOfKey: Fragment<
  { id: Id<'key'>; agent_id: Id<'agent'>; profile_id: string | null; scopes: Scope[] },
  Tenanted & { key_id: string | null }
> =
  // guard chat-ends-with-its-key: nothing is done in a chat for a key that is revoked or has expired
  sql`select k.id, k.agent_id, a.profile_id, k.scopes from api_keys k
     join agents a on a.account_id = k.account_id and a.mode = k.mode and a.id = k.agent_id
     where k.account_id = $account_id and k.mode = $mode and k.id = $key_id and k.kind = 'secret' and k.revoked_at is null
       and (k.expires_at is null or k.expires_at > prokura_now())`
