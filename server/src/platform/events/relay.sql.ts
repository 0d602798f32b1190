import type { Actor, Mode } from '../../contract/context.ts'
import { statement } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'
import type { RelayedEvent } from './follower.ts'

/** An event as it stands in its table. */
export type EventRow = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'evt'>
  type: string
  aggregate_id: string
  sequence: number
  cart_id: Id<'cart'> | null
  actor_type: string
  actor_id: string | null
  request_id: string
  object: string
  recipient_account_id: Id<'acct'> | null
  envelope: string | null
  created_at: Date
}

export function toEvent(row: EventRow & Partial<Pick<PendingRow, 'is_heard'>>): RelayedEvent {
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
  }
}

/** A pointer with its event, and what stands in its way. */
export type PendingRow = EventRow & {
  lane: number
  /** The event before it in its aggregate that is not relayed either, if there is one. */
  before_id: Id<'evt'> | null
  is_heard: boolean
}

export const eventColumns = `e.account_id, e.mode, e.id, e.type, e.aggregate_id, e.sequence, e.cart_id, e.actor_type, e.actor_id,
  e.request_id, e.object, e.recipient_account_id, e.envelope, e.created_at`

// All columns of both of the table's keys: without statistics, as in a new database, the planner would guess that the first two of
// either are enough, and read a tenant's every event for each pointer.
const sameEvent = `e.account_id = u.account_id and e.mode = u.mode and e.id = u.event_id
     and e.aggregate_id = u.aggregate_id and e.sequence = u.sequence`

const beforeThis = `left join lateral (
     select w.event_id as before_id
     from unrelayed w
     where w.shard = $shard and w.lane in (0, 1, 2) and w.account_id = u.account_id and w.mode = u.mode
       and w.aggregate_id = u.aggregate_id and w.sequence = u.sequence - 1
     limit 1
   ) as before on true`

/** Laterally, so that the planner never reads all of the table for a few events. */
export const hasSubscribers = `left join lateral (
     select true as is_heard from event_listeners l where l.account_id = e.account_id and l.mode = e.mode limit 1
   ) as listener on true`

/**
 * The next events of a shard: urgent lanes first, and within a lane every tenant's first `quota` before anybody's second, each
 * aggregate in sequence. Tenants are found by stepping over each one's backlog, so the cost follows the number of tenants and not
 * of events. A pointer that a relay of the version before has set aside is relayed like any other.
 */
export const selectPending = statement<PendingRow, { shard: number; quota: number; limit: number }>(
  'relay_select_pending',
  `/* tenantless: the relay serves every tenant of its shard */
   with recursive tenants as (
     (select lane, account_id, mode from unrelayed where shard = $shard order by lane, account_id, mode limit 1)
     union all
     select next.lane, next.account_id, next.mode from tenants t cross join lateral (
       select u.lane, u.account_id, u.mode from unrelayed u
       where u.shard = $shard and (u.lane, u.account_id, u.mode) > (t.lane, t.account_id, t.mode)
       order by u.lane, u.account_id, u.mode limit 1
     ) as next
   ), u as (
     select c.lane, c.account_id, c.mode, c.aggregate_id, c.sequence, c.event_id, (c.place - 1) / $quota::int as share
     from tenants t cross join lateral (
       select p.lane, p.account_id, p.mode, p.aggregate_id, p.sequence, p.event_id,
         row_number() over (order by p.aggregate_id, p.sequence) as place
       from unrelayed p
       where p.shard = $shard and p.lane = t.lane and p.account_id = t.account_id and p.mode = t.mode
       order by p.aggregate_id, p.sequence limit $limit
     ) as c
     order by c.lane, share, c.aggregate_id, c.sequence limit $limit
   )
   select u.lane, ${eventColumns}, before.before_id,
     listener.is_heard is not null as is_heard
   from u
   join events e on ${sameEvent}
   ${beforeThis}
   ${hasSubscribers}
   order by u.lane, u.share, u.aggregate_id, u.sequence`,
)

/** What is still pending of these aggregates before the given sequences: an earlier event in a slower lane. */
export const selectPredecessors = statement<
  PendingRow,
  { shard: number; account_ids: string[]; modes: string[]; aggregate_ids: string[]; sequences: number[] }
>(
  'relay_select_predecessors',
  `select u.lane, ${eventColumns}, before.before_id,
     listener.is_heard is not null as is_heard
   from unnest($account_ids::text[], $modes::mode[], $aggregate_ids::text[], $sequences::int[])
     as a (account_id, mode, aggregate_id, sequence)
   join unrelayed u on u.shard = $shard and u.lane in (0, 1, 2) and u.account_id = a.account_id and u.mode = a.mode
     and u.aggregate_id = a.aggregate_id and u.sequence < a.sequence
   join events e on ${sameEvent}
   ${beforeThis}
   ${hasSubscribers}`,
)

