import { hash } from 'node:crypto'
import type { ChainedEvent } from '../events/follower.ts'
import { type AuditHead, schemes } from './audit-chain.ts'
import type { AuditKeys } from './audit-keys.ts'
import { digestBytes } from './event-digest.ts'

/** Events of one aggregate, by their sequences. */
type EventRange = { readonly aggregateId: string; readonly first: number; readonly last: number }

/** Many events of a chain under one signature: which ones, proof of their bytes, and what came before. */
export type AuditBatch = {
  readonly accountId: string
  readonly mode: string
  /** Each event has a position of its own, in the order of the ranges. */
  readonly firstPosition: bigint
  readonly position: bigint
  readonly scheme: number
  readonly keyId: string
  readonly ranges: readonly EventRange[]
  /** One after the other, in the order of the events. */
  readonly digests: Buffer
  /** When the events were chained. */
  readonly at: Date
  readonly previousHash: Buffer
  readonly hash: Buffer
}

export type UnsignedBatch = Omit<AuditBatch, 'hash'>

/** The batch that follows `head` and holds these events of one tenant. */
export function nextBatch(
  keys: AuditKeys,
  head: AuditHead,
  { tenant, events, at }: { tenant: ChainedEvent['tenant']; events: readonly ChainedEvent[]; at: Date },
): AuditBatch {
  const batch: UnsignedBatch = {
    ...tenant,
    firstPosition: head.position + 1n,
    position: head.position + BigInt(events.length),
    scheme: schemes.batched,
    keyId: keys.currentId,
    ranges: rangesOf(events),
    digests: Buffer.concat(events.map(({ digest }) => digest)),
    at,
    previousHash: head.hash,
  }
  return { ...batch, hash: hashOfBatch(keys, batch) }
}

/** Events that follow each other in their aggregate are one range. */
function rangesOf(events: readonly ChainedEvent[]): EventRange[] {
  const ranges: EventRange[] = []
  for (const { aggregateId, sequence } of events) {
    const open = ranges.at(-1)
    if (open?.aggregateId === aggregateId && open.last === sequence - 1) {
      ranges[ranges.length - 1] = { ...open, last: sequence }
    } else ranges.push({ aggregateId, first: sequence, last: sequence })
  }
  return ranges
}

/** The signature of a batch, over everything that its row says. Without the key that it names, nobody can make or check it. */
export function hashOfBatch(keys: AuditKeys, batch: UnsignedBatch): Buffer {
  return keys.sign(
    batch.keyId,
    JSON.stringify([
      'batch-1',
      batch.accountId,
      batch.mode,
      batch.firstPosition.toString(),
      batch.position.toString(),
      batch.keyId,
      batch.ranges.map(({ aggregateId, first, last }) => [aggregateId, first, last]),
      // guard audit-batch-holds-its-digests: the hash of a batch holds the digests of its events
      hash('sha256', batch.digests, 'hex'),
      batch.at.toISOString(),
      // guard audit-batch-holds-its-link: the hash of a batch holds the one before it
      batch.previousHash.toString('hex'),
    ]),
  )
}

/** Whether ranges, positions and digests speak of the same number of events. */
export function isWhole({ firstPosition, position, ranges, digests }: AuditBatch): boolean {
  const count = ranges.reduce((sum, { first, last }) => sum + Math.max(0, last - first + 1), 0)
  const isForward = ranges.length > 0 && ranges.every(({ first, last }) => first > 0 && first <= last)
  return (
    isForward && position - firstPosition + 1n === BigInt(count) && digests.length === digestBytes * count
  )
}

/** One event of a batch, by its place among them. */
type BatchMember = { aggregateId: string; sequence: number; position: bigint; digest: Buffer }

/** The event at this place of a batch, counted from 0. */
export function memberAt(batch: AuditBatch, place: number): BatchMember {
  let before = 0
  for (const { aggregateId, first, last } of batch.ranges) {
    const sequence = first + place - before
    if (sequence <= last) {
      return {
        aggregateId,
        sequence,
        position: batch.firstPosition + BigInt(place),
        digest: batch.digests.subarray(place * digestBytes, (place + 1) * digestBytes),
      }
    }
    before += last - first + 1
  }
  throw new Error(`the batch at ${batch.position} has no event at the place ${place}`)
}

/** The place of an event in a batch, counted from 0; null: it is not there. */
export function placeInBatch(
  batch: AuditBatch,
  { aggregateId, sequence }: Pick<BatchMember, 'aggregateId' | 'sequence'>,
): number | null {
  let before = 0
  for (const range of batch.ranges) {
    if (range.aggregateId === aggregateId && range.first <= sequence && sequence <= range.last) {
      return before + sequence - range.first
    }
    before += range.last - range.first + 1
  }
  return null
}
