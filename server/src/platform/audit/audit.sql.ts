import { statement } from '../../contract/statement.ts'
import { type PackedEvent, packedColumns } from '../events/relay.sql.ts'
import type { AuditEntry, AuditHead, EntryKind, TenantKey } from './audit-chain.ts'
import { isInBatch } from './batches.sql.ts'
import { digestBytes } from './event-digest.ts'

/** Locks the heads of these tenants' chains; a chain without entries has no row yet. */
export const lockHeads = statement<TenantKey & AuditHead, { account_ids: string[]; modes: string[] }>(
  'lock_audit_heads',
  `select h.account_id, h.mode, h.position, h.hash, h.scheme
   from audit_heads h
   join unnest($account_ids::text[], $modes::mode[]) as t (account_id, mode) on h.account_id = t.account_id and h.mode = t.mode
   order by h.account_id, h.mode for update of h`,
)

/**
 * Begins chains that have no entry yet, so that there is a row to lock: otherwise two transactions that extend a new chain at once would
 * both write its first entry. The second one waits for the first here.
 */
export const beginChains = statement<
  never,
  { account_ids: string[]; modes: string[]; hash: Buffer; scheme: number }
>(
  'begin_audit_chains',
  `insert into audit_heads (account_id, mode, position, hash, scheme)
   select t.account_id, t.mode, 0, $hash, $scheme::smallint
   from unnest($account_ids::text[], $modes::mode[]) as t (account_id, mode) order by t.account_id, t.mode
   on conflict (account_id, mode) do nothing`,
)

const storeHeads = statement<
  never,
  { account_ids: string[]; modes: string[]; positions: string[]; hashes: Buffer[]; schemes: number[] }
>(
  'store_audit_heads',
  `insert into audit_heads (account_id, mode, position, hash, scheme)
   select account_id, mode, position, hash, scheme
   from unnest($account_ids::text[], $modes::mode[], $positions::bigint[], $hashes::bytea[], $schemes::smallint[])
     as h (account_id, mode, position, hash, scheme)
   on conflict (account_id, mode) do update set position = excluded.position, hash = excluded.hash, scheme = excluded.scheme`,
)

/** Each chain then ends with the last entry given for it. */
export function storeHeadsOf(lasts: readonly AuditEntry[]) {
  return storeHeads({
    account_ids: lasts.map((entry) => entry.accountId),
    modes: lasts.map((entry) => entry.mode),
    positions: lasts.map((entry) => entry.position.toString()),
    hashes: lasts.map((entry) => entry.hash),
    schemes: lasts.map((entry) => entry.scheme),
  })
}

const insertEntriesStatement = statement<never, Record<string, unknown>>(
  'insert_audit_entries',
  `insert into audit_entries (account_id, mode, position, scheme, kind, range_first, range_last, range_count, key_id, event_id, actor_type,
     actor_id, action, target_id, request_id, digest, at, previous_hash, hash)
   select * from unnest($account_ids::text[], $modes::mode[], $positions::bigint[], $schemes::smallint[], $kinds::text[],
     $firsts::bigint[], $lasts::bigint[], $counts::bigint[], $key_ids::text[], $event_ids::text[], $actor_types::text[],
     $actor_ids::text[], $actions::text[], $target_ids::text[], $request_ids::text[], $digests::bytea[], $ats::timestamptz[],
     $previous_hashes::bytea[], $hashes::bytea[])`,
)

export function insertEntries(entries: readonly AuditEntry[]) {
  return insertEntriesStatement({
    account_ids: entries.map((entry) => entry.accountId),
    modes: entries.map((entry) => entry.mode),
    positions: entries.map((entry) => entry.position.toString()),
    schemes: entries.map((entry) => entry.scheme),
    kinds: entries.map((entry) => entry.kind),
    firsts: entries.map((entry) => entry.range?.first.toString() ?? null),
    lasts: entries.map((entry) => entry.range?.last.toString() ?? null),
    counts: entries.map((entry) => entry.range?.count.toString() ?? null),
    key_ids: entries.map((entry) => entry.keyId),
    event_ids: entries.map((entry) => entry.eventId),
    actor_types: entries.map((entry) => entry.actorType),
    actor_ids: entries.map((entry) => entry.actorId),
    actions: entries.map((entry) => entry.action),
    target_ids: entries.map((entry) => entry.targetId),
    request_ids: entries.map((entry) => entry.requestId),
    digests: entries.map((entry) => entry.digest),
    ats: entries.map((entry) => entry.at.toISOString()),
    previous_hashes: entries.map((entry) => entry.previousHash),
    hashes: entries.map((entry) => entry.hash),
  })
}

/** Chains to verify, with the last position that a row has; both filters may be null. A chain whose head is gone is verified all the same. */
export const selectChains = statement<
  TenantKey & { last: bigint; position: bigint | null; hash: Buffer | null; scheme: number | null },
  { account_id: string | null; mode: string | null }
>(
  'select_audit_chains',
  `/* tenantless: an operator verifies every chain */
   select account_id, mode, coalesce(begun.last, 0) as last, h.position, h.hash, h.scheme
   from audit_heads h full join (
     select account_id, mode, max(position) as last from (
       select account_id, mode, position from audit_entries
       union all select account_id, mode, last_position from audit_batches
     ) as links group by account_id, mode
   ) as begun using (account_id, mode)
   where ($account_id::text is null or account_id = $account_id) and ($mode::mode is null or mode = $mode)
   order by account_id, mode`,
)

/** The heads of chains, after the given one; a chain that has begun has its first entry with it. */
export const selectHeads = statement<
  TenantKey & AuditHead,
  { account_id: string; mode: string; limit: number }
