import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { claimStatement } from '../../../platform/work/lease.sql.ts'
import type { Claimed } from '../../../platform/work/lease.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }

/** Uses of promotions are counted under these locks, in the order of ids, which is everybody's order. */
export const lockCounters = statement<never, Tenanted & { ids: readonly string[] }>(
  'lock_promotion_counters',
  `select promotion_id from promotion_counters
   where account_id = $account_id and mode = $mode and promotion_id = any ($ids::text[])
   order by promotion_id for no key update`,
)

/** The use that this cart holds already, from an offer without an order. */
export type HeldUse = { id: string; promotion_id: Id<'promo'>; discount_amount: bigint }

export const selectHeldUses = statement<HeldUse, Tenanted & { cart_id: string }>(
  'select_held_promotion_uses',
  `select id, promotion_id, discount_amount from promotion_redemptions
   where account_id = $account_id and mode = $mode and cart_id = $cart_id and state = 'reserved' and order_id is null`,
)

/** What is used of one promotion's caps, without the uses that this cart releases. */
export type TakenUses = {
  promotion_id: Id<'promo'>
  uses: number
  discount_amount: bigint
  identity_uses: number
}

/**
 * Run it after `lockCounters`, in a statement of its own: a statement that had waited for the lock would count the uses from before its
 * wait.
 */
export const selectTakenUses = statement<
  TakenUses,
  Tenanted & { ids: readonly string[]; identity_hashes: readonly Buffer[]; held_ids: readonly string[] }
>(
  'select_taken_promotion_uses',
  `select c.promotion_id, (c.uses - own.uses)::int as uses, (c.discount_amount - own.amount)::bigint as discount_amount,
     (select count(*)::int from promotion_redemptions r
      where r.account_id = $account_id and r.mode = $mode and r.promotion_id = c.promotion_id
        and r.identity_hash = asked.identity_hash and r.state <> 'released'
        and not (r.id = any ($held_ids::text[]) and r.state = 'reserved' and r.order_id is null)) as identity_uses
   from unnest($ids::text[], $identity_hashes::bytea[]) as asked (promotion_id, identity_hash)
   join promotion_counters c on c.account_id = $account_id and c.mode = $mode and c.promotion_id = asked.promotion_id
   cross join lateral (
     select count(*) as uses, coalesce(sum(r.discount_amount), 0) as amount from promotion_redemptions r
     where r.account_id = $account_id and r.mode = $mode and r.id = any ($held_ids::text[]) and r.promotion_id = c.promotion_id
       and r.state = 'reserved' and r.order_id is null) own`,
)

/** Run it under the locks of their counters. */
export const releaseHeldUses = statement<never, Tenanted & { held_ids: readonly string[]; now: Date }>(
  'release_held_promotion_uses',
  `with ended as (
     update promotion_redemptions set state = 'released', due_at = null, lease_until = null, updated_at = $now
     where account_id = $account_id and mode = $mode and id = any ($held_ids::text[]) and state = 'reserved' and order_id is null
     returning promotion_id, discount_amount),
   freed as (
     select promotion_id, count(*) as uses, sum(discount_amount) as amount from ended group by promotion_id)
   update promotion_counters c set uses = c.uses - f.uses, discount_amount = c.discount_amount - f.amount
   from freed f where c.account_id = $account_id and c.mode = $mode and c.promotion_id = f.promotion_id`,
)

/** Run it under the lock of its counter. When a cart's attempt gets a new offer, it holds the use of that offer. */
export const reserveUse = statement<
  never,
  Tenanted & {
    id: string
    promotion_id: string
    cart_id: string
    arm_id: string
    identity_hash: Buffer
    currency: string
    discount_amount: bigint
    due_at: Date
    now: Date
  }
