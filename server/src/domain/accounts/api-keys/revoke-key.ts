import type { ActingContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import { lockControlAlone } from '../controls/public.ts'
import { type ApiKey, type ApiKeyRow, renderApiKey } from './api-key.ts'
import { expireApiKeyRow, lockApiKey, revokeApiKeyRow } from './api-keys.sql.ts'
import { type IssuedKey, insertKey } from './issue-key.ts'

/** How many hours the old secret of a key can work beside the new one, at most. */
export const overlapHoursMax = 24

/**
 * Ends a key, and leaves its agent as it is. Within a second no process accepts the key any more, and nothing that releases money commits
 * with it after this has committed: such calls check the key under the control row that is locked here.
 */
export async function revokeKey(ctx: ActingContext, keyId: string): Promise<ApiKey> {
  const row = await lockKey(ctx, keyId)
  return row.revoked_at ? renderApiKey(row, ctx.tenant.mode) : end(ctx, row)
}

/** Gives the agent of a key a new secret, with the same name, rights and end. The old one ends at once, or after `overlapMs`. */
export async function rollKey(
  ctx: ActingContext,
  keyId: string,
  { overlapMs = 0 }: { overlapMs?: number } = {},
): Promise<IssuedKey> {
  const old = await lockKey(ctx, keyId)
  if (old.revoked_at) throw new Problem('key_revoked', { param: 'key_id' })
  if (old.expires_at && old.expires_at <= ctx.now) throw new Problem('key_expired', { param: 'key_id' })
  // guard rolled-key-ends: the old secret of a rolled key opens nothing
  if (overlapMs > 0) expire(ctx, old, new Date(ctx.now.getTime() + overlapMs))
  else end(ctx, old)
  const { kind, name, preset, scopes, origins, capabilities, expires_at } = old
  const agent = { id: old.agent_id, profile_id: old.profile_id }
  // guard rolled-key-keeps-its-scopes: a rolled key can do what the old one could, and no more
  const same = { kind, name, preset, scopes, origins, capabilities, clientSecrets: old.client_secrets }
  return insertKey(ctx, { ...same, expiresAt: expires_at, agent })
}

/** The key, which nobody else changes until the transaction ends. */
export async function lockKey(ctx: ActingContext, keyId: string): Promise<ApiKeyRow> {
  const { accountId: account_id, mode } = ctx.tenant
  await lockControlAlone(ctx)
  const row = await ctx.tx.maybe(lockApiKey({ account_id, mode, id: keyId }))
  if (!row) throw new Problem('not_found', { param: 'key_id' })
  return row
}

function end(ctx: ActingContext, row: ApiKeyRow): ApiKey {
  const { accountId: account_id, mode } = ctx.tenant
  const seq = row.seq + 1
  const key = renderApiKey({ ...row, revoked_at: ctx.now, updated_at: ctx.now, seq }, mode)
  ctx.tx.write(revokeApiKeyRow({ account_id, mode, id: row.id, seq, now: ctx.now }))
  ctx.tx.emit({ type: 'api_key.revoked', aggregateId: row.id, sequence: seq, object: key })
  return key
}

/** A key that ends earlier anyway keeps its end. */
function expire(ctx: ActingContext, row: ApiKeyRow, at: Date): void {
  const { accountId: account_id, mode } = ctx.tenant
  const seq = row.seq + 1
  // guard overlap-lengthens-nothing: a key ends when it was to end, rolled or not
  const expiresAt = row.expires_at && row.expires_at < at ? row.expires_at : at
  const key = renderApiKey({ ...row, expires_at: expiresAt, updated_at: ctx.now, seq }, mode)
  ctx.tx.write(expireApiKeyRow({ account_id, mode, id: row.id, seq, expires_at: expiresAt, now: ctx.now }))
  ctx.tx.emit({ type: 'api_key.rolled', aggregateId: row.id, sequence: seq, object: key })
}
