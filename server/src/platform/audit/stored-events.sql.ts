import { statement } from '../../contract/statement.ts'
import { type PackedEvent, packedColumns, unpackedEvent } from '../events/relay.sql.ts'
import type { TenantKey } from './audit-chain.ts'
import { digestBytes, digestOfEvent } from './event-digest.ts'

/** An event, and whether its time was changed by less than `created_at` shows. */
export type ReadEvent = PackedEvent & { is_time_finer: boolean }

export const isTimeFiner = `e.created_at <> date_trunc('milliseconds', e.created_at) as is_time_finer`

/**
 * The events of batches as they are stored, in the order of their batches; where an event is missing, there are fewer. The rows of a range are
 * read together, by its own index scan: the planner cannot know how few they are.
 */
export const selectStoredEvents = statement<
  ReadEvent & { last_position: bigint },
  TenantKey & { after: bigint; up_to: bigint }
>(
  'select_stored_events',
  `select b.last_position, ${packedColumns}, ${isTimeFiner}
   from audit_batches b
   cross join lateral unnest(b.aggregate_ids, b.first_sequences, b.last_sequences) with ordinality as r (aggregate_id, first, last, place)
   cross join lateral (
     select ${packedColumns} from events e
     where e.account_id = $account_id and e.mode = $mode and e.aggregate_id = r.aggregate_id and e.sequence between r.first and r.last
     order by e.sequence
   ) as e
   where b.account_id = $account_id and b.mode = $mode and b.last_position > $after and b.last_position <= $up_to
   order by b.last_position, r.place, e.sequence`,
)

/** Which event it is, and the digest of what it says now. */
export type StoredEvent = { aggregate_id: string; sequence: number; id: string; digest: Buffer }

export function storedEvent(row: ReadEvent): StoredEvent {
  const { aggregate_id, sequence, id } = row
  return { aggregate_id, sequence, id, digest: digestOfStored(row) }
}

/** Of what says something else than could have been chained, a digest that no event has. */
export function digestOfStored(row: ReadEvent): Buffer {
  if (row.is_time_finer) return noDigest
  try {
    return digestOfEvent(unpackedEvent(row))
  } catch {
    return noDigest
  }
}

const noDigest = Buffer.alloc(digestBytes)
