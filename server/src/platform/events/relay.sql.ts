import type { Actor, Mode } from '../../contract/context.ts'
import { statement } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'
import { type BatchArrays, lockedHeads, movedHeads } from '../audit/batches.sql.ts'
import type { RelayedEvent } from './follower.ts'
import { unpackText } from './packed-text.ts'

/** An event as it stands in its table. */
type EventRow = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'evt'>
  type: string
  aggregate_id: string
  sequence: number
  cart_id: string | null
  actor_type: string
  actor_id: string | null
  request_id: string
  object: string
  recipient_account_id: Id<'acct'> | null
  envelope: string | null
  created_at: Date
}

function toEvent(row: EventRow & { is_heard?: boolean; is_delivered?: boolean }): RelayedEvent {
  return {
    id: row.id,
    type: row.type,
    tenant: { accountId: row.account_id, mode: row.mode },
    aggregateId: row.aggregate_id,
    sequence: row.sequence,
    cartId: row.cart_id,
    actor: { type: row.actor_type, id: row.actor_id } as Actor, // the pair was written from an Actor
    requestId: row.request_id,
    object: row.object,
    recipientAccountId: row.recipient_account_id,
    envelope: row.envelope,
    createdAt: row.created_at,
    isHeard: row.is_heard ?? false,
    isDelivered: row.is_delivered ?? false,
  }
}

export function unpackedEvent(
  row: PackedEvent & { is_heard?: boolean; is_delivered?: boolean },
): RelayedEvent {
  const { object_bytes, envelope_bytes } = row
  const envelope = envelope_bytes === null ? null : unpackText(envelope_bytes)
  return toEvent({ ...row, object: unpackText(object_bytes), envelope })
}

/** A row of the outbox: events of one aggregate that are to be relayed, and those that they have to wait for. */
type OutboxRow = {
  lane: number
  account_id: Id<'acct'>
  mode: Mode
  aggregate_id: string
  first_sequence: number
  last_sequence: number
  /** The first sequence of the pending row before it, if there is one. */
  before_sequence: number | null
  is_delivered: boolean
  is_followed: boolean
}

/** An event with its texts as they are packed. */
export type PackedEvent = Omit<EventRow, 'object' | 'envelope'> & {
  object_bytes: Buffer
  envelope_bytes: Buffer | null
}

/** An event of a pending row. What only the chain takes comes without what it says: its digest is enough. */
export type PendingEvent = Omit<PackedEvent, 'object_bytes'> & {
  object_bytes: Buffer | null
  is_heard: boolean
  is_delivered: boolean
  /** As its writer computed it; null where the event was read with what it says. */
  digest: Buffer | null
}

export type PendingRow = OutboxRow & { readonly events: readonly PendingEvent[] }

/** A row of the outbox beside one of its events; null: it has none. */
type PendingRead = OutboxRow & (PendingEvent | { id: null })

/** Puts together what belongs to one row of the outbox and was read in a row. */
export function pendingOf(read: readonly PendingRead[]): PendingRow[] {
  const rows: (OutboxRow & { events: PendingEvent[] })[] = []
  for (const one of read) {
    const last = rows.at(-1)
    const row = last && isSameRow(last, one) ? last : { ...one, events: [] }
    if (row !== last) rows.push(row)
    if (one.id !== null) row.events.push(one)
  }
  return rows
}

function isSameRow(one: OutboxRow, other: OutboxRow): boolean {
  return (
    one.first_sequence === other.first_sequence &&
    one.aggregate_id === other.aggregate_id &&
    one.account_id === other.account_id &&
    one.mode === other.mode &&
    one.lane === other.lane
  )
}

export const packedColumns = `e.account_id, e.mode, e.id, e.type, e.aggregate_id, e.sequence, e.cart_id, e.actor_type, e.actor_id,
  e.request_id, e.object_bytes, e.recipient_account_id, e.envelope_bytes, e.created_at`

/** What only the chain takes is read without what it says. */
const pendingColumns = `u.lane, u.account_id, u.mode, u.aggregate_id, u.first_sequence, u.last_sequence, u.is_delivered, u.is_followed,
     before.before_sequence, e.id, e.type, e.sequence, e.cart_id, e.actor_type, e.actor_id, e.request_id,
     case when not u.is_followed then e.object_bytes end as object_bytes, e.recipient_account_id,
     case when not u.is_followed then e.envelope_bytes end as envelope_bytes, e.created_at, listener.is_heard is not null as is_heard,
     substring(u.digests from (e.sequence - u.first_sequence) * 32 + 1 for 32) as digest`

/** A lateral join with an order of its own, so that the planner never reads all events of a tenant. */
const eventsOfRow = `left join lateral (
     select e.* from events e
     where e.account_id = u.account_id and e.mode = u.mode and e.aggregate_id = u.aggregate_id
       and e.sequence between u.first_sequence and u.last_sequence
     order by e.sequence
   ) as e on true`

