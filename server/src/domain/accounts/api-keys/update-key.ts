import type { ActingContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import { type ApiKey, type ApiKeyRow, renderApiKey } from './api-key.ts'
import { updatePageKeyRow } from './api-keys.sql.ts'
import { lockKey } from './revoke-key.ts'

type PageRights = Pick<ApiKeyRow, 'origins' | 'capabilities' | 'client_secrets'>

/** Changes where and for what a publishable key works; what is left out stays. Each process works by it within a second. */
export async function updatePageKey(
  ctx: ActingContext,
  keyId: string,
  changes: Partial<PageRights>,
): Promise<ApiKey> {
  const row = await lockKey(ctx, keyId)
  if (row.kind !== 'publishable') throw new Problem('key_not_publishable', { param: 'key_id' })
  if (row.revoked_at) throw new Problem('key_revoked', { param: 'key_id' })
  const changed = { ...row, ...changes, updated_at: ctx.now, seq: row.seq + 1 }
  const { accountId: account_id, mode } = ctx.tenant
  const { id, origins, capabilities, client_secrets, seq } = changed
  ctx.tx.write(
    updatePageKeyRow({ account_id, mode, id, origins, capabilities, client_secrets, seq, now: ctx.now }),
  )
  const object = renderApiKey(changed, mode)
  ctx.tx.emit({ type: 'api_key.updated', aggregateId: id, sequence: seq, object })
  return object
}
