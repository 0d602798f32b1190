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

type Edges = { firsts: string[]; froms: string[]; tos: string[]; cart_froms: string[]; cart_tos: string[] }

/** S1: consecutive events of an intent show consecutive states, of the intent and of each of its carts. */
export const checkPaths = statement<InvariantRow, Edges>(
  'invariant_intent_paths',
  `/* tenantless: checks every tenant's rows, for the operator */
   with history as (
     select account_id, mode, aggregate_id as id, sequence, object::jsonb as object from events where aggregate_id like 'pi\\_%'),
   steps as (
     select id, object->>'status' as status,
       lag(object->>'status') over (partition by account_id, mode, id order by sequence) as before
     from history),
   cart_steps as (
     select cart->>'id' as id, cart->>'status' as status,
       lag(cart->>'status') over (partition by h.account_id, h.mode, cart->>'id' order by h.sequence) as before
     from history h, jsonb_array_elements(h.object->'carts') as cart),
   broken as (
     select id from steps
     where case when before is null then status <> all($firsts::text[])
       else before <> status and (before, status) not in (select * from unnest($froms::text[], $tos::text[])) end
     union all
     select id from cart_steps
     where before is not null and before <> status
       and (before, status) not in (select * from unnest($cart_froms::text[], $cart_tos::text[])))
   select (select count(*) from steps) + (select count(*) from cart_steps) as checked,
     (select array_agg(id) from (select distinct id from broken limit 100) as first_ones) as violations`,
)

/** S2: the last event shows the same as the row, so does the last event of the purchase itself, and no sequence is missing. */
export const checkSequences = statement<InvariantRow, Nothing>(
  'invariant_intent_sequences',
  `/* tenantless: checks every tenant's rows, for the operator */
   with counted as (
     select i.id, i.seq, i.status, count(e.id) as events, max(e.sequence) as last,
       (array_agg(e.object::jsonb->>'status' order by e.sequence desc))[1] as last_status,
       (array_agg(e.object::jsonb->>'status' order by e.sequence desc) filter (where e.type like 'purchase\\_intent.%'))[1]
         as last_heard
     from purchase_intents i
     left join events e on e.account_id = i.account_id and e.mode = i.mode and e.aggregate_id = i.id
     group by i.account_id, i.mode, i.id)
   select count(*) as checked,
     (select array_agg(id) from (
       select id from counted
       where events <> seq or last is distinct from seq or last_status is distinct from status
         or last_heard is distinct from status
       limit 100) as first_ones
     ) as violations
   from counted`,
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

/** S4: what the last event announced of a cart follows from its row. */
export const checkAttempts = statement<InvariantRow, Nothing>(
  'invariant_cart_attempts',
  `/* tenantless: checks every tenant's rows, for the operator */
   with shown as (
     select c.id, c.status, c.attempt_number, c.max_attempts, c.outcome_known, (cart->>'can_retry')::boolean as can_retry,
       (cart->>'can_cancel')::boolean as can_cancel
     from carts c
     join purchase_intents i on i.account_id = c.account_id and i.mode = c.mode and i.id = c.intent_id
     join events e on e.account_id = i.account_id and e.mode = i.mode and e.aggregate_id = i.id and e.sequence = i.seq
     join lateral jsonb_array_elements(e.object::jsonb->'carts') as cart on cart->>'id' = c.id)
   select count(*) as checked,
     (select array_agg(id) from (
       select id from shown
       where attempt_number > max_attempts
         or (can_retry and not (status = 'failed' and outcome_known and attempt_number < max_attempts))
         or (can_cancel and status not in ('created', 'in_progress', 'awaiting_merchant_auth'))
       limit 100) as first_ones) as violations
   from shown`,
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
