import { statement } from '../../../contract/statement.ts'
import type { Invariant, InvariantRow } from '../../../platform/audit/invariants.ts'

type Nothing = Record<never, never>

// The confirmation decided an order whose capture failed; its cancellation only follows from the failure.
const checkDecisions = statement<InvariantRow, Nothing>(
  'invariant_one_decision',
  `/* tenantless: invariants hold for everybody */
   with decisions as (
     select o.id, o.status,
       count(*) filter (where e.type in ('order.confirmed', 'order.rejected', 'order.expired', 'order.cancelled'))
         - count(*) filter (where e.type = 'payment.failed') as decisions
     from orders o
     left join events e on e.account_id = o.account_id and e.mode = o.mode and e.aggregate_id = o.id
     where o.channel = 'native'
     group by o.account_id, o.mode, o.id
   )
   select count(*) as checked,
     (array_agg(id) filter (
       where decisions <> case when status = 'awaiting_confirmation' then 0 else 1 end))[1:100] as violations
   from decisions`,
)

const checkAnswers = statement<InvariantRow, Nothing>(
  'invariant_one_answer',
  `/* tenantless: invariants hold for everybody */
   with answers as (
     select o.id, o.response_digest is not null as is_answered, count(e.id) as answers,
       bool_and(e.actor_type = o.responded_by_type and e.actor_id is not distinct from o.responded_by_id) as is_theirs
     from orders o
     left join events e on e.account_id = o.account_id and e.mode = o.mode and e.aggregate_id = o.id
       and e.type in ('order.confirmed', 'order.rejected')
     group by o.account_id, o.mode, o.id
   )
   select count(*) as checked,
     (array_agg(id) filter (
       where answers <> is_answered::int or (is_answered and is_theirs is not true)))[1:100] as violations
   from answers`,
)

const checkLateAnswers = statement<InvariantRow, Nothing>(
  'invariant_no_late_answer',
  `/* tenantless: invariants hold for everybody */
   select count(*) as checked,
     (array_agg(o.id) filter (where o.responded_at >= o.expires_at or exists (
       select 1 from events ended
       join events answer on answer.account_id = ended.account_id and answer.mode = ended.mode
         and answer.aggregate_id = ended.aggregate_id and answer.sequence > ended.sequence
         and answer.type in ('order.confirmed', 'order.rejected')
       where ended.account_id = o.account_id and ended.mode = o.mode and ended.aggregate_id = o.id
         and ended.type in ('order.expired', 'order.cancelled'))))[1:100] as violations
   from orders o`,
)

const checkPayments = statement<InvariantRow, Nothing>(
  'invariant_order_payments',
  `/* tenantless: invariants hold for everybody */
   select count(*) as checked,
     (array_agg(id) filter (where
       (status in ('confirmed', 'fulfilling', 'completed') and payment_status in ('voided', 'failed'))
       or (status in ('awaiting_confirmation', 'rejected', 'expired', 'cancelled')
         and payment_status in ('captured', 'partially_refunded', 'refunded'))))[1:100] as violations
   from orders where channel = 'native'`,
)

const checkModes = statement<InvariantRow, Nothing>(
  'invariant_order_modes',
  `/* tenantless: invariants hold for everybody */
   with broken as (
     select o.id from orders o
     cross join lateral jsonb_array_elements(o.line_items) as line
     left join catalog_items i on i.account_id = o.merchant_account_id and i.mode = o.mode
       and i.id = line ->> 'catalog_item_id'
     where line ->> 'catalog_item_id' is not null and i.id is null
     union all
     select o.id from orders o
     left join accounts a on a.id = o.account_id
     left join merchants m on m.account_id = o.merchant_account_id and m.mode = o.mode
     left join purchase_intents p on p.account_id = o.account_id and p.mode = o.mode and p.id = o.purchase_intent_id
     where a.id is null or o.merchant_account_id is not null and m.account_id is null or o.purchase_intent_id is not null and p.id is null)
   select (select count(*) from orders) as checked,
     (select array_agg(id) from (select id from broken limit 100) as first_ones) as violations`,
)

const checkExpiries = statement<InvariantRow, Nothing>(
  'invariant_order_expiries',
  `/* tenantless: invariants hold for everybody */
   select count(*) as checked,
     (array_agg(id) filter (where expires_at < prokura_now() - interval '60 seconds'))[1:100] as violations
   from orders where status = 'awaiting_confirmation'`,
)

const checkRepeats = statement<InvariantRow, Nothing>(
  'invariant_order_repeats',
  `/* tenantless: invariants hold for everybody */
   with repeated as (
     select cart_id from orders where cart_id is not null
     group by account_id, mode, cart_id, attempt having count(*) > 1
     union
     select cart_id from orders where cart_id is not null and status not in ('rejected', 'expired', 'cancelled')
     group by account_id, mode, cart_id having count(*) > 1)
   select (select count(*) from orders) as checked,
     (select array_agg(cart_id) from (select cart_id from repeated limit 100) as first_ones) as violations`,
)

