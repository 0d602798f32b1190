import { statement } from '../../contract/statement.ts'
import type { AuditBatch } from './audit-batch.ts'
import type { TenantKey } from './audit-chain.ts'

/** Every range of events in the batches `b`, as `r`. */
export const batchRanges = `audit_batches b cross join lateral
     unnest(b.aggregate_ids, b.first_sequences, b.last_sequences) as r (aggregate_id, first_sequence, last_sequence)`

/** Whether an event `e` is in a batch. */
export const isInBatch = `exists (
       select from ${batchRanges}
       where b.account_id = e.account_id and b.mode = e.mode and r.aggregate_id = e.aggregate_id
         and e.sequence between r.first_sequence and r.last_sequence)`

/** Batches as parameters: one element each. */
export type BatchArrays = ReturnType<typeof batchArrays>

/**
 * Parts of a statement that appends batches. `locked`: the heads of the chains that still end where their batch begins; `moved`: those
 * that were moved to its end.
 */
// guard audit-continues-the-end: a process that remembers an earlier end of a chain does not continue it there
export const lockedHeads = `batch as (
     select * from unnest($chain_account_ids::text[], $chain_modes::mode[], $first_positions::bigint[], $last_positions::bigint[],
       $schemes::smallint[], $key_ids::text[], $aggregates::text[], $first_sequences::text[], $last_sequences::text[], $digests::bytea[],
       $ats::timestamptz[], $previous_hashes::bytea[], $hashes::bytea[])
       as n (account_id, mode, first_position, last_position, scheme, key_id, aggregate_ids, first_sequences, last_sequences, digests, at,
         previous_hash, hash)
   ), locked as (
     select h.account_id, h.mode from audit_heads h join batch n on h.account_id = n.account_id and h.mode = n.mode
     where h.position = n.first_position - 1 and h.hash = n.previous_hash and (h.scheme > 1 or h.position = 0)
     order by h.account_id, h.mode for update of h
   )`

/** `may`: a condition for all of them. */
export function movedHeads(may = 'true'): string {
  return `moved as (
     update audit_heads h set position = n.last_position, hash = n.hash, scheme = n.scheme
     from batch n join locked l on l.account_id = n.account_id and l.mode = n.mode
     where h.account_id = n.account_id and h.mode = n.mode and ${may}
     returning h.account_id, h.mode
   ), written as (
     insert into audit_batches (account_id, mode, first_position, last_position, scheme, key_id, aggregate_ids, first_sequences,
       last_sequences, digests, at, previous_hash, hash)
     select n.account_id, n.mode, n.first_position, n.last_position, n.scheme, n.key_id, n.aggregate_ids::text[],
       n.first_sequences::integer[], n.last_sequences::integer[], n.digests, n.at, n.previous_hash, n.hash
     from batch n join moved m on m.account_id = n.account_id and m.mode = n.mode
   )`
}

const appendBatchesStatement = statement<TenantKey, BatchArrays>(
  'append_audit_batches',
  `with ${lockedHeads}, ${movedHeads()} select account_id, mode from moved`,
)

/** Appends each batch to its chain, if the chain still ends where the batch begins. Returns the chains that were continued. */
export function appendBatches(batches: readonly AuditBatch[]) {
  return appendBatchesStatement(batchArrays(batches))
}

export function batchArrays(batches: readonly AuditBatch[]) {
  return {
    chain_account_ids: batches.map((batch) => batch.accountId),
    chain_modes: batches.map((batch) => batch.mode),
    first_positions: batches.map((batch) => batch.firstPosition.toString()),
    last_positions: batches.map((batch) => batch.position.toString()),
    schemes: batches.map((batch) => batch.scheme),
    key_ids: batches.map((batch) => batch.keyId),
    aggregates: batches.map(({ ranges }) => arrayText(ranges.map(({ aggregateId }) => aggregateId))),
    first_sequences: batches.map(({ ranges }) => arrayText(ranges.map(({ first }) => `${first}`))),
    last_sequences: batches.map(({ ranges }) => arrayText(ranges.map(({ last }) => `${last}`))),
    digests: batches.map((batch) => batch.digests),
    ats: batches.map((batch) => batch.at.toISOString()),
    previous_hashes: batches.map((batch) => batch.previousHash),
    hashes: batches.map((batch) => batch.hash),
  }
}

/** An array as the database reads it from text: the arrays of several batches are of different lengths, so they cannot be one parameter. */
function arrayText(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}

export type BatchRow = {
  first_position: bigint
  last_position: bigint
  scheme: number
  key_id: string
  aggregate_ids: string[]
  first_sequences: number[]
  last_sequences: number[]
  digests: Buffer
  at: Date
  /** Whether the time was changed by less than the hash covers. */
  is_time_finer: boolean
  previous_hash: Buffer
  hash: Buffer
}

const batchColumns = `b.first_position, b.last_position, b.scheme, b.key_id, b.aggregate_ids, b.first_sequences, b.last_sequences, b.digests,
     b.at, b.at <> date_trunc('milliseconds', b.at) as is_time_finer, b.previous_hash, b.hash`

export function batchOf({ account_id, mode }: TenantKey, row: BatchRow): AuditBatch {
  return {
    accountId: account_id,
    mode,
    firstPosition: row.first_position,
    position: row.last_position,
    scheme: row.scheme,
    keyId: row.key_id,
    ranges: row.aggregate_ids.map((aggregateId, place) => ({
      aggregateId,
      first: row.first_sequences[place] ?? 0,
      last: row.last_sequences[place] ?? 0,
    })),
    digests: row.digests,
    at: row.at,
    previousHash: row.previous_hash,
    hash: row.hash,
  }
}

/** The batches of a part of a chain. */
export const selectBatches = statement<BatchRow, TenantKey & { after: bigint; up_to: bigint }>(
  'select_audit_batches',
  `select ${batchColumns} from audit_batches b
   where b.account_id = $account_id and b.mode = $mode and b.last_position > $after and b.last_position <= $up_to
   order by b.last_position`,
)

/** The first batch that ends at this position or after it, and that may hold the event of this aggregate, if one is named. */
export const selectBatchFrom = statement<
  BatchRow,
  TenantKey & { position: bigint; aggregate_id: string | null; sequence: number | null }
>(
  'select_audit_batch_from',
  `select ${batchColumns} from audit_batches b
   where b.account_id = $account_id and b.mode = $mode and b.last_position >= $position
     and ($aggregate_id::text is null or $aggregate_id = any (b.aggregate_ids) and exists (
       select from unnest(b.aggregate_ids, b.first_sequences, b.last_sequences) as r (aggregate_id, first_sequence, last_sequence)
       where r.aggregate_id = $aggregate_id and $sequence::int between r.first_sequence and r.last_sequence))
   order by b.last_position limit 1`,
)