>(
  'hold_promotion_use',
  `with held as (
     insert into promotion_redemptions (account_id, mode, id, promotion_id, cart_id, order_id, arm_id, identity_hash, currency,
       discount_amount, state, due_at, created_at, updated_at)
     values ($account_id, $mode, $id, $promotion_id, $cart_id, null, $arm_id, $identity_hash, $currency, $discount_amount,
       'reserved', $due_at, $now, $now)
     on conflict (account_id, mode, id) do update set promotion_id = excluded.promotion_id, arm_id = excluded.arm_id,
       identity_hash = excluded.identity_hash, currency = excluded.currency, discount_amount = excluded.discount_amount,
       state = 'reserved', due_at = excluded.due_at, lease_until = null, updated_at = excluded.updated_at
     where promotion_redemptions.state = 'released' and promotion_redemptions.order_id is null
     returning promotion_id, discount_amount)
   update promotion_counters c set uses = c.uses + 1, discount_amount = c.discount_amount + h.discount_amount
   from held h where c.account_id = $account_id and c.mode = $mode and c.promotion_id = h.promotion_id`,
)

/** Ties held uses to the order that is placed with them; no row when one of them is no longer held. */
export const orderByUses = statement<
  { discount_amount: bigint },
  Tenanted & { ids: readonly string[]; order_id: string; now: Date }
>(
  'order_by_promotion_use',
  `with held as (
     select id from promotion_redemptions
     where account_id = $account_id and mode = $mode and id = any ($ids::text[]) and state = 'reserved' and order_id is null
     order by id for update)
   update promotion_redemptions set order_id = $order_id, due_at = null, lease_until = null, updated_at = $now
   where account_id = $account_id and mode = $mode and id in (select id from held)
     and (select count(*) from held) = cardinality($ids::text[])
   returning discount_amount`,
)

type Decided = {
  account_ids: readonly string[]
  modes: readonly string[]
  order_ids: readonly string[]
}

const decided = `promotion_redemptions r
  join unnest($account_ids::text[], $modes::mode[], $order_ids::text[]) as d (account_id, mode, order_id)
    on r.account_id = d.account_id and r.mode = d.mode and r.order_id = d.order_id`

export const lockDecidedCounters = statement<never, Decided>(
  'lock_decided_promotion_counters',
  `/* tenantless: the relay's batch holds events of several tenants; each order is named with its merchant's account_id and mode */
   select c.promotion_id from promotion_counters c
   where (c.account_id, c.mode, c.promotion_id) in (select r.account_id, r.mode, r.promotion_id from ${decided})
   order by c.account_id, c.mode, c.promotion_id for no key update`,
)

/** Run it under `lockDecidedCounters`. A use that was released stays released. */
export const endDecidedUses = statement<never, Decided & { states: readonly string[]; now: Date }>(
  'end_decided_promotion_uses',
  `/* tenantless: the relay's batch holds events of several tenants; each order is named with its merchant's account_id and mode */
   with ended as (
     update promotion_redemptions r set state = d.state, updated_at = $now
     from unnest($account_ids::text[], $modes::mode[], $order_ids::text[], $states::text[]) as d (account_id, mode, order_id, state)
     where r.account_id = d.account_id and r.mode = d.mode and r.order_id = d.order_id
       and r.state <> 'released' and r.state <> d.state
     returning r.account_id, r.mode, r.promotion_id, r.state, r.discount_amount),
   freed as (
     select account_id, mode, promotion_id, count(*) as uses, sum(discount_amount) as amount from ended
     where state = 'released' group by account_id, mode, promotion_id)
   update promotion_counters c set uses = c.uses - f.uses, discount_amount = c.discount_amount - f.amount
   from freed f where c.account_id = f.account_id and c.mode = f.mode and c.promotion_id = f.promotion_id`,
)

export type ClaimedRedemption = Claimed & { promotion_id: Id<'promo'> }

/** Only uses without an order are ever due. */
export const claimDueRedemptions = claimStatement<ClaimedRedemption>('promotion_redemptions', [
  'promotion_id',
])

/** Run it under the lock of its counter, by the worker whose lease is the last one. */
export const releaseUnordered = statement<never, Tenanted & { id: string; lease_token: bigint; now: Date }>(
  'release_unordered_promotion_use',
  `with ended as (
     update promotion_redemptions set state = 'released', due_at = null, lease_until = null, updated_at = $now
     where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token and due_at <= $now
     returning promotion_id, discount_amount)
   update promotion_counters c set uses = c.uses - 1, discount_amount = c.discount_amount - e.discount_amount
   from ended e where c.account_id = $account_id and c.mode = $mode and c.promotion_id = e.promotion_id`,
)