/** The work table, the order's refunds, their sum and its payment agree. A stranger refunds by itself, and what it says of that moves nothing. */
const checkRefunds = statement<InvariantRow, Nothing>(
  'invariant_order_refunds',
  `/* tenantless: invariants hold for everybody */
   with made as (
     select account_id, mode, order_id, coalesce(sum(amount) filter (where status = 'succeeded'), 0) as succeeded,
       coalesce(sum(amount) filter (where status <> 'failed'), 0) as counted,
       jsonb_object_agg(id, jsonb_build_array(amount, status)) as refunds
     from order_refunds group by account_id, mode, order_id),
   shown as (
     select o.account_id, o.mode, o.id,
       jsonb_object_agg(r.value ->> 'id', jsonb_build_array(r.value -> 'amount', r.value -> 'status')) as refunds
     from orders o cross join lateral jsonb_array_elements(o.refunds) as r
     where o.refunds <> '[]' group by o.account_id, o.mode, o.id)
   select count(*) as checked,
     (array_agg(o.id) filter (where
       coalesce(m.succeeded, 0) > o.total_amount
       or coalesce(m.counted, 0) <> o.refunds_amount
       or coalesce(m.refunds, '{}') <> coalesce(s.refunds, '{}')
       or coalesce(m.succeeded, 0) <> coalesce((
         select sum((a ->> 'amount')::bigint) from jsonb_array_elements(o.adjustments) a where a ->> 'type' = 'refund'), 0)
       or (o.payment_status = 'refunded') <> (coalesce(m.succeeded, 0) = o.total_amount and o.total_amount > 0)
       or (o.payment_status = 'partially_refunded')
         <> (coalesce(m.succeeded, 0) > 0 and coalesce(m.succeeded, 0) < o.total_amount)))[1:100] as violations
   from orders o
   left join made m on m.account_id = o.account_id and m.mode = o.mode and m.order_id = o.id
   left join shown s on s.account_id = o.account_id and s.mode = o.mode and s.id = o.id
   where o.channel = 'native'`,
)

const checkPrices = statement<InvariantRow, Nothing>(
  'invariant_order_prices',
  `/* tenantless: invariants hold for everybody */
   with lines as (
     select o.id, o.subtotal_amount, o.total_amount, o.authorized_amount,
       (select coalesce(sum((l ->> 'amount')::bigint), 0) from jsonb_array_elements(o.line_items) l) as listed,
       (select coalesce(sum((a ->> 'amount')::bigint), 0) from jsonb_array_elements(o.adjustments) a
        where a ->> 'type' = 'reprice') as off
     from orders o)
   select count(*) as checked,
     (array_agg(id) filter (where total_amount > authorized_amount or off > 0 and subtotal_amount <> listed - off))[1:100] as violations
   from lines`,
)

/** Units on their way, units sent back, and units refunded: each never more than were bought. */
const checkUnits = statement<InvariantRow, Nothing>(
  'invariant_order_units',
  `/* tenantless: invariants hold for everybody */
   with moved as (
     select o.account_id, o.mode, o.id, 'fulfillments' as kind, one
     from orders o cross join lateral jsonb_array_elements(o.fulfillments) one
     where one ->> 'status' not in ('failed', 'cancelled')
     union all
     select o.account_id, o.mode, o.id, 'returns', one
     from orders o cross join lateral jsonb_array_elements(o.returns) one where one ->> 'status' <> 'declined'
     union all
     select o.account_id, o.mode, o.id, 'refunds', one
     from orders o cross join lateral jsonb_array_elements(o.refunds) one where one ->> 'status' <> 'failed'),
   units as (
     select m.account_id, m.mode, m.id, m.kind, (line ->> 'index')::int as index, sum((line ->> 'quantity')::int) as taken
     from moved m cross join lateral jsonb_array_elements(m.one -> 'line_items') line
     group by m.account_id, m.mode, m.id, m.kind, line ->> 'index')
   select (select count(*) from orders) as checked,
     (array_agg(distinct u.id) filter (where taken > coalesce((o.line_items -> u.index ->> 'quantity')::int, 0)))[1:100] as violations
   from units u join orders o on o.account_id = u.account_id and o.mode = u.mode and o.id = u.id`,
)

const checkRefundWork = statement<InvariantRow, Nothing>(
  'invariant_order_refund_work',
  `/* tenantless: invariants hold for everybody */
   select count(*) as checked,
     (array_agg(id) filter (where status = 'pending' and due_at < prokura_now() - interval '60 seconds'
       and (lease_until is null or lease_until < prokura_now() - interval '60 seconds')))[1:100] as violations
   from order_refunds`,
)

export const orderInvariants: readonly Invariant[] = [
  {
    id: 'S7',
    title: 'An order is decided only once: answered, expired or cancelled',
    statement: checkDecisions({}),
  },
  {
    id: 'E2-orders',
    title: 'An answered order has exactly one accepted answer, from the responder that it names',
    statement: checkAnswers({}),
  },
  {
    id: 'E7-orders',
    title: 'No answer is accepted after the order has stopped waiting for it',
    statement: checkLateAnswers({}),
  },
  {
    id: 'M5-orders',
    title:
      'No order was captured without a confirmation, and no order was confirmed whose payment was voided or failed',
    statement: checkPayments({}),
  },
  {
    id: 'W2-orders',
    title: 'No order waits for its merchant past its deadline',
    needsWorkers: true,
    statement: checkExpiries({}),
  },
  {
    id: 'W3-orders',
    title: 'An attempt of a cart places at most one order, and a cart has at most one order that counts',
    statement: checkRepeats({}),
  },
  {
    id: 'M1-orders',
    title:
      'No order costs more than its buyer authorized, and its subtotal is the sum of its lines minus what was taken off',
    statement: checkPrices({}),
  },
  {
    id: 'M2-refunds',
    title: 'The sum of the refunds is at most what was captured, and the order and its payment show that sum',
    statement: checkRefunds({}),
  },
  {
    id: 'W3-units',
    title: 'No more units are sent, returned or refunded than were bought',
    statement: checkUnits({}),
  },
  {
    id: 'W2-refunds',
    title: 'No refund waits past its deadline',
    needsWorkers: true,
    statement: checkRefundWork({}),
  },
  {
    id: 'M10-orders',
    title: "An order's owner, merchant and purchase are there, and its items belong to its merchant and mode",
    statement: checkModes({}),
  },
]