const beforeThis = `left join lateral (
     select max(w.first_sequence) as before_sequence
     from outbox w
     where w.shard = $shard and w.lane in (0, 1, 2) and w.account_id = u.account_id and w.mode = u.mode
       and w.aggregate_id = u.aggregate_id and w.first_sequence < u.first_sequence
   ) as before on true`

/** A lateral join, so that the planner never reads the whole table for a few events. */
export const hasSubscribers = `left join lateral (
     select true as is_heard from event_listeners l where l.account_id = e.account_id and l.mode = e.mode limit 1
   ) as listener on true`

/**
 * What is next in a shard, with its events: urgent lanes first, and within a lane the first `quota` rows of every tenant before any tenant's later
 * ones, each aggregate in sequence. Tenants are found by stepping over each one's backlog, so the cost grows with the number of tenants
 * and not of rows.
 */
export const selectPending = statement<PendingRead, { shard: number; quota: number; limit: number }>(
  'relay_select_pending',
  `/* tenantless: the relay serves every tenant of its shard */
   with recursive tenants as (
     (select lane, account_id, mode from outbox where shard = $shard order by lane, account_id, mode limit 1)
     union all
     select next.lane, next.account_id, next.mode from tenants t cross join lateral (
       select u.lane, u.account_id, u.mode from outbox u
       where u.shard = $shard and (u.lane, u.account_id, u.mode) > (t.lane, t.account_id, t.mode)
       order by u.lane, u.account_id, u.mode limit 1
     ) as next
   ), u as (
     select c.*, (c.place - 1) / $quota::int as share
     from tenants t cross join lateral (
       select p.*, row_number() over (order by p.aggregate_id, p.first_sequence) as place
       from outbox p
       where p.shard = $shard and p.lane = t.lane and p.account_id = t.account_id and p.mode = t.mode
       order by p.aggregate_id, p.first_sequence limit $limit
     ) as c
     order by c.lane, share, c.aggregate_id, c.first_sequence limit $limit
   )
   select ${pendingColumns}
   from u
   ${beforeThis}
   ${eventsOfRow}
   ${hasSubscribers}
   order by u.lane, u.share, u.aggregate_id, u.first_sequence, e.sequence`,
)

/** Pending rows of these aggregates before the given sequences, with their events: earlier ones in a slower lane. */
export const selectPredecessors = statement<
  PendingRead,
  { shard: number; account_ids: string[]; modes: string[]; aggregate_ids: string[]; firsts: number[] }
>(
  'relay_select_predecessors',
  `select ${pendingColumns}
   from unnest($account_ids::text[], $modes::mode[], $aggregate_ids::text[], $firsts::int[])
     as a (account_id, mode, aggregate_id, first)
   join outbox u on u.shard = $shard and u.lane in (0, 1, 2) and u.account_id = a.account_id and u.mode = a.mode
     and u.aggregate_id = a.aggregate_id and u.first_sequence < a.first
   ${beforeThis}
   ${eventsOfRow}
   ${hasSubscribers}
   order by u.account_id, u.mode, u.aggregate_id, u.lane, u.first_sequence, e.sequence`,
)

/** The events of these rows, each with what it says. */
export const selectWholeEvents = statement<PendingEvent, OutboxKeys & { shard: number; lasts: number[] }>(
  'relay_select_whole_events',
  `select ${packedColumns}, o.is_delivered, listener.is_heard is not null as is_heard, null::bytea as digest
   from unnest($account_ids::text[], $modes::mode[], $aggregate_ids::text[], $lanes::smallint[], $firsts::int[], $lasts::int[])
     as p (account_id, mode, aggregate_id, lane, first, last)
   join outbox o on o.shard = $shard and o.lane = p.lane and o.account_id = p.account_id and o.mode = p.mode
     and o.aggregate_id = p.aggregate_id and o.first_sequence = p.first
   cross join lateral (
     select e.* from events e
     where e.account_id = p.account_id and e.mode = p.mode and e.aggregate_id = p.aggregate_id and e.sequence between p.first and p.last
     -- A lateral join in this order, so that the planner never reads all events of a tenant.
     order by e.sequence
   ) as e
   ${hasSubscribers}`,
)

/** Rows of the outbox, as the columns of their key. */
export type OutboxKeys = {
  lanes: number[]
  account_ids: string[]
  modes: string[]
  aggregate_ids: string[]
  firsts: number[]
}

const keyList = `unnest($lanes::smallint[], $account_ids::text[], $modes::mode[], $aggregate_ids::text[], $firsts::int[])
     as p (lane, account_id, mode, aggregate_id, first)`

const sameKey = `u.shard = $shard and u.lane = p.lane and u.account_id = p.account_id and u.mode = p.mode
     and u.aggregate_id = p.aggregate_id and u.first_sequence = p.first`

