import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { InvariantRow } from '../../../platform/audit/invariants.ts'

type Nothing = Record<never, never>

/** M1, and what ensures it: the caps of carts that can be charged sum to at most their intent's cap. */
export const checkCaps = statement<InvariantRow, Nothing>(
  'invariant_intent_caps',
  `/* tenantless: checks every tenant's rows, for the operator */
   with broken as (
     select id from purchase_intents where actual_amount > max_allowed_amount
     union all select id from carts where actual_amount > max_allowed_amount
     union all
     select i.id from purchase_intents i
     join carts c on c.account_id = i.account_id and c.mode = i.mode and c.intent_id = i.id and c.status <> 'cancelled'
     group by i.id, i.max_allowed_amount having sum(c.max_allowed_amount) > i.max_allowed_amount)
   select (select count(*) from purchase_intents) + (select count(*) from carts) as checked,
     (select array_agg(id) from (select id from broken limit 100) as first_ones) as violations`,
)

/** M2, the half that the database can show. */
export const checkCharged = statement<InvariantRow, Nothing>(
  'invariant_intent_charged',
  `/* tenantless: checks every tenant's rows, for the operator */
   with sums as (
     select i.id, i.actual_amount,
       coalesce(sum(c.actual_amount) filter (where c.status = 'succeeded'), 0) as succeeded,
       coalesce(sum(c.actual_amount), 0) as charged
     from purchase_intents i
     left join carts c on c.account_id = i.account_id and c.mode = i.mode and c.intent_id = i.id
     group by i.account_id, i.mode, i.id)
   select count(*) as checked,
     (select array_agg(id) from (
       select id from sums where actual_amount <> succeeded or charged <> succeeded limit 100) as first_ones) as violations
   from sums`,
)

/** M5, from the events: captures after their cart or purchase had ended without success. */
export const checkCaptures = statement<InvariantRow, Nothing>(
  'invariant_intent_captures',
  `/* tenantless: checks every tenant's rows, for the operator */
   with captures as (
     select account_id, mode, aggregate_id, cart_id, sequence from events
     where type in ('cart.payment_captured', 'cart.succeeded')),
   broken as (
     select c.cart_id as id from captures c
     where exists (
       select 1 from events e
       where e.account_id = c.account_id and e.mode = c.mode and e.aggregate_id = c.aggregate_id and e.sequence < c.sequence
         and (e.type in ('purchase_intent.cancelled', 'purchase_intent.declined')
           or (e.type = 'cart.cancelled' and e.cart_id = c.cart_id))))
   select (select count(*) from captures) as checked,
     (select array_agg(id) from (select id from broken limit 100) as first_ones) as violations`,
)

type OfAll = { account_id: string; mode: Mode; limit: number }

export type PurchaseEvent = {
  account_id: string
  mode: Mode
  aggregate_id: string
  sequence: number
  object_bytes: Buffer
}

/** The events of all purchases, those of one after those of the other. */
export const selectPurchaseEvents = statement<
  PurchaseEvent,
  OfAll & { aggregate_id: string; sequence: number }
>(
  'invariant_purchase_events',
  `/* tenantless: checks every tenant's rows, for the operator */
   select account_id, mode, aggregate_id, sequence, object_bytes from events
   where aggregate_id like 'pi\\_%'
     and (account_id, mode, aggregate_id, sequence) > ($account_id, $mode::mode, $aggregate_id, $sequence::int)
   order by account_id, mode, aggregate_id, sequence limit $limit`,
)

export type PurchaseEnd = {
  account_id: string
  mode: Mode
  id: string
  seq: number
  status: string
  events: number
  last: number | null
  last_bytes: Buffer | null
  /** Of the last event of the purchase itself. */
  heard_bytes: Buffer | null
}

/** Each purchase with how many events it has, and the last ones. */
export const selectPurchaseEnds = statement<PurchaseEnd, OfAll & { id: string }>(
  'invariant_purchase_ends',
  `/* tenantless: checks every tenant's rows, for the operator */
   select i.account_id, i.mode, i.id, i.seq, i.status, counted.events, counted.last,
     (select e.object_bytes from events e where e.account_id = i.account_id and e.mode = i.mode and e.aggregate_id = i.id
        and e.sequence = counted.last) as last_bytes,
     (select e.object_bytes from events e where e.account_id = i.account_id and e.mode = i.mode and e.aggregate_id = i.id
        and e.sequence = counted.heard) as heard_bytes
   from (
     select account_id, mode, id, seq, status from purchase_intents
     where (account_id, mode, id) > ($account_id, $mode::mode, $id) order by account_id, mode, id limit $limit
   ) as i
   cross join lateral (
     select count(*)::int as events, max(e.sequence) as last,
       max(e.sequence) filter (where e.type like 'purchase\\_intent.%') as heard
     from events e where e.account_id = i.account_id and e.mode = i.mode and e.aggregate_id = i.id
   ) as counted
   order by i.account_id, i.mode, i.id`,
)

