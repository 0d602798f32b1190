import type { ActingContext } from '../../contract/context.ts'
import { Problem } from '../../contract/problem.ts'
import { type ApiKey, renderApiKey } from './api-key.ts'
import { lockApiKey, lockControlAlone, revokeApiKeyRow } from './api-keys.sql.ts'
import { issueKey } from './issue-key.ts'

/**
 * Ends a key. Within a second no process takes it any more, and nothing that releases money commits with it after this has: such
 * calls check the key under the control row that is taken here.
 */
export async function revokeKey(ctx: ActingContext, keyId: string): Promise<ApiKey> {
  const { accountId, mode } = ctx.tenant
  await ctx.tx.rows(lockControlAlone({ account_id: accountId, mode }))
  const row = await ctx.tx.maybe(lockApiKey({ account_id: accountId, mode, id: keyId }))
  if (!row) throw new Problem('not_found', { param: 'key_id' })
  if (row.revoked_at) return renderApiKey(row, mode)
  const seq = row.seq + 1
  const key = renderApiKey({ ...row, revoked_at: ctx.now, updated_at: ctx.now, seq }, mode)
  ctx.tx.write(revokeApiKeyRow({ account_id: accountId, mode, id: row.id, seq, now: ctx.now }))
  ctx.tx.emit({ type: 'api_key.revoked', aggregateId: row.id, sequence: seq, object: key })
  return key
}

/** Replaces a key by one of the same name and powers, and revokes the old one in the same transaction. */
export async function rollKey(ctx: ActingContext, keyId: string): Promise<{ key: ApiKey; token: string }> {
  const old = await revokeKey(ctx, keyId)
  if (old.revoked_at !== ctx.now.toISOString()) throw new Problem('key_revoked', { param: 'key_id' })
  const { kind, name, preset, origins, expires_at } = old
  return issueKey(ctx, {
    kind,
    name,
    preset,
    origins: [...origins],
    expiresAt: expires_at === null ? null : new Date(expires_at),
  })
}
