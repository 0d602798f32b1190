import type { Spine } from '../../../test/harness/spine.ts'
import type { Tenant } from '../../contract/context.ts'
import { type EntryRow, insertEntries, selectEntries, storeHeadsOf } from './audit.sql.ts'
import { type AuditEntry, hashOf, schemes } from './audit-chain.ts'
import type { AuditKeys } from './audit-keys.ts'

/** A tenant's chain as it stands, to be written anew by somebody who may write the database. */
export async function openChain(spine: Spine, { accountId, mode }: Tenant): Promise<AuditEntry[]> {
  const rows = await spine.pools.read(selectEntries({ account_id: accountId, mode, after: 0n, limit: 1000 }))
  return rows.map((row) => entryOf(accountId, mode, row))
}

function entryOf(accountId: string, mode: string, row: EntryRow): AuditEntry {
  const { range_first: first, range_last: last, range_count: count } = row
  return {
    accountId,
    mode,
    position: row.position,
    scheme: row.scheme,
    kind: row.kind,
    range: first === null || last === null || count === null ? null : { first, last, count },
    keyId: row.key_id,
    eventId: row.event_id,
    actorType: row.actor_type,
    actorId: row.actor_id,
    action: row.action,
    targetId: row.target_id,
    requestId: row.request_id,
    digest: row.digest,
    at: row.at,
    previousHash: row.previous_hash,
    hash: row.hash,
  }
}

/** Writes the chain with one entry changed and everything after it linked and hashed to match. */
export async function recompute(
  spine: Spine,
  chain: readonly AuditEntry[],
  position: number,
  change: Partial<AuditEntry>,
  by: AuditKeys | 'plain',
): Promise<void> {
  const written: AuditEntry[] = []
  for (const entry of chain) {
    const isBefore = entry.position < BigInt(position)
    if (by === 'plain' && entry.kind === 'closing') {
      written.push({ ...entry, previousHash: written.at(-1)?.hash ?? entry.previousHash })
      continue
    }
    const previousHash = written.at(-1)?.hash ?? entry.previousHash
    const next = {
      ...entry,
      ...(entry.position === BigInt(position) ? change : {}),
      ...(by === 'plain' && !isBefore ? { scheme: schemes.plain, range: null, keyId: null } : {}),
      previousHash,
    }
    written.push(isBefore ? entry : { ...next, hash: hashOf(by === 'plain' ? spine.auditKeys : by, next) })
  }
  const [first] = chain
  await spine.sql('delete from audit_entries where account_id = $1', [first?.accountId])
  // What the database refuses to runtime roles, its owner can do.
  await spine.sql('alter table audit_entries disable trigger refuse_unkeyed')
  await spine.pools.single(insertEntries(written))
  await spine.sql('alter table audit_entries enable trigger refuse_unkeyed')
  await spine.pools.single(storeHeadsOf(written.slice(-1)))
}
