import { createHash } from 'node:crypto'
import type { Spine } from '../../../test/harness/spine.ts'
import type { Tenant } from '../../contract/context.ts'
import { type PackedEvent, packedColumns, unpackedEvent } from '../events/relay.sql.ts'
import { insertEntries, selectEntries, storeHeadsOf } from './audit.sql.ts'
import { type AuditBatch, hashOfBatch } from './audit-batch.ts'
import { type AuditEntry, type AuditHead, digestOf, emptyHead, hashOf, schemes } from './audit-chain.ts'
import type { AuditKeys } from './audit-keys.ts'
import { appendBatches, batchOf, selectBatches } from './batches.sql.ts'
import { entryOf } from './check-links.ts'

const whole = { after: 0n, up_to: 1_000n }

/** A tenant's entries as they are, to be rewritten by an attacker who can write the database. */
export async function openChain(spine: Spine, { accountId, mode }: Tenant): Promise<AuditEntry[]> {
  const tenant = { account_id: accountId, mode }
  const rows = await spine.pools.read(selectEntries({ ...tenant, ...whole }))
  return rows.map((row) => entryOf(tenant, row))
}

/** A tenant's batches likewise. */
export async function openBatches(spine: Spine, { accountId, mode }: Tenant): Promise<AuditBatch[]> {
  const tenant = { account_id: accountId, mode }
  const rows = await spine.pools.read(selectBatches({ ...tenant, ...whole }))
  return rows.map((row) => batchOf(tenant, row))
}

/** Chains what waits for the relay by an entry for each event, over the head that it finds. */
export async function chainOneByOne(spine: Spine, { accountId, mode }: Tenant): Promise<void> {
  const events = await spine.sql<PackedEvent>(
    `select ${packedColumns} from events e join outbox u on u.account_id = e.account_id and u.mode = e.mode
       and u.aggregate_id = e.aggregate_id and e.sequence between u.first_sequence and u.last_sequence
     where e.account_id = $1 and e.mode = $2 order by e.aggregate_id, e.sequence`,
    [accountId, mode],
  )
  const [found] = await spine.sql<AuditHead>(
    'select position, hash, scheme from audit_heads where account_id = $1 and mode = $2',
    [accountId, mode],
  )
  let head = found ?? emptyHead
  const entries: AuditEntry[] = []
  for (const row of events) {
    const entry = entryOfOne(spine.auditKeys, head, row)
    entries.push(entry)
    head = entry
  }
  await spine.pools.single(insertEntries(entries))
  await spine.pools.single(storeHeadsOf(entries.slice(-1)))
  await spine.sql('delete from outbox where account_id = $1 and mode = $2', [accountId, mode])
}

function entryOfOne(keys: AuditKeys, head: AuditHead, row: PackedEvent): AuditEntry {
  const event = unpackedEvent(row)
  const position = head.position + 1n
  const entry = {
    accountId: event.tenant.accountId,
    mode: event.tenant.mode,
    position,
    scheme: schemes.keyed,
    kind: 'events',
    range: { first: position, last: position, count: 1n },
    keyId: keys.currentId,
    eventId: event.id,
    actorType: event.actor.type,
    actorId: event.actor.id,
    action: event.type,
    targetId: event.aggregateId,
    requestId: event.requestId,
    digest: digestOf(event),
    at: event.createdAt,
    previousHash: head.hash,
  } as const
  return { ...entry, hash: hashOf(keys, entry) }
}

/** Writes the entries with one changed and everything after it linked and hashed to match. */
export async function recompute(
  spine: Spine,
  chain: readonly AuditEntry[],
  position: number,
  change: Partial<AuditEntry>,
  by: AuditKeys | 'nobody',
): Promise<void> {
  const written: AuditEntry[] = []
  for (const entry of chain) {
    const isBefore = entry.position < BigInt(position)
    const previousHash = written.at(-1)?.hash ?? entry.previousHash
    const next = { ...entry, ...(entry.position === BigInt(position) ? change : {}), previousHash }
    const hash = () => (by === 'nobody' ? hashOfNobody(next) : hashOf(by, next))
    written.push(isBefore ? entry : { ...next, hash: hash() })
  }
  const [first] = chain
  await spine.sql('delete from audit_entries where account_id = $1', [first?.accountId])
  await spine.pools.single(insertEntries(written))
  await spine.pools.single(storeHeadsOf(written.slice(-1)))
}

/** What anybody can compute who has no key. */
function hashOfNobody({ previousHash, digest }: Pick<AuditEntry, 'previousHash' | 'digest'>): Buffer {
  return createHash('sha256').update(previousHash).update(digest).digest()
}

/** Writes the batches behind `head` with one changed, and everything after it linked and hashed to match. */
export async function recomputeBatches(
  spine: Spine,
  head: AuditHead,
  batches: readonly AuditBatch[],
  { which, change, by }: { which: number; change: Partial<AuditBatch>; by: AuditKeys },
): Promise<void> {
  const [first] = batches
  const accountId = first?.accountId
  await spine.sql('delete from audit_batches where account_id = $1 and last_position > $2', [
    accountId,
    `${head.position}`,
  ])
  await spine.sql('update audit_heads set position = $2, hash = $3, scheme = $4 where account_id = $1', [
    accountId,
    head.position.toString(),
    head.hash,
    head.scheme,
  ])
  let previousHash = head.hash
  for (const [place, batch] of batches.entries()) {
    const next = { ...batch, ...(place === which ? change : {}), previousHash }
    const written = { ...next, hash: hashOfBatch(by, next) }
    previousHash = written.hash
    await spine.pools.single(appendBatches([written]))
  }
}
