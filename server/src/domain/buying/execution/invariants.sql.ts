import { statement } from '../../../contract/statement.ts'
import type { Invariant, InvariantRow } from '../../../platform/audit/invariants.ts'
import { hasFailedLong } from '../../../platform/work/failing.sql.ts'

type None = Record<never, never>

/**
 * M2. A cart that succeeded was bought by its current attempt, for what was captured or is authorized. For carts that a person reported as placed, the rail's captures count as
 * well.
 */
const checkSums = statement<InvariantRow, None>(
  'invariant_captured_sums',
  `/* tenantless: checks every tenant's rows, for the operator */
   with carts_wrong as (
     select c.id from carts c
     left join authorizations a on a.account_id = c.account_id and a.mode = c.mode and a.cart_id = c.id
       and a.attempt = c.attempt_number and (a.status = 'captured' or a.status = 'authorized' and a.claimed_at is not null)
     where c.status = 'succeeded' and c.actual_amount <> coalesce(
       case a.status when 'captured' then a.captured_amount else coalesce(a.claimed_amount, a.amount) end, 0)),
   intents_wrong as (
     select i.id from purchase_intents i
     left join carts c on c.account_id = i.account_id and c.mode = i.mode and c.intent_id = i.id and c.status = 'succeeded'
     group by i.account_id, i.mode, i.id having i.actual_amount <> coalesce(sum(c.actual_amount), 0)),
   broken as (select id from carts_wrong union all select id from intents_wrong order by 1 limit 100)
   select (select count(*) from purchase_intents) as checked, (select array_agg(id) from broken) as violations`,
)

/** M2. A merchant that lowered its price before confirming is paid the lower one. */
const checkOrderSums = statement<InvariantRow, None>(
  'invariant_captured_orders',
  `/* tenantless: checks every tenant's rows, for the operator */
   with broken as (
     select o.id from orders o
     join authorizations a on a.account_id = o.account_id and a.mode = o.mode and a.cart_id = o.cart_id and a.attempt = o.attempt
     where o.channel = 'native' and o.payment_status in ('captured', 'partially_refunded', 'refunded')
       and a.captured_amount <> o.total_amount
     order by 1 limit 100)
   select (select count(*) from orders) as checked, (select array_agg(id) from broken) as violations`,
)

/** M2. What a stranger has charged and given back is the same on the hold, on the cart and on the order. */
const checkStrangers = statement<InvariantRow, None>(
  'invariant_charges_of_strangers',
  `/* tenantless: checks every tenant's rows, for the operator */
   with bought as (
     select c.id, c.refunded_amount, a.status, a.captured_amount, a.refunded_amount as refunded, o.id as order_id, o.payment_status,
       o.refunds_amount, (select coalesce(sum((r ->> 'amount')::bigint), 0) from jsonb_array_elements(o.refunds) r) as shown
     from carts c
     join authorizations a on a.account_id = c.account_id and a.mode = c.mode and a.cart_id = c.id and a.attempt = c.attempt_number
     left join orders o on o.account_id = c.account_id and o.mode = c.mode and o.id = c.order_row_id
     where c.status = 'succeeded' and c.merchant_account_id is null and c.channel in ('ucp', 'mpp', 'browser')),
   broken as (
     select id from bought
     where refunded_amount <> refunded or status = 'captured' and refunded > captured_amount
       or order_id is not null and (refunds_amount <> refunded or shown <> refunded or case status
         when 'authorized' then payment_status <> 'authorized'
         when 'captured' then payment_status <> case when refunded = 0 then 'captured'
           when refunded < captured_amount then 'partially_refunded' else 'refunded' end
         when 'refunded' then payment_status <> 'refunded'
         else payment_status not in ('authorized', 'voided') end)
     union all
     select id from carts where refunded_amount > 0 and (status <> 'succeeded' or channel = 'simulated')
     order by 1 limit 100)
   select (select count(*) from bought) as checked, (select array_agg(id) from broken) as violations`,
)

