import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { byAge, type Sweep, type Swept } from '../../../platform/retention/sweep.ts'
import { claimByMeansStatement, leaseStatements } from '../../../platform/work/lease.sql.ts'
import type { Claimed } from '../../../platform/work/lease.ts'

import type { RailNews } from './decide-refunds.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }

export type ClaimedFeed = Claimed & { position: string | null; empty_pages: number }

export const feedLeases = leaseStatements('rail_feeds')

export const claimFeeds = claimByMeansStatement<ClaimedFeed, { modes: readonly Mode[] }>(
  'rail_feeds',
  { modes: ['mode', 'mode'] },
  ['position', 'empty_pages'],
)

/** Begins to read the movements of the mode, or reads them soon: more is going to happen. */
export const beginFeed = statement<never, Tenanted & { id: string; seconds: number }>(
  'begin_rail_feed',
  `insert into rail_feeds (account_id, mode, id, due_at)
   values ($account_id, $mode, $id, prokura_now() + make_interval(secs => $seconds))
   on conflict (account_id, mode, id) do update
   set empty_pages = 0, due_at = excluded.due_at
   where rail_feeds.due_at is null or rail_feeds.due_at > excluded.due_at`,
)

/** By the worker that holds it: what was read is stored in the same transaction. */
export const lockHeldFeed = statement<{ id: string }, Tenanted & { id: string; lease_token: bigint }>(
  'lock_held_rail_feed',
  `select id from rail_feeds
   where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token for update`,
)

export const restFeed = statement<
  never,
  Tenanted & { id: string; position: string | null; empty_pages: number; seconds: number }
>(
  'rest_rail_feed',
  `update rail_feeds set position = $position, empty_pages = $empty_pages, lease_until = null,
     due_at = prokura_now() + make_interval(secs => $seconds)
   where account_id = $account_id and mode = $mode and id = $id`,
)

type Movements = {
  mode: Mode
  now: Date
  ids: readonly string[]
  references: readonly string[]
  are_refunds: readonly boolean[]
  refunded: readonly bigint[]
}

export type Stored = Tenanted & { cart_id: string | null }

/**
 * Stores those that were not read before, each with the cart that its credential pays for. Of a credential that nobody knows, only refunds
 * are kept: all else is read from the rail when its cart goes on.
 */
export const storeMovements = statement<Stored, Movements>(
  'store_rail_movements',
  `/* tenantless: a rail reports for every account_id; a credential says whose it is */
   insert into rail_movements (mode, id, reference, is_refund, refunded_amount, state, account_id, cart_id, attempt, received_at)
   select $mode, told.id, told.reference, told.is_refund, told.refunded, case when f.cart_id is null then 'kept' else 'due' end,
     f.account_id, f.cart_id, f.attempt, $now
   from unnest($ids::text[], $references::text[], $are_refunds::boolean[], $refunded::bigint[]) as told (id, reference, is_refund, refunded)
   left join followed_credentials f on f.mode = $mode and f.reference = told.reference
   where f.cart_id is not null or told.is_refund
   on conflict (mode, id) do nothing
   returning account_id, mode, cart_id`,
)

/** A credential may have become known while its movement was stored: each of both looks for the other. */
export const matchKept = statement<Stored, { mode: Mode; limit: number; seconds: number }>(
  'match_kept_rail_movements',
  `/* tenantless: whose they are is found out here */
   update rail_movements m set state = 'due', account_id = f.account_id, cart_id = f.cart_id, attempt = f.attempt
   from (
     select mode, id, reference from rail_movements where mode = $mode and state = 'kept'
       and received_at > prokura_now() - make_interval(secs => $seconds)
     order by received_at desc limit $limit for update skip locked
   ) as kept
   join followed_credentials f on f.mode = kept.mode and f.reference = kept.reference
   where m.mode = kept.mode and m.id = kept.id
   returning m.account_id, m.mode, m.cart_id`,
)

type Followed = Tenanted & { reference: string; cart_id: string; attempt: number }

/** A credential that a stranger may charge; what was kept about it is due. */
export const writeFollowed = statement<never, Followed>(
  'follow_credential',
  `with known as (
     insert into followed_credentials (account_id, mode, reference, cart_id, attempt)
     values ($account_id, $mode, $reference, $cart_id, $attempt)
     on conflict do nothing returning reference
   )
   update rail_movements m set state = 'due', account_id = $account_id, cart_id = $cart_id, attempt = $attempt
   from known where m.mode = $mode and m.reference = known.reference and m.state = 'kept'`,
)

/** What a cart has not looked at yet. Run it under the cart's lock. */
export const selectNews = statement<RailNews, Tenanted & { cart_id: string }>(
  'select_due_rail_movements',
  `select id, attempt, is_refund, refunded_amount from rail_movements
   where account_id = $account_id and mode = $mode and cart_id = $cart_id and state = 'due' order by received_at, id`,
)

export const updateNews = statement<
  never,
  Tenanted & { cart_id: string; ids: readonly string[]; refused: readonly string[] }
>(
  'settle_rail_movements',
  `update rail_movements set state = case when id = any($refused::text[]) then 'refused' else 'applied' end
   where account_id = $account_id and mode = $mode and cart_id = $cart_id and state = 'due' and id = any($ids::text[])`,
)

/** Those of nobody here after a day, and the ids of the others once no rail repeats them. */
export const deleteOldMovements = statement<Swept, { before: Date; limit: number }>(
  'sweep_rail_movements',
  `/* tenantless: a sweep is of every account */
   with old as (
     select mode, id from rail_movements
     where received_at < $before and state <> 'due' or state = 'kept' and received_at < prokura_now() - interval '24 hours'
     order by received_at limit $limit for update skip locked
   ), gone as (
     delete from rail_movements m using old o where m.mode = o.mode and m.id = o.id returning m.received_at
   )
   select count(*)::int as rows, min(received_at) as oldest from gone`,
)

/** What the rail has reported: of nobody here after a day, and the rest once it is not repeated any more. */
export const sweepMovements: Sweep = {
  name: 'rail_movements',
  removes: 'movements that payment rails have reported',
  keeps: 'messageDays',
  batches: (pools, before) => byAge(pools, (limit) => deleteOldMovements({ before, limit })),
}
