import type { Statement } from '../../../contract/statement.ts'
import type { Invariant, InvariantRow } from '../../../platform/audit/invariants.ts'
import { sweptBefore } from '../../../platform/retention/sweeps.sql.ts'
import { whenConfirmed } from './confirmations.sql.ts'
import { deliveriesFollower } from './follow-deliveries.ts'
import { passedOver } from './open-deliveries.sql.ts'
import { checkSentBodies } from './sent-bodies.ts'
import { deliveriesSwept } from './sweep-deliveries.sql.ts'

/** The invariants of destinations and deliveries at every commit. */
export const destinationInvariants: readonly Invariant[] = [
  {
    id: 'E1',
    title: 'A merchant has at most one active quote responder in each mode',
    statement: check(
      `select /* tenantless: an audit of everything */ count(*) as checked,
         (array_agg(account_id || '/' || mode) filter (where responders > 1))[1:100] as violations
       from (
         select account_id, mode, count(*) as responders from webhook_destinations
         where responds_to_quotes and status <> 'archived' group by account_id, mode
       ) as designated`,
    ),
  },
  {
    id: 'E2',
    title: 'An event has at most one accepted answer',
    statement: check(
      `select /* tenantless: an audit of everything */ count(*) as checked,
         (array_agg(event_id) filter (where accepted > 1))[1:100] as violations
       from (
         select event_account_id, mode, event_id, count(*) as accepted from deliveries
         where response_accepted group by event_account_id, mode, event_id
       ) as answered`,
    ),
  },
  {
    id: 'E3',
    title:
      'Every relayed event of a subscribed type has a delivery that arrived, is due, or is shown as exhausted',
    statement: check(
      // guard swept-is-not-lost: the audit takes no delivery that was swept for lost
      `select /* tenantless: an audit of everything */ count(*) as checked,
         (array_agg(e.id || ' to ' || s.destination_id) filter (
           where v.id is null and e.created_at >= ${sweptBefore(deliveriesSwept)} or (v.status = 'succeeded' and v.attempt_count = 0)
         ))[1:100] as violations
       from events e
       cross join lateral (values ('merchant', e.recipient_account_id), ('buyer', e.account_id)) as told (audience, account_id)
       join destination_subscriptions s on s.account_id = told.account_id and s.mode = e.mode and s.event_type = e.type
         -- An event beside the transaction that subscribes may be relayed before that commits: it is owed a second later.
         and s.subscribed_from + interval '1 s' <= e.created_at and (s.subscribed_until is null or s.subscribed_until > e.created_at)
       join webhook_destinations d on d.account_id = s.account_id and d.mode = s.mode and d.id = s.destination_id
         and d.audience = told.audience and d.status <> 'archived'
       left join deliveries v on v.account_id = s.account_id and v.mode = s.mode and v.destination_id = s.destination_id
         and v.event_id = e.id
       -- A request for a price makes its own delivery, to the one destination that it is for.
       -- What is still to be relayed, or waits for the follower that makes deliveries, is told of as such: W2.
       where (told.audience = 'buyer' or e.type <> 'quote.requested') and not exists (
         select from outbox u where u.account_id = e.account_id and u.mode = e.mode and u.aggregate_id = e.aggregate_id
           and e.sequence between u.first_sequence and u.last_sequence and not u.is_delivered
       ) and not exists (
         select from follower_backlog b
         where b.account_id = e.account_id and b.mode = e.mode and b.event_id = e.id and b.follower = '${deliveriesFollower}'
       )`,
    ),
  },
  {
    id: 'E4',
    title: 'All attempts of a delivery send the same bytes of their event',
    check: checkSentBodies,
  },
  {
    id: 'E4-audience',
    title: 'A merchant gets only events that are addressed to it, and a buyer only its own',
    statement: check(
      `select /* tenantless: an audit of everything */ count(*) as checked,
         (array_agg(v.id) filter (
           where v.account_id is distinct from case d.audience when 'merchant' then e.recipient_account_id else e.account_id end
         ))[1:100] as violations
       from deliveries v
       join events e on e.account_id = v.event_account_id and e.mode = v.mode and e.aggregate_id = v.aggregate_id
         and e.sequence = v.sequence
       join webhook_destinations d on d.account_id = v.account_id and d.mode = v.mode and d.id = v.destination_id`,
    ),
  },
  {
    id: 'E4-deliveries',
    title: 'Every delivery has an event and a destination',
    statement: check(
      `select /* tenantless: an audit of everything */ count(*) as checked,
         (array_agg(v.id) filter (where e.id is null or d.id is null))[1:100] as violations
       from deliveries v
       left join events e on e.account_id = v.event_account_id and e.mode = v.mode and e.aggregate_id = v.aggregate_id
         and e.sequence = v.sequence
       left join webhook_destinations d on d.account_id = v.account_id and d.mode = v.mode and d.id = v.destination_id`,
    ),
  },
  {
    id: 'E3-confirmed',
    title: 'Deliveries that wait for an endpoint to confirm are sent after it has confirmed',
    statement: check(
      `select /* tenantless: an audit of everything */ count(*) as checked,
         (array_agg(v.id) filter (where d.confirmed_at is not null))[1:100] as violations
       from deliveries v
       join webhook_destinations d on d.account_id = v.account_id and d.mode = v.mode and d.id = v.destination_id
       where v.due_at = ${whenConfirmed}`,
    ),
  },
  {
    id: 'E3-queued',
    title: 'A delivery is in the queue exactly while it is open',
    statement: check(
      `select /* tenantless: an audit of everything */ count(*) as checked,
         (array_agg(coalesce(v.id, q.id)) filter (where v.id is null or q.id is null))[1:100] as violations
       from (select * from deliveries where due_at is not null) v
       full join due_deliveries q on q.account_id = v.account_id and q.mode = v.mode and q.destination_id = v.destination_id
         and q.aggregate_id = v.aggregate_id and q.sequence = v.sequence and q.id = v.id`,
    ),
  },
  {
    id: 'E5',
    title: 'The first deliveries of the events of an object are in order',
    statement: check(
      `select /* tenantless: an audit of everything */ count(*) as checked,
         (array_agg(id) filter (where first_attempt_at < latest_before or (first_attempt_at is not null and skipped)))[1:100]
           as violations
       from (
         select id, first_attempt_at,
           max(first_attempt_at) over earlier as latest_before,
           coalesce(bool_or(first_attempt_at is null) over earlier, false) as skipped
         from deliveries
         where first_attempt_at is distinct from ${passedOver}
         window earlier as (
           partition by account_id, mode, destination_id, aggregate_id order by sequence
           rows between unbounded preceding and 1 preceding
         )
       ) as ordered`,
    ),
  },
]

function check(text: string): Statement<InvariantRow> {
  return { name: '', text, values: [] }
}