/** M2. What a merchant of ours has given back of an order is the same at the order's refunds and at the cart that placed it. */
const checkRefunds = statement<InvariantRow, None>(
  'invariant_refunds_of_carts',
  `/* tenantless: checks every tenant's rows, for the operator */
   with bought as (
     select c.id, c.refunded_amount, c.actual_amount, (
       select coalesce(sum(r.amount), 0) from order_refunds r
       where r.account_id = c.account_id and r.mode = c.mode and r.order_id = c.order_row_id and r.status = 'succeeded') as refunded
     from carts c where c.status = 'succeeded' and c.channel = 'native' and c.order_row_id is not null),
   broken as (
     select id from bought where refunded_amount <> refunded or refunded > actual_amount order by 1 limit 100)
   select (select count(*) from bought) as checked, (select array_agg(id) from broken) as violations`,
)

/** W2. What the rail has reported wakes its cart in the same transaction, and no cart rests before it has looked. */
const checkMovements = statement<InvariantRow, None>(
  'invariant_rail_movements',
  `/* tenantless: checks every tenant's rows, for the operator */
   with broken as (
     select m.cart_id || ' ' || m.id as id from rail_movements m
     left join carts c on c.account_id = m.account_id and c.mode = m.mode and c.id = m.cart_id
     where m.state = 'due' and (c.id is null or c.due_at is null and c.lease_until is null)
     order by 1 limit 100)
   select (select count(*) from rail_movements) as checked, (select array_agg(id) from broken) as violations`,
)

/** M3. An amount that was refunded was not charged in the end. */
const checkCaptures = statement<InvariantRow, None>(
  'invariant_single_captures',
  `/* tenantless: checks every tenant's rows, for the operator */
   with broken as (
     select cart_id from authorizations where status = 'captured'
     group by account_id, mode, cart_id having count(*) > 1 order by 1 limit 100)
   select (select count(*) from authorizations where status = 'captured') as checked,
     (select array_agg(cart_id) from broken) as violations`,
)

/** M4. The cap is the cart's; approval and policy belong to the intent. */
const checkApproved = statement<InvariantRow, None>(
  'invariant_approved_captures',
  `/* tenantless: checks every tenant's rows, for the operator */
   with broken as (
     select a.cart_id || ' ' || a.attempt as id
     from authorizations a
     join carts c on c.account_id = a.account_id and c.mode = a.mode and c.id = a.cart_id
     join purchase_intents i on i.account_id = a.account_id and i.mode = a.mode and i.id = a.intent_id
     where a.status = 'captured'
       and (i.approved_at is null and i.policy_result <> 'allow'
         or i.policy_result = 'deny'
         or a.captured_amount > c.max_allowed_amount or a.currency <> i.currency)
     order by 1 limit 100)
   select (select count(*) from authorizations where status = 'captured') as checked,
     (select array_agg(id) from broken) as violations`,
)

/**
 * M6. Something or somebody is responsible: a due time, a worker's lease, or a person where the outcome is unknown or a price awaits
 * approval. An amount that was captured without a purchase is open until it is refunded.
 */
const checkHolds = statement<InvariantRow, None>(
  'invariant_open_authorizations',
  `/* tenantless: checks every tenant's rows, for the operator */
   with broken as (
     select a.cart_id || ' ' || a.attempt as id
     from authorizations a
     join carts c on c.account_id = a.account_id and c.mode = a.mode and c.id = a.cart_id
     where c.due_at is null and c.outcome_known
       and (a.status = 'authorized' or a.status = 'captured' and (c.status <> 'succeeded' or a.attempt < c.attempt_number))
     order by 1 limit 100)
   select (select count(*) from authorizations where status in ('authorized', 'captured')) as checked,
     (select array_agg(id) from broken) as violations`,
)

/** M6, while workers run: a cart whose step fails again and again is not being worked on. */
const checkFailingHolds = statement<InvariantRow, None>(
  'invariant_failing_authorizations',
  `/* tenantless: checks every tenant's rows, for the operator */
   with broken as (
     select a.cart_id || ' ' || a.attempt as id
     from carts c
     join authorizations a on a.account_id = c.account_id and a.mode = c.mode and a.cart_id = c.id
     where ${hasFailedLong('c')}
       and (a.status = 'authorized' or a.status = 'captured' and (c.status <> 'succeeded' or a.attempt < c.attempt_number))
     order by 1 limit 100)
   select (select count(*) from authorizations where status in ('authorized', 'captured')) as checked,
     (select array_agg(id) from broken) as violations`,
)

