import type { Audience } from '../../../contract/event.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { whenConfirmed } from './confirmations.sql.ts'

/** One array per column, one element per event. */
type EventArrays = {
  /** The account of each recipient. */
  account_ids: readonly string[]
  modes: readonly string[]
  event_ids: readonly string[]
  event_account_ids: readonly string[]
  types: readonly string[]
  aggregate_ids: readonly string[]
  sequences: readonly number[]
  created_ats: readonly string[]
  audiences: readonly Audience[]
}

type Match = {
  event_id: Id<'evt'>
  audience: Audience
  destination_id: Id<'dest'>
  /** Whether the destination's endpoint has confirmed. */
  confirmed: boolean
}

/**
 * The destinations that were subscribed to each event at its time; one that has been archived since gets nothing more. The clocks of two
 * processes may differ a little: it is better to deliver an event of the second before than to lose one of the moment after.
 */
export const matchDestinations = statement<Match, EventArrays>(
  'match_destinations',
  // guard audience-of-an-event: a merchant and a buyer are each told their own side of an event
  `select /* tenantless: events of many accounts, each matched where it is told */ distinct e.id as event_id, e.audience, s.destination_id,
     d.confirmed_at is not null as confirmed
   from unnest($account_ids::text[], $modes::mode[], $audiences::text[], $event_ids::text[], $types::text[],
     $created_ats::timestamptz[]) as e (account_id, mode, audience, id, type, created_at)
   join destination_subscriptions s on s.account_id = e.account_id and s.mode = e.mode and s.event_type = e.type
     and s.subscribed_from <= e.created_at + interval '1 s' and (s.subscribed_until is null or s.subscribed_until > e.created_at)
   join webhook_destinations d on d.account_id = s.account_id and d.mode = s.mode and d.id = s.destination_id
     and d.audience = e.audience and d.status <> 'archived'`,
)

type MatchArrays = Omit<EventArrays, 'created_ats' | 'audiences'> & {
  ids: readonly string[]
  destination_ids: readonly string[]
  now: Date
}

const deliveryColumns = `account_id, mode, id, destination_id, event_id, event_account_id, event_type, aggregate_id, sequence,
     status, attempt_count, due_at, created_at, updated_at`

const matched = `unnest($account_ids::text[], $modes::mode[], $ids::text[], $destination_ids::text[], $event_ids::text[],
     $event_account_ids::text[], $types::text[], $aggregate_ids::text[], $sequences::int[])
     as m (account_id, mode, id, destination_id, event_id, event_account_id, type, aggregate_id, sequence)`

const once = 'on conflict (account_id, mode, destination_id, event_id) do nothing'

/** Once per event and destination, however often the event is relayed. */
export const insertMatches = statement<never, MatchArrays>(
  'insert_matched_deliveries',
  `insert into deliveries (${deliveryColumns})
   select /* tenantless: each row names its own */ m.account_id, m.mode, m.id, m.destination_id, m.event_id, m.event_account_id,
     m.type, m.aggregate_id, m.sequence, 'pending', 0, $now, $now, $now
   from ${matched}
   ${once}`,
)

/**
 * The same where the endpoint has not confirmed: the delivery waits for that. The statement excludes a confirmation at the same moment,
 * which would send what waits and not see this delivery. Where no test is on its way, as for a destination from before there were any,
 * the delivery is due, and the worker that claims it sends the test instead.
 */
export const insertWaitingMatches = statement<never, MatchArrays>(
  'insert_waiting_deliveries',
  `with unconfirmed as /* tenantless: each row names its own */ (
     select d.account_id, d.mode, d.id from webhook_destinations d
     where (d.account_id, d.mode, d.id) in (select m.account_id, m.mode, m.destination_id from ${matched})
       and d.confirmed_at is null
     order by d.account_id, d.mode, d.id for share
   )
   insert into deliveries (${deliveryColumns})
   select m.account_id, m.mode, m.id, m.destination_id, m.event_id, m.event_account_id, m.type, m.aggregate_id, m.sequence, 'pending', 0,
     case when u.id is not null and exists (
       select from due_deliveries t
       where t.account_id = m.account_id and t.mode = m.mode and t.destination_id = m.destination_id
         and t.aggregate_id = m.destination_id and t.due_at < ${whenConfirmed}
     ) then ${whenConfirmed} else $now end, $now, $now
   from ${matched}
   left join unconfirmed u on u.account_id = m.account_id and u.mode = m.mode and u.id = m.destination_id
   ${once}`,
)