// guard relay-epoch: a relay that was taken over writes nothing
const heldShard = `held as (
     select shard from outbox_shards where shard = $shard and epoch = $epoch for share
   )`

/**
 * Removes rows of the outbox if this epoch still holds the shard. The share lock prevents a takeover before the commit, and a relay whose shard was
 * taken over finds no row and deletes nothing.
 */
export const takeRelayed = statement<{ taken: number }, OutboxKeys & { shard: number; epoch: bigint }>(
  'relay_take_relayed',
  `with ${heldShard}, taken as (
     delete from outbox u using ${keyList}, held
     where ${sameKey} and held.shard = u.shard
     returning 1
   )
   select count(*)::int as taken from taken`,
)

/**
 * The same together with the chain's batches, for events that nothing else follows: all of it, or nothing where a row of the outbox is
 * missing or a chain ends elsewhere. Nobody else removes rows of a held shard, so they are counted before.
 */
export const takeChained = statement<
  { is_taken: boolean },
  OutboxKeys & BatchArrays & { shard: number; epoch: bigint }
>(
  'relay_take_chained',
  // guard chained-takes-all: events that another relay has taken are not chained twice
  // guard chained-at-the-end: events leave the outbox only with their chain
  `with ${heldShard}, found as (
     select count(*) as rows from outbox u, ${keyList}, held where ${sameKey} and held.shard = u.shard
   ), ${lockedHeads}, whole as (
     select found.rows = cardinality($firsts::int[]) and (select count(*) from locked) = (select count(*) from batch) as is_whole
     from found
   ), taken as (
     delete from outbox u using ${keyList}, whole where ${sameKey} and whole.is_whole
   ), ${movedHeads('(select is_whole from whole)')}
   select is_whole as is_taken from whole`,
)

// Leases of processes use real time, not a test clock: when the test clock moves ahead, the relays must not look dead.

/** Takes every shard whose lease has ended. The raised epoch fences the process that held it before. */
export const acquireShards = statement<
  { shard: number; epoch: bigint },
  { holder: string; lease_ms: number }
>(
  'relay_acquire_shards',
  `update outbox_shards set holder = $holder, epoch = epoch + 1,
     lease_until = statement_timestamp() + make_interval(secs => $lease_ms::float8 / 1000)
   where shard in (select shard from outbox_shards where lease_until <= statement_timestamp() for update skip locked)
   returning shard, epoch`,
)

export const renewShards = statement<
  { shard: number },
  { holder: string; shards: number[]; epochs: string[]; lease_ms: number }
>(
  'relay_renew_shards',
  `update outbox_shards s set lease_until = statement_timestamp() + make_interval(secs => $lease_ms::float8 / 1000)
   from unnest($shards::smallint[], $epochs::bigint[]) as h (shard, epoch)
   where s.shard = h.shard and s.epoch = h.epoch and s.holder = $holder
   returning s.shard`,
)

export const releaseShards = statement<never, { holder: string; shards: number[]; epochs: string[] }>(
  'relay_release_shards',
  `update outbox_shards s set lease_until = '-infinity', holder = null
   from unnest($shards::smallint[], $epochs::bigint[]) as h (shard, epoch)
   where s.shard = h.shard and s.epoch = h.epoch and s.holder = $holder`,
)

/**
 * Which of these shards have events to relay, or a follower whose backlog is due. The order is that of an index, so that one probe per
 * shard is enough, however much the others have.
 */
export const shardsWithWork = statement<
  { shard: number; is_pending: boolean; is_due: boolean },
  { shards: number[]; now: Date }
>(
  'outbox_shards_with_work',
  `/* tenantless: the relay serves every tenant of its shards */
   select s.shard, u.lane is not null as is_pending, coalesce(b.due_at <= $now, false) as is_due
   from unnest($shards::smallint[]) as s (shard)
   left join lateral (
     select p.lane from outbox p where p.shard = s.shard order by p.lane, p.account_id limit 1
   ) as u on true
   left join lateral (
     select f.due_at from follower_backlog f where f.shard = s.shard order by f.due_at limit 1
   ) as b on true
   where u.lane is not null or b.due_at <= $now`,
)

export const selectLag = statement<{ pending: bigint; oldest_seconds: number }, Record<never, never>>(
  'relay_select_lag',
  `/* tenantless: an operator's view */
   select coalesce(sum(last_sequence - first_sequence + 1), 0)::bigint as pending,
     coalesce(extract(epoch from prokura_now() - min(created_at)), 0)::float8 as oldest_seconds
   from outbox`,
)

export const selectShards = statement<
  { shard: number; epoch: bigint; holder: string | null; lease_seconds: number },
  Record<never, never>
>(
  'relay_select_shards',
  `select shard, epoch, holder,
     greatest(0, coalesce(extract(epoch from nullif(lease_until, '-infinity') - statement_timestamp()), 0))::float8 as lease_seconds
   from outbox_shards order by shard`,
)
