import type { Pools } from '../database/pool.ts'
import { selectEntries } from './audit.sql.ts'
import { memberAt, placeInBatch } from './audit-batch.ts'
import { emptyHead, type TenantKey } from './audit-chain.ts'
import type { AuditKeys } from './audit-keys.ts'
import { type BatchRow, batchOf, selectBatchFrom } from './batches.sql.ts'
import { type BreakReason, LinkCheck } from './check-links.ts'
import { selectEventToProve, selectNeighbors } from './prove-event.sql.ts'
import { digestOfStored, type ReadEvent } from './stored-events.sql.ts'

/** An event, and the way from it to the chain: its digest in a link, the signature of the link, and the links on both sides. */
export type EventProof = {
  eventId: string
  accountId: string
  mode: string
  aggregateId: string
  sequence: number
  /** Null: no chain holds the event yet. */
  link: ProvenLink | null
  /** What is wrong on the way; null: the event is proven. */
  broken: BreakReason | null
}

type ProvenLink = {
  position: bigint
  /** The positions of all events under the same signature. */
  firstPosition: bigint
  lastPosition: bigint
  keyId: string | null
  digest: Buffer
  previousHash: Buffer
  hash: Buffer
}

type Stored = ReadEvent
type Found = { link: ProvenLink; check(check: LinkCheck): BreakReason | null }

/** Proves one event without reading the chain from its beginning. Null: there is no such event. */
export async function proveEvent(
  pools: Pick<Pools, 'read'>,
  keys: AuditKeys | null,
  { eventId, accountId }: { eventId: string; accountId: string | null },
): Promise<EventProof | null> {
  const [stored] = await pools.read(selectEventToProve({ event_id: eventId, account_id: accountId }))
  if (!stored) return null
  const found =
    stored.entry_position === null
      ? await findInBatches(pools, stored)
      : await findEntry(pools, stored, stored.entry_position)
  return {
    eventId,
    accountId: stored.account_id,
    mode: stored.mode,
    aggregateId: stored.aggregate_id,
    sequence: stored.sequence,
    link: found?.link ?? null,
    broken: found ? await wrongOnTheWay(pools, keys, stored, found) : 'event_unchained',
  }
}

async function wrongOnTheWay(
  pools: Pick<Pools, 'read'>,
  keys: AuditKeys | null,
  { account_id, mode }: TenantKey,
  { link, check }: Found,
): Promise<BreakReason | null> {
  const tenant = { account_id, mode }
  const { firstPosition, lastPosition, hash } = link
  const neighbors = await pools.read(
    selectNeighbors({ ...tenant, before: firstPosition - 1n, after: lastPosition + 1n }),
  )
  const [before, after, head] = (['before', 'after', 'head'] as const).map((place) =>
    neighbors.find((neighbor) => neighbor.place === place),
  )
  const chain = { tenant, head: head ?? null, exported: new Map<bigint, string>() }
  const reason = check(new LinkCheck(keys, chain, before ?? emptyHead))
  if (reason) return reason
  if (!head || head.position < lastPosition) return 'head'
  if (head.position === lastPosition) return head.hash.equals(hash) ? null : 'head'
  if (!after) return 'gap'
  // guard audit-proof-of-what-follows: an event is not proven where the chain goes on with something else
  return after.previous_hash.equals(hash) ? null : 'link'
}

async function findEntry(
  pools: Pick<Pools, 'read'>,
  { account_id, mode }: Stored,
  position: bigint,
): Promise<Found | null> {
  const [entry] = await pools.read(selectEntries({ account_id, mode, after: position - 1n, up_to: position }))
  if (!entry) return null
  const { key_id: keyId, digest, previous_hash: previousHash, hash } = entry
  return {
    link: { position, firstPosition: position, lastPosition: position, keyId, digest, previousHash, hash },
    check: (check) => check.takeEntry(entry)?.reason ?? null,
  }
}

/** A follower may be late, but never early; the clocks of processes differ by less than this. */
const earliestMs = 60_000

async function findInBatches(pools: Pick<Pools, 'read'>, stored: Stored): Promise<Found | null> {
  const { account_id, mode, aggregate_id, sequence } = stored
  const holding = async (position: bigint) =>
    (await pools.read(selectBatchFrom({ account_id, mode, position, aggregate_id, sequence })))[0]
  const from = await firstPositionSince(pools, stored, new Date(stored.created_at.getTime() - earliestMs))
  const row = (await holding(from)) ?? (await holding(1n))
  return row ? inBatch(stored, row) : null
}

function inBatch(stored: Stored, row: BatchRow): Found {
  const batch = batchOf(stored, row)
  const { aggregate_id: aggregateId, sequence } = stored
  const member = memberAt(batch, placeInBatch(batch, { aggregateId, sequence }) ?? 0)
  const { firstPosition, position: lastPosition, keyId, previousHash, hash } = batch
  const { position, digest } = member
  return {
    link: { position, firstPosition, lastPosition, keyId, digest, previousHash, hash },
    // The other events of the batch are not asked for: an erasure may say that they are gone.
    // guard audit-proof-of-the-event: an event that was changed is not proven
    check: (check) =>
      check.takeBatch(row, null)?.reason ?? (digestOfStored(stored).equals(digest) ? null : 'event_changed'),
  }
}

/** Batches are in the order of their times, so the first one since a time is found by halving the chain. */
async function firstPositionSince(
  pools: Pick<Pools, 'read'>,
  { account_id, mode }: TenantKey,
  since: Date,
): Promise<bigint> {
  const [head] = (await pools.read(selectNeighbors({ account_id, mode, before: 0n, after: 0n }))).filter(
    ({ place }) => place === 'head',
  )
  let low = 1n
  let high = head?.position ?? 1n
  while (low < high) {
    const position = (low + high) / 2n
    const [row] = await pools.read(
      selectBatchFrom({ account_id, mode, position, aggregate_id: null, sequence: null }),
    )
    if (row && row.at < since) low = row.last_position + 1n
    else high = position
  }
  return low
}
