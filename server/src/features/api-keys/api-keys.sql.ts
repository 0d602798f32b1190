import type { Mode } from '../../contract/context.ts'
import { statement } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'
import type { ApiKeyRow } from './api-key.ts'

type TenantParams = { account_id: Id<'acct'>; mode: Mode }

export const insertAccount = statement<never, { id: Id<'acct'>; name: string; now: Date }>(
  'insert_account',
  `insert into accounts (id, name, created_at) values ($id, $name, $now) /* tenantless: the account is the tenant, born here */`,
)

export const insertControl = statement<never, TenantParams & { seq: number; now: Date }>(
  'insert_control',
  `insert into controls (account_id, mode, seq, updated_at) values ($account_id, $mode, $seq, $now)`,
)

export const insertApiKey = statement<
  never,
  TenantParams & Omit<ApiKeyRow, 'revoked_at' | 'last_used_at'> & { hash: Buffer }
>(
  'insert_api_key',
  `insert into api_keys (account_id, mode, id, kind, name, prefix, hash, preset, scopes, origins, expires_at, seq, created_at,
     updated_at)
   values ($account_id, $mode, $id, $kind, $name, $prefix, $hash, $preset, $scopes, $origins, $expires_at, $seq, $created_at,
     $updated_at)`,
)

const columns = `id, kind, name, prefix, preset, scopes, origins, expires_at, revoked_at, last_used_at, seq, created_at, updated_at`

export const selectApiKeys = statement<ApiKeyRow, TenantParams>(
  'select_api_keys',
  `select ${columns} from api_keys where account_id = $account_id and mode = $mode order by id desc`,
)

/** What releases money holds this row in share mode: once we have it, nothing with the key is half-way through. */
export const lockControlAlone = statement<{ found: number }, TenantParams>(
  'lock_control_alone',
  `select 1 as found from controls where account_id = $account_id and mode = $mode for update`,
)

export const lockApiKey = statement<ApiKeyRow, TenantParams & { id: string }>(
  'lock_api_key',
  `select ${columns} from api_keys where account_id = $account_id and mode = $mode and id = $id for update`,
)

export const revokeApiKeyRow = statement<never, TenantParams & { id: string; seq: number; now: Date }>(
  'revoke_api_key',
  `update api_keys set revoked_at = $now, updated_at = $now, seq = $seq
   where account_id = $account_id and mode = $mode and id = $id`,
)

/** The only account there is, when there is only one: what commands act on when no account is named. */
export const selectAccounts = statement<{ id: Id<'acct'>; name: string }, Record<never, never>>(
  'select_accounts',
  `select id, name from accounts order by id /* tenantless: the operator lists accounts, across account_id and mode */`,
)