>(
  'select_audit_heads',
  `/* tenantless: an operator exports every head */
   select account_id, mode, position, hash, scheme from audit_heads
   where (account_id, mode) > ($account_id, $mode::mode) and position > 0
   order by account_id, mode limit $limit`,
)

export type EntryRow = {
  position: bigint
  scheme: number
  kind: EntryKind
  range_first: bigint | null
  range_last: bigint | null
  range_count: bigint | null
  key_id: string | null
  event_id: string | null
  actor_type: string
  actor_id: string | null
  action: string
  target_id: string
  request_id: string
  digest: Buffer
  at: Date
  previous_hash: Buffer
  hash: Buffer
  /** The event as it is stored, or null when it is missing. */
  event: EventColumns | null
  /** Whether a time was changed by less than the hash covers. */
  is_time_finer: boolean
}

/** An event's columns as a JSON object, in which times and bytes are text. */
export type EventColumns = Omit<PackedEvent, 'created_at' | 'object_bytes' | 'envelope_bytes'> & {
  created_at: string
  object_bytes: string
  envelope_bytes: string | null
}

/** The entries of a part of a chain, with the events that they vouch for. */
export const selectEntries = statement<EntryRow, TenantKey & { after: bigint; up_to: bigint }>(
  'select_audit_entries',
  `select a.position, a.scheme, a.kind, a.range_first, a.range_last, a.range_count, a.key_id, a.event_id, a.actor_type, a.actor_id,
     a.action, a.target_id, a.request_id, a.digest, a.at, a.previous_hash, a.hash,
     case when e.id is not null then (select to_jsonb(stored) from (select ${packedColumns}) as stored) end as event,
     a.at <> date_trunc('milliseconds', a.at) or coalesce(e.created_at <> date_trunc('milliseconds', e.created_at), false) as is_time_finer
   from audit_entries a
   left join events e on e.account_id = a.account_id and e.mode = a.mode and e.aggregate_id = a.target_id and e.id = a.event_id
   where a.account_id = $account_id and a.mode = $mode and a.position > $after and a.position <= $up_to
   order by a.position`,
)

/**
 * Events that no chain holds yet, how long the oldest has waited, and those of them that no relay will chain, because they are not in the
 * outbox.
 */
export const measureTail = statement<
  { unchained: bigint; oldest_seconds: number; oldest_event_id: string | null; strays: string[] | null },
  { account_id: string | null; mode: string | null }
>(
  'measure_audit_tail',
  `/* tenantless: an operator verifies every chain */
   select count(*) as unchained, min(e.id) as oldest_event_id,
     coalesce(extract(epoch from prokura_now() - min(e.created_at)), 0)::float8 as oldest_seconds,
     (array_agg(e.account_id || '/' || e.mode || '/' || e.id) filter (where not exists (
         select from outbox u where u.account_id = e.account_id and u.mode = e.mode and u.aggregate_id = e.aggregate_id
           and e.sequence between u.first_sequence and u.last_sequence
       ) and not exists (
         select from follower_backlog b
         where b.account_id = e.account_id and b.mode = e.mode and b.aggregate_id = e.aggregate_id and b.sequence = e.sequence
           and b.follower = 'audit'
       )))[1:100] as strays
   from events e
   where ($account_id::text is null or e.account_id = $account_id) and ($mode::mode is null or e.mode = $mode)
     and not exists (
       select from audit_entries a where a.account_id = e.account_id and a.mode = e.mode and a.event_id = e.id)
     and not ${isInBatch}`,
)

/** The positions of these events in their chain, for those that still exist. */
export const selectChained = statement<
  { position: bigint; event_id: string; digest: Buffer },
  TenantKey & { event_ids: string[] }
>(
  'select_chained_events',
  `with wanted as (
     select e.id, e.aggregate_id, e.sequence from events e
     where e.account_id = $account_id and e.mode = $mode and e.id = any ($event_ids::text[])
   )
   select a.position, a.event_id, a.digest from audit_entries a join wanted w on w.id = a.event_id
   where a.account_id = $account_id and a.mode = $mode
   union all
   select b.first_position + m.place, w.id, substr(b.digests, (m.place * ${digestBytes} + 1)::int, ${digestBytes})
   from audit_batches b
   cross join lateral (
     select r.aggregate_id, s.sequence, row_number() over (order by r.place, s.sequence) - 1 as place
     from unnest(b.aggregate_ids, b.first_sequences, b.last_sequences) with ordinality as r (aggregate_id, first, last, place)
     cross join lateral generate_series(r.first, r.last) as s (sequence)
   ) as m
   join wanted w on w.aggregate_id = m.aggregate_id and w.sequence = m.sequence
   where b.account_id = $account_id and b.mode = $mode and b.aggregate_ids && array(select aggregate_id from wanted)
   order by position`,
)

/** Before the events are deleted: others that show the object of one of them get it themselves. */
export const keepSharedObjects = statement<never, TenantKey & { event_ids: string[] }>(
  'keep_shared_objects',
  `update event_rows r set object = o.object, object_bytes = o.object_bytes, object_at = null
   from event_rows o
   where o.account_id = $account_id and o.mode = $mode and o.id = any ($event_ids::text[]) and r.account_id = o.account_id
     and r.mode = o.mode and r.aggregate_id = o.aggregate_id and r.object_at = o.sequence`,
)

export const deleteEvents = statement<never, TenantKey & { event_ids: string[] }>(
  'delete_erased_events',
  'delete from event_rows where account_id = $account_id and mode = $mode and id = any ($event_ids::text[])',
)
