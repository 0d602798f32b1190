import { statement } from '../../../contract/statement.ts'
import type { FoundKey, KeyLookups } from '../../../platform/doors/key-door.ts'
import { elementOrigin } from './reads.sql.ts'

/** A door, from the hash of a token to its tenant. Keys that are bound to a profile are stored under the hash of the hash. */
const selectKeyOfHash = statement<FoundKey, { hash: Buffer }>(
  'door_api_key',
  // guard revoked-key: a revoked key opens nothing
  // guard account-of-a-key: a key opens its own account
  `/* tenantless: a door */ select k.account_id, k.mode, k.id, k.agent_id, a.profile_id, k.kind, k.scopes, k.origins,
     k.capabilities, k.client_secrets, k.expires_at
   from api_keys k join agents a on a.account_id = k.account_id and a.mode = k.mode and a.id = k.agent_id
   where k.hash in ($hash::bytea, sha256($hash::bytea)) and k.revoked_at is null`,
)

/** The same door for many tokens at once. */
const selectKeysOfHashes = statement<FoundKey & { hash: Buffer }, { hashes: Buffer[] }>(
  'door_api_keys',
  // guard revoked-key-in-a-crowd: a revoked key opens nothing, however it is looked up
  `/* tenantless: a door */ select k.account_id, k.mode, k.id, k.agent_id, a.profile_id, k.kind, k.scopes, k.origins,
     k.capabilities, k.client_secrets, k.expires_at, k.hash
   from api_keys k join agents a on a.account_id = k.account_id and a.mode = k.mode and a.id = k.agent_id
   where k.hash = any($hashes::bytea[]) and k.revoked_at is null`,
)

const touchKeys = statement<never, { account_ids: string[]; modes: string[]; ids: string[] }>(
  'touch_api_keys',
  `update api_keys k set last_used_at = prokura_now()
   from unnest($account_ids::text[], $modes::mode[], $ids::text[]) as used (account_id, mode, id)
   where k.account_id = used.account_id and k.mode = used.mode and k.id = used.id`,
)

export const keyLookups: KeyLookups = {
  one: selectKeyOfHash,
  many: selectKeysOfHashes,
  touch: touchKeys,
}

/** Whether the database holds anything that was made under keys: every account that is opened gets API keys. */
export const selectIsKeyed = statement<{ is_keyed: boolean }, Record<never, never>>(
  'select_is_keyed',
  `/* tenantless: of the installation */
   select exists (select from api_keys) as is_keyed`,
)

/** Whether pages of this origin show components of the account, so that a person may be sent there. */
export const selectElementOrigin = statement('select_element_origin', elementOrigin)