/**
 * A call whose outcome is still unknown an hour after it was sent. An order that has arrived and that its merchant is considering is not
 * such a call.
 */
export const isUnansweredEffect = `e.state in ('sent', 'unknown') and (e.step <> 'place' or e.heard is distinct from 'pending')
       and e.sent_at < prokura_now() - interval '1 hour'`

/**
 * W7. Age alone ends no call. It is asked about until there is an answer, by a step that works; or its step is named as one that fails;
 * or a person decides.
 */
const checkUnanswered = statement<InvariantRow, None>(
  'invariant_unanswered_calls',
  `/* tenantless: checks every tenant's rows, for the operator */
   with broken as (
     select e.key as id from effects e
     join carts c on c.account_id = e.account_id and c.mode = e.mode and c.id = e.cart_id
     where ${isUnansweredEffect} and not (c.status = 'failed' and not c.outcome_known) and ${hasFailedLong('c')} is not true
     union all
     select r.id from order_refunds r
     where r.status = 'pending' and r.sent_at < prokura_now() - interval '1 hour' and ${hasFailedLong('r')} is not true
     order by 1 limit 100)
   select (select count(*) from effects) + (select count(*) from order_refunds) as checked,
     (select array_agg(id) from broken) as violations`,
)

/** M9. */
const checkCurrencies = statement<InvariantRow, None>(
  'invariant_one_currency',
  `/* tenantless: checks every tenant's rows, for the operator */
   with broken as (
     select c.id from carts c
     join purchase_intents i on i.account_id = c.account_id and i.mode = c.mode and i.id = c.intent_id
     left join authorizations a on a.account_id = c.account_id and a.mode = c.mode and a.cart_id = c.id
     where c.currency <> i.currency or a.currency <> c.currency
     order by 1 limit 100)
   select (select count(*) from carts) as checked, (select array_agg(id) from broken) as violations`,
)

/**
 * W3, as far as the journal shows it; the logs of the outside world show the rest. An order whose money was released because its capture
 * was declined is cancelled with it: the next attempt's order is not a second one.
 */
const checkEffects = statement<InvariantRow, None>(
  'invariant_effects_once',
  `/* tenantless: checks every tenant's rows, for the operator */
   with placed_twice as (
     select e.cart_id from effects e
     left join authorizations h on h.account_id = e.account_id and h.mode = e.mode and h.cart_id = e.cart_id and h.attempt = e.attempt
     where e.step = 'place' and e.state = 'done' and coalesce(h.status in ('authorized', 'captured'), true)
     group by e.account_id, e.mode, e.cart_id having count(*) > 1),
   beside as (
     select later.cart_id from effects later
     join effects earlier on earlier.account_id = later.account_id and earlier.mode = later.mode
       and earlier.cart_id = later.cart_id and earlier.attempt < later.attempt
     where earlier.state in ('sent', 'unknown') or earlier.settled_at > later.sent_at),
   broken as (select cart_id from placed_twice union select cart_id from beside order by 1 limit 100)
   select (select count(*) from effects) as checked, (select array_agg(cart_id) from broken) as violations`,
)

/** M6. Money is captured, released and looked for where it is held. Rows from before rails had names say nothing. */
const checkRails = statement<InvariantRow, None>(
  'invariant_one_rail_an_attempt',
  `/* tenantless: checks every tenant's rows, for the operator */
   with named as (
     select account_id, mode, cart_id, attempt, rail from effects where rail is not null
     union all select account_id, mode, cart_id, attempt, rail from authorizations where rail is not null
     union all select account_id, mode, cart_id, attempt, rail from fundings
     union all select account_id, mode, cart_id, attempt, rail from order_refunds where rail is not null and cart_id is not null),
   broken as (
     select cart_id || ' ' || attempt as id from named
     group by account_id, mode, cart_id, attempt having min(rail) <> max(rail)
     union all
     select r.id from order_refunds r
     join orders o on o.account_id = r.account_id and o.mode = r.mode and o.id = r.order_id
     where r.rail <> o.capture_rail
     order by 1 limit 100)
   select (select count(*) from named) as checked, (select array_agg(id) from broken) as violations`,
)

