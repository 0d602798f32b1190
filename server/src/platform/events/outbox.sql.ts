import { type DeclaredStatement, type Fragment, type Statement, statement } from '../../contract/statement.ts'
import { concatenating } from '../database/for-many.ts'
import { sql } from '../database/fragment.ts'

/** One array per column, one element per aggregate of the transaction; and the versions of subscriptions that its deliveries are from. */
export type OutboxArrays = {
  shards: readonly number[]
  lanes: readonly number[]
  account_ids: readonly string[]
  modes: readonly string[]
  aggregate_ids: readonly string[]
  firsts: readonly number[]
  lasts: readonly number[]
  followed: readonly boolean[]
  digests: readonly Buffer[]
  now: Date
  /** The follower that has acted in this transaction; null: none has, and all is left to the relay. */
  acted: string | null
  known_account_ids: readonly string[]
  known_modes: readonly string[]
  versions: readonly string[]
}

/** What the relay is left with. */
type Kept = { account_id: string; mode: string; aggregate_id: string; is_delivered: boolean }

/**
 * Inserts what the relay has to do. Deliveries may be made at once while the subscriptions are those that are known, and while no earlier
 * event of the aggregate still waits for its own: else this event would arrive before that one. That one is looked for by a scalar
 * subquery: an `exists` may be answered by a hash of the whole outbox. `offset 0`: it is decided once, and not for each column that asks.
 */
// guard known-version: deliveries are made at once only by subscriptions that still hold
// guard behind-the-outbox: a delivery is not made before that of an earlier event of the same object
// guard behind-the-backlog: a delivery is not made before that of an earlier event that the follower failed at
const keepInOutbox: Fragment<Kept, OutboxArrays> = sql`
   insert into outbox (shard, lane, account_id, mode, aggregate_id, first_sequence, last_sequence, is_delivered, is_followed, digests,
     created_at)
   select /* tenantless: each row names its own */ p.shard, p.lane, p.account_id, p.mode, p.aggregate_id, p.first, p.last,
     at_once.may, at_once.may and p.is_followed, p.digests, $now
   from unnest($shards::smallint[], $lanes::smallint[], $account_ids::text[], $modes::mode[], $aggregate_ids::text[], $firsts::int[],
     $lasts::int[], $followed::boolean[], $digests::bytea[])
     as p (shard, lane, account_id, mode, aggregate_id, first, last, is_followed, digests)
   cross join lateral (select $acted::text is not null and not exists (
     select from unnest($known_account_ids::text[], $known_modes::mode[], $versions::bigint[]) as k (account_id, mode, version)
     left join subscription_versions v on v.account_id = k.account_id and v.mode = k.mode
     where coalesce(v.version, 0) <> k.version
   ) and (p.first = 1 or (
     select true from outbox o where o.shard = p.shard and o.lane in (0, 1, 2) and o.account_id = p.account_id and o.mode = p.mode
       and o.aggregate_id = p.aggregate_id and not o.is_delivered
     limit 1
   ) is null and (
     select true from follower_backlog b where b.shard = p.shard and b.follower = $acted and b.account_id = p.account_id
       and b.mode = p.mode and b.aggregate_id = p.aggregate_id
     limit 1
   ) is null) as may offset 0) as at_once`

/** How often the subscriptions of a tenant have changed; null where they never have. */
export const subscriptionVersion: Fragment<{ version: bigint }, { account_id: string; mode: string }> =
  sql`select version from subscription_versions where account_id = $account_id and mode = $mode`

/** For a transaction that makes no delivery of its own. */
export const insertOutbox: DeclaredStatement<never, OutboxArrays> = concatenating(
  'insert_outbox',
  statement('insert_outbox', keepInOutbox),
)

/**
 * The same, with the deliveries that are made at once: one statement, so that it is decided once whether they may be. `insert` selects
 * from `kept`.
 */
export function withOutbox<Params extends Record<string, unknown>>(
  name: string,
  insert: string,
): (params: OutboxArrays & Params) => Statement<never> {
  return concatenating(
    name,
    statement<never, OutboxArrays & Params>(
      name,
      `with kept as (${keepInOutbox.text} returning account_id, mode, aggregate_id, is_delivered) ${insert}`,
    ),
  )
}