/** Pointers, by the columns of their key. */
export type PointerArrays = {
  lanes: number[]
  account_ids: string[]
  modes: string[]
  aggregate_ids: string[]
  sequences: number[]
}

const pointerList = `unnest($lanes::smallint[], $account_ids::text[], $modes::mode[], $aggregate_ids::text[], $sequences::int[])
     as p (lane, account_id, mode, aggregate_id, sequence)`

const samePointer = `u.shard = $shard and u.lane = p.lane and u.account_id = p.account_id and u.mode = p.mode
     and u.aggregate_id = p.aggregate_id and u.sequence = p.sequence`

/**
 * Takes pointers away, if this epoch still holds the shard: the share lock keeps a takeover from happening before the commit, and
 * a relay that was taken over finds no row and deletes nothing.
 */
export const takePointers = statement<{ taken: number }, PointerArrays & { shard: number; epoch: bigint }>(
  'relay_take_pointers',
  `with held as (
     select shard from relay_shards where shard = $shard and epoch = $epoch for share
   ), taken as (
     delete from unrelayed u using ${pointerList}, held
     where ${samePointer} and held.shard = u.shard
     returning 1
   )
   select count(*)::int as taken from taken`,
)

// Leases of processes go by real time, whatever a test clock says: advancing it must not look like the death of every relay.

/** Takes every shard whose lease has ended. Raising the epoch is what fences the one who held it. */
export const acquireShards = statement<
  { shard: number; epoch: bigint },
  { holder: string; lease_ms: number }
>(
  'relay_acquire_shards',
  `update relay_shards set holder = $holder, epoch = epoch + 1,
     lease_until = statement_timestamp() + make_interval(secs => $lease_ms::float8 / 1000)
   where shard in (select shard from relay_shards where lease_until <= statement_timestamp() for update skip locked)
   returning shard, epoch`,
)

export const renewShards = statement<
  { shard: number },
  { holder: string; shards: number[]; epochs: string[]; lease_ms: number }
>(
  'relay_renew_shards',
  `update relay_shards s set lease_until = statement_timestamp() + make_interval(secs => $lease_ms::float8 / 1000)
   from unnest($shards::smallint[], $epochs::bigint[]) as h (shard, epoch)
   where s.shard = h.shard and s.epoch = h.epoch and s.holder = $holder
   returning s.shard`,
)

export const releaseShards = statement<never, { holder: string; shards: number[]; epochs: string[] }>(
  'relay_release_shards',
  `update relay_shards s set lease_until = '-infinity', holder = null
   from unnest($shards::smallint[], $epochs::bigint[]) as h (shard, epoch)
   where s.shard = h.shard and s.epoch = h.epoch and s.holder = $holder`,
)

/**
 * Which of these shards have something to relay, and where a follower is behind and something of it is due. Ordered as an index is, so
 * that one probe answers for a shard however much there is in others.
 */
export const shardsWithWork = statement<
  { shard: number; is_pending: boolean; is_due: boolean },
  { shards: number[]; now: Date }
>(
  'relay_shards_with_work',
  `/* tenantless: the relay serves every tenant of its shards */
   select s.shard, u.lane is not null as is_pending, coalesce(b.due_at <= $now, false) as is_due
   from unnest($shards::smallint[]) as s (shard)
   left join lateral (
     select p.lane from unrelayed p where p.shard = s.shard order by p.lane, p.account_id limit 1
   ) as u on true
   left join lateral (
     select f.due_at from follower_backlog f where f.shard = s.shard order by f.due_at limit 1
   ) as b on true
   where u.lane is not null or b.due_at <= $now`,
)

export const selectLag = statement<{ pending: bigint; oldest_seconds: number }, Record<never, never>>(
  'relay_select_lag',
  `/* tenantless: an operator's view */
   select count(*) as pending,
     coalesce(extract(epoch from prokura_now() - min(e.created_at)), 0)::float8 as oldest_seconds
   from unrelayed u
   join events e on e.account_id = u.account_id and e.mode = u.mode and e.id = u.event_id`,
)

export const selectShards = statement<
  { shard: number; epoch: bigint; holder: string | null; lease_seconds: number },
  Record<never, never>
>(
  'relay_select_shards',
  `select shard, epoch, holder,
     greatest(0, coalesce(extract(epoch from nullif(lease_until, '-infinity') - statement_timestamp()), 0))::float8 as lease_seconds
   from relay_shards order by shard`,
)