/** S3. */
export const checkCarts = statement<InvariantRow, Nothing>(
  'invariant_intent_carts',
  `/* tenantless: checks every tenant's rows, for the operator */
   with broken as (
     select c.id from carts c
     join purchase_intents i on i.account_id = c.account_id and i.mode = c.mode and i.id = c.intent_id
     where i.started_at is null)
   select (select count(*) from carts) as checked,
     (select array_agg(id) from (select id from broken limit 100) as first_ones) as violations`,
)

/** S5. What was once to be bought over MPP elsewhere is a request, also where that way was given up. */
export const checkMerchants = statement<InvariantRow, Nothing>(
  'invariant_intent_merchants',
  `/* tenantless: checks every tenant's rows, for the operator */
   with parts as (
     select account_id, mode, id, intent_id, coalesce(merchant_account_id, merchant_domain) as merchant, items,
       merchant_account_id is null
         and (channel = 'mpp' or coalesce(route -> 'excluded' @> '[{"channel": "mpp"}]', false)) as is_request
     from carts
   ), broken as (
     select min(id) as id from parts where not is_request
     group by account_id, mode, intent_id, merchant having count(*) > 1
     union all select id from parts where is_request and jsonb_array_length(items) > 1)
   select (select count(*) from carts) as checked,
     (select array_agg(id) from (select id from broken limit 100) as first_ones) as violations`,
)

export type AnnouncedCart = {
  account_id: string
  mode: Mode
  id: string
  status: string
  attempt_number: number
  max_attempts: number
  outcome_known: boolean
  object_bytes: Buffer | null
}

/** Each cart with the last event of its purchase. */
export const selectAnnouncedCarts = statement<AnnouncedCart, OfAll & { id: string }>(
  'invariant_announced_carts',
  `/* tenantless: checks every tenant's rows, for the operator */
   select c.account_id, c.mode, c.id, c.status, c.attempt_number, c.max_attempts, c.outcome_known, (
       select e.object_bytes from purchase_intents i
       join events e on e.account_id = i.account_id and e.mode = i.mode and e.aggregate_id = i.id and e.sequence = i.seq
       where i.account_id = c.account_id and i.mode = c.mode and i.id = c.intent_id
     ) as object_bytes
   from (
     select account_id, mode, id, intent_id, status, attempt_number, max_attempts, outcome_known from carts
     where (account_id, mode, id) > ($account_id, $mode::mode, $id) order by account_id, mode, id limit $limit
   ) as c
   order by c.account_id, c.mode, c.id`,
)

/** W2, for purchases: a purchase that has not ended is due at some time, or waits for a person until some time. */
export const checkResponsibility = statement<InvariantRow, Nothing>(
  'invariant_intent_responsibility',
  `/* tenantless: checks every tenant's rows, for the operator */
   with open_intents as (
     select i.id, i.due_at, i.status,
       coalesce(i.next_action ->> 'type' = 'verify_payment' and i.next_action ? 'cart_id', false) as is_confirming,
       exists (
         select 1 from carts c
         where c.account_id = i.account_id and c.mode = i.mode and c.intent_id = i.id
           and c.status in ('created', 'in_progress', 'awaiting_merchant_auth')) as has_open_cart
     from purchase_intents i
     where i.status in ('awaiting_approval', 'queued', 'approved', 'awaiting_merchant_auth', 'merchant_auth_failed')),
   open_carts as (
     select c.id, c.due_at, coalesce(i.reapproval->>'cart_id' = c.id, false) as is_in_question
     from carts c
     join purchase_intents i on i.account_id = c.account_id and i.mode = c.mode and i.id = c.intent_id
     where c.status in ('created', 'in_progress', 'awaiting_merchant_auth')),
   broken as (
     select id from open_intents where due_at is null 
       and ((status = 'awaiting_approval' and not is_confirming) or not has_open_cart)
     union all select id from open_carts where due_at is null and not is_in_question)
   select (select count(*) from open_intents) + (select count(*) from open_carts) as checked,
     (select array_agg(id) from (select id from broken limit 100) as first_ones) as violations`,
)

/** W2, while workers run: every row that became due was claimed, and its worker ended or released the lease. */
export const checkOverdue = statement<InvariantRow, Nothing>(
  'invariant_intent_overdue',
  `/* tenantless: checks every tenant's rows, for the operator */
   with due as (
     select id, due_at, lease_until from purchase_intents where due_at is not null
     union all select id, due_at, lease_until from carts where due_at is not null),
   broken as (
     select id from due
     where greatest(due_at, lease_until) < prokura_now() - interval '60 seconds' order by id limit 100)
   select (select count(*) from due) as checked, (select array_agg(id) from broken) as violations`,
)
