import { statement } from '../../contract/statement.ts'
import type { EventRow } from '../events/relay.sql.ts'
import type { AuditEntry, AuditHead } from './audit-chain.ts'

export type TenantKey = { account_id: string; mode: string }

/** Locks the ends of these tenants' chains; those without an entry have no row yet. */
export const lockHeads = statement<TenantKey & AuditHead, { account_ids: string[]; modes: string[] }>(
  'lock_audit_heads',
  `select h.account_id, h.mode, h.position, h.hash
   from audit_heads h
   join unnest($account_ids::text[], $modes::mode[]) as t (account_id, mode) on h.account_id = t.account_id and h.mode = t.mode
   order by h.account_id, h.mode for update of h`,
)

/**
 * Begins chains that have no entry yet, so that there is a row to lock: two who lengthen a new chain at once would otherwise both write
 * its first entry. Whoever comes second waits for the first here.
 */
export const beginChains = statement<never, { account_ids: string[]; modes: string[]; hash: Buffer }>(
  'begin_audit_chains',
  `insert into audit_heads (account_id, mode, position, hash)
   select t.account_id, t.mode, 0, $hash
   from unnest($account_ids::text[], $modes::mode[]) as t (account_id, mode) order by t.account_id, t.mode
   on conflict (account_id, mode) do nothing`,
)

export const storeHeads = statement<
  never,
  { account_ids: string[]; modes: string[]; positions: string[]; hashes: Buffer[] }
>(
  'store_audit_heads',
  `insert into audit_heads (account_id, mode, position, hash)
   select account_id, mode, position, hash
   from unnest($account_ids::text[], $modes::mode[], $positions::bigint[], $hashes::bytea[]) as h (account_id, mode, position, hash)
   on conflict (account_id, mode) do update set position = excluded.position, hash = excluded.hash`,
)

const insertEntriesStatement = statement<never, Record<string, unknown>>(
  'insert_audit_entries',
  `insert into audit_entries (account_id, mode, position, event_id, actor_type, actor_id, action, target_id, request_id, digest, at,
     previous_hash, hash)
   select * from unnest($account_ids::text[], $modes::mode[], $positions::bigint[], $event_ids::text[], $actor_types::text[],
     $actor_ids::text[], $actions::text[], $target_ids::text[], $request_ids::text[], $digests::bytea[], $ats::timestamptz[],
     $previous_hashes::bytea[], $hashes::bytea[])`,
)

export function insertEntries(entries: readonly AuditEntry[]) {
  return insertEntriesStatement({
    account_ids: entries.map((entry) => entry.accountId),
    modes: entries.map((entry) => entry.mode),
    positions: entries.map((entry) => entry.position.toString()),
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

/** Chains to walk; both filters may be null. */
export const selectHeads = statement<
  TenantKey & AuditHead,
  { account_id: string | null; mode: string | null }
>(
  'select_audit_heads',
  `/* tenantless: an operator verifies every chain */
   select account_id, mode, position, hash from audit_heads
   where ($account_id::text is null or account_id = $account_id) and ($mode::mode is null or mode = $mode)
   order by account_id, mode`,
)

export type EntryRow = {
  position: bigint
  event_id: string
  actor_type: string
  actor_id: string | null
  action: string
  target_id: string
  request_id: string
  digest: Buffer
  at: Date
  previous_hash: Buffer
  hash: Buffer
  /** The event as it stands, or null when it was removed together with its object. */
  event: EventColumns | null
}

/** An event's columns as a JSON object, in which times are text. */
export type EventColumns = Omit<EventRow, 'created_at'> & { created_at: string }

/** A page of a chain beside the events that it vouches for. */
export const selectEntries = statement<EntryRow, TenantKey & { after: bigint; limit: number }>(
  'select_audit_entries',
  `select a.position, a.event_id, a.actor_type, a.actor_id, a.action, a.target_id, a.request_id, a.digest, a.at, a.previous_hash,
     a.hash, to_jsonb(e) as event
   from audit_entries a
   left join events e on e.account_id = a.account_id and e.mode = a.mode and e.id = a.event_id
   where a.account_id = $account_id and a.mode = $mode and a.position > $after
   order by a.position limit $limit`,
)

/** Events that no chain holds yet, and how long the oldest has waited. */
export const measureTail = statement<
  { unchained: bigint; oldest_seconds: number; oldest_event_id: string | null },
  { account_id: string | null; mode: string | null }
>(
  'measure_audit_tail',
  `/* tenantless: an operator verifies every chain */
   select count(*) as unchained, min(e.id) as oldest_event_id,
     coalesce(extract(epoch from prokura_now() - min(e.created_at)), 0)::float8 as oldest_seconds
   from events e
   where ($account_id::text is null or e.account_id = $account_id) and ($mode::mode is null or e.mode = $mode)
     and not exists (
       select 1 from audit_entries a where a.account_id = e.account_id and a.mode = e.mode and a.event_id = e.id)`,
)
