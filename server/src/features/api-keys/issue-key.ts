import type { ActingContext } from '../../contract/context.ts'
import { type ScopePreset, scopePresets } from '../../contract/scopes.ts'
import { newToken, tokenPrefix } from '../../platform/secrets/keyed-hash.ts'
import { type ApiKey, type ApiKeyRow, type KeyKind, renderApiKey } from './api-key.ts'
import { insertApiKey } from './api-keys.sql.ts'

export type KeyRequest = {
  kind: KeyKind
  name: string
  preset: ScopePreset
  /** Where components may be embedded with a publishable key. */
  origins?: string[]
  expiresAt?: Date | null
}

/** Makes a key of the context's tenant. The token is answered this once; only its keyed hash is stored. */
export function issueKey(ctx: ActingContext, request: KeyRequest): { key: ApiKey; token: string } {
  const { accountId, mode } = ctx.tenant
  const token = newToken(`pr_${request.kind === 'secret' ? 'sk' : 'pk'}_${mode}_`, ctx.random)
  const row: ApiKeyRow = {
    id: ctx.newId('key'),
    kind: request.kind,
    name: request.name,
    prefix: tokenPrefix(token),
    preset: request.preset,
    scopes: [...scopePresets[request.preset]],
    origins: request.origins ?? [],
    expires_at: request.expiresAt ?? null,
    revoked_at: null,
    last_used_at: null,
    seq: 1,
    created_at: ctx.now,
    updated_at: ctx.now,
  }
  const key = renderApiKey(row, mode)
  ctx.tx.write(insertApiKey({ ...row, account_id: accountId, mode, hash: ctx.sealer.hashToken(token) }))
  ctx.tx.emit({ type: 'api_key.created', aggregateId: row.id, sequence: 1, object: key })
  return { key, token }
}