/** M10. There are no foreign keys here: whoever writes these rows holds or has just read what they name. */
const checkModes = statement<InvariantRow, None>(
  'invariant_purchase_modes',
  `/* tenantless: checks every tenant's rows, for the operator */
   with broken as (
     select c.id from carts c
     left join orders o on o.account_id = c.account_id and o.mode = c.mode and o.id = c.order_row_id and o.cart_id = c.id
     where c.order_row_id is not null and o.id is null
     union all
     select o.id from orders o
     left join carts c on c.account_id = o.account_id and c.mode = o.mode and c.id = o.cart_id and c.intent_id = o.purchase_intent_id
     where o.cart_id is not null and c.id is null
     union all
     select i.id from purchase_intents i
     left join api_keys k on k.account_id = i.account_id and k.mode = i.mode and k.id = i.api_key_id
     where i.api_key_id is not null and k.id is null
     union all
     select i.id from purchase_intents i
     left join accounts a on a.id = i.account_id
     left join profiles p on p.account_id = i.account_id and p.mode = i.mode and p.id = i.profile_id
     left join payment_methods m on m.account_id = i.account_id and m.mode = i.mode and m.id = i.payment_method_id
     left join policies l on l.account_id = i.account_id and l.mode = i.mode and l.id = i.policy_id
     where a.id is null or p.id is null or i.payment_method_id is not null and m.id is null
       or i.policy_id is not null and l.id is null
     union all
     select held.cart_id from (
       select account_id, mode, cart_id, intent_id from effects
       union all select account_id, mode, cart_id, intent_id from authorizations
       union all select account_id, mode, cart_id, intent_id from fundings) held
     left join carts c on c.account_id = held.account_id and c.mode = held.mode and c.id = held.cart_id and c.intent_id = held.intent_id
     where c.id is null
     order by 1 limit 100)
   select (select count(*) from purchase_intents) + (select count(*) from carts) + (select count(*) from orders) as checked,
     (select array_agg(id) from broken) as violations`,
)

export const executionInvariants: readonly Invariant[] = [
  {
    id: 'M2',
    title:
      'The charge of a cart is what was captured or is authorized for it, and the charges of the carts add up to the charge of their purchase',
    statement: checkSums({}),
  },
  {
    id: 'M2-captures',
    title: 'What was captured for a native order is the total of the order',
    statement: checkOrderSums({}),
  },
  {
    id: 'M2-strangers',
    title:
      'What a merchant elsewhere has charged and given back is the same at its cart, at its order and in the journal, and never more went back than was taken',
    statement: checkStrangers({}),
  },
  {
    id: 'M2-refunded',
    title:
      'What a merchant here has given back of an order is the same at the order and at the cart that placed it, and never more than was taken',
    statement: checkRefunds({}),
  },
  {
    id: 'W2-movements',
    title: 'No report of a payment rail waits for a cart that nobody looks at',
    statement: checkMovements({}),
  },
  {
    id: 'M3',
    title: 'A cart has at most one capture that was not refunded, over all of its attempts',
    statement: checkCaptures({}),
  },
  {
    id: 'M4',
    title: 'Nothing was captured without an approval or a policy that allowed it, or beyond its terms',
    statement: checkApproved({}),
  },
  {
    id: 'M6',
    title:
      'Money that is still authorized, or was captured without an order, belongs to a cart that a worker still works on',
    statement: checkHolds({}),
  },
  {
    id: 'M6-failing',
    title:
      'Money that is still authorized, or was captured without an order, does not wait for a step that has failed for an hour',
    needsWorkers: true,
    statement: checkFailingHolds({}),
  },
  {
    id: 'M6-named',
    title: 'All calls about the money of one attempt name the rail that holds it',
    statement: checkRails({}),
  },
  {
    id: 'M9',
    title: 'A purchase, its carts and the money that is held for them have the same currency',
    statement: checkCurrencies({}),
  },
  {
    id: 'M10',
    title:
      'Everything that a purchase names (its key, profile, payment method, policy, carts, orders and money) is there, in its own account and mode',
    statement: checkModes({}),
  },
  {
    id: 'W3',
    title: 'No order is placed twice, and no attempt begins while an earlier one may still succeed',
    statement: checkEffects({}),
  },
  {
    id: 'W7',
    title:
      'No call has waited for its answer for an hour, unless its step is reported as failing or a person decides',
    needsWorkers: true,
    statement: checkUnanswered({}),
  },
]
