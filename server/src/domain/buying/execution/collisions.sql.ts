import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import type { HoldStatus } from './cart-facts.ts'
import type { ClaimedCart } from './execution.sql.ts'
import type { EffectRow } from './journal.ts'

/** An attempt under the first scheme that has asked for money and has no order: it may have met the id of another cart's. */
export type OrderlessAttempt = {
  account_id: Id<'acct'>
  mode: Mode
  cart_id: Id<'cart'>
  intent_id: Id<'pi'>
  attempt: number
  /** What the rail knows the hold by, and what was asked for. */
  key: string
  state: EffectRow['state']
  request: EffectRow['request']
  /** Null: no row knows of a hold. */
  hold_status: HoldStatus | null
}

export const selectOrderlessAttempts = statement<OrderlessAttempt, Record<never, never>>(
  'select_orderless_attempts',
  `/* tenantless: an operator's repair looks through every tenant; each row names its own */
   select c.account_id, c.mode, c.id as cart_id, c.intent_id, c.attempt_number as attempt, e.key, e.state, e.request,
     a.status as hold_status
   from carts c
   join effects e on e.account_id = c.account_id and e.mode = c.mode and e.cart_id = c.id and e.attempt = c.attempt_number
     and e.step = 'authorize'
   left join authorizations a on a.account_id = c.account_id and a.mode = c.mode and a.cart_id = c.id
     and a.attempt = c.attempt_number
   where c.due_at is not null and c.id_scheme = 1 and c.channel = 'native' and c.attempt_number > 1
     and c.status in ('created', 'in_progress') and e.state not in ('refused', 'closed')
     and not exists (select 1 from effects p where p.account_id = c.account_id and p.mode = c.mode and p.cart_id = c.id
       and p.attempt = c.attempt_number and p.step = 'place')
   order by c.account_id, c.mode, c.id`,
)

/** The carts whose orders have these ids. */
export const selectOrdersNamed = statement<
  { account_id: Id<'acct'>; mode: Mode; id: Id<'ord'>; cart_id: Id<'cart'> | null },
  { account_ids: readonly string[]; modes: readonly string[]; ids: readonly string[] }
>(
  'select_orders_named',
  `/* tenantless: each order is named with its own account_id and mode */
   select o.account_id, o.mode, o.id, o.cart_id from orders o
   join unnest($account_ids::text[], $modes::mode[], $ids::text[]) as named (account_id, mode, id)
     on o.account_id = named.account_id and o.mode = named.mode and o.id = named.id`,
)

type NamedCarts = { account_ids: readonly string[]; modes: readonly string[]; ids: readonly string[] }

/** As `claimCarts` does, of these carts alone. */
export const claimNamedCarts = statement<ClaimedCart, NamedCarts & { limit: number; lease_seconds: number }>(
  'claim_named_carts',
  `/* tenantless: each cart is named with its own account_id and mode */
   update carts c set lease_token = c.lease_token + 1, lease_until = prokura_now() + make_interval(secs => $lease_seconds)
   from (
     select c.account_id, c.mode, c.id from carts c
     join unnest($account_ids::text[], $modes::mode[], $ids::text[]) as named (account_id, mode, id)
       on c.account_id = named.account_id and c.mode = named.mode and c.id = named.id
     where c.due_at <= prokura_now() and (c.lease_until is null or c.lease_until <= prokura_now())
     order by c.due_at limit $limit for no key update of c skip locked
   ) as due
   where c.account_id = due.account_id and c.mode = due.mode and c.id = due.id
   returning c.account_id, c.mode, c.id, c.lease_token, c.intent_id`,
)

export type RepairedCart = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'cart'>
  status: string
  attempt_number: number
  max_attempts: number
  hold_reference: string | null
  hold_status: HoldStatus | null
}

/** What has become of these carts. */
export const selectRepairedCarts = statement<RepairedCart, NamedCarts>(
  'select_repaired_carts',
  `/* tenantless: each cart is named with its own account_id and mode */
   select c.account_id, c.mode, c.id, c.status, c.attempt_number, c.max_attempts, a.reference as hold_reference,
     a.status as hold_status
   from carts c
   join unnest($account_ids::text[], $modes::mode[], $ids::text[]) as named (account_id, mode, id)
     on c.account_id = named.account_id and c.mode = named.mode and c.id = named.id
   left join authorizations a on a.account_id = c.account_id and a.mode = c.mode and a.cart_id = c.id
     and a.attempt = c.attempt_number`,
)

/** Orders under the first scheme whose sibling in the same purchase was refunded: their next refund may have the id of one of those. */
export const selectSiblingsOfRefunded = statement<
  { account_id: Id<'acct'>; mode: Mode; id: Id<'ord'>; refunds: number },
  Record<never, never>
>(
  'select_siblings_of_refunded',
  `/* tenantless: an operator's repair looks through every tenant; each row names its own */
   select o.account_id, o.mode, o.id, jsonb_array_length(o.refunds) as refunds
   from orders o
   where o.id_scheme = 1 and o.payment_status in ('captured', 'partially_refunded')
     and exists (
       select 1 from orders s join order_refunds r on r.account_id = s.account_id and r.mode = s.mode and r.order_id = s.id
       where s.account_id = o.account_id and s.mode = o.mode and s.purchase_intent_id = o.purchase_intent_id and s.id <> o.id)
   order by o.account_id, o.mode, o.id`,
)

/** Which of these ids are those of refunds. */
export const selectRefundsNamed = statement<
  { account_id: Id<'acct'>; mode: Mode; id: Id<'rfd'>; order_id: Id<'ord'> },
  { account_ids: readonly string[]; modes: readonly string[]; ids: readonly string[] }
>(
  'select_refunds_named',
  `/* tenantless: each refund is named with its own account_id and mode */
   select r.account_id, r.mode, r.id, r.order_id from order_refunds r
   join unnest($account_ids::text[], $modes::mode[], $ids::text[]) as named (account_id, mode, id)
     on r.account_id = named.account_id and r.mode = named.mode and r.id = named.id`,
)
