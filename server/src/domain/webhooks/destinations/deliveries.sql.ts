import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { whenConfirmed } from './confirmations.sql.ts'
import type { DeliveryRow } from './delivery.ts'
import { isFree, openOf, passedOver } from './open-deliveries.sql.ts'

type Tenant = { account_id: Id<'acct'>; mode: Mode }
type OfDestination = Tenant & { destination_id: string }

const columns = `v.id, v.destination_id, d.status as destination_status, v.event_id, v.event_type, v.status, v.attempt_count,
  nullif(case when q.step_failures > 0 then q.due_at else v.due_at end, ${whenConfirmed}) as due_at,
  coalesce(q.lease_until > prokura_now(), false) as leased, v.response_received_at, v.response_accepted, v.seq, v.created_at,
  v.updated_at, tried.attempts`

const withAttempts = `deliveries v
  join webhook_destinations d on d.account_id = v.account_id and d.mode = v.mode and d.id = v.destination_id
  left join due_deliveries q on q.account_id = v.account_id and q.mode = v.mode and q.destination_id = v.destination_id
    and q.aggregate_id = v.aggregate_id and q.sequence = v.sequence and v.due_at is not null
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('at', a.at, 'http_status', a.http_status, 'latency_ms', a.latency_ms,
      'error', a.error, 'response_excerpt', a.response_excerpt) order by a.position), '[]'::jsonb) as attempts
    from (
      select * from delivery_attempts
      where account_id = v.account_id and mode = v.mode and delivery_id = v.id
      order by position desc limit 100
    ) a
  ) tried`

export const selectDelivery = statement<DeliveryRow, OfDestination & { event_id: string }>(
  'select_delivery',
  `select ${columns} from ${withAttempts}
   where v.account_id = $account_id and v.mode = $mode and v.destination_id = $destination_id and v.event_id = $event_id`,
)

export const selectDeliveryById = statement<DeliveryRow, Tenant & { id: string }>(
  'select_delivery_by_id',
  `select ${columns} from ${withAttempts} where v.account_id = $account_id and v.mode = $mode and v.id = $id`,
)

export const lockDelivery = statement<DeliveryRow, OfDestination & { event_id: string }>(
  'lock_delivery',
  `select ${columns} from ${withAttempts}
   where v.account_id = $account_id and v.mode = $mode and v.destination_id = $destination_id and v.event_id = $event_id
   for no key update of v`,
)

export const selectDeliveries = statement<DeliveryRow, OfDestination & { limit: number; offset: number }>(
  'select_deliveries',
  `select ${columns} from ${withAttempts}
   where v.account_id = $account_id and v.mode = $mode and v.destination_id = $destination_id
   order by v.id desc limit $limit + 1 offset $offset`,
)

export const countDeliveries = statement<{ counted: number }, OfDestination & { cap: number }>(
  'count_deliveries',
  `select count(*)::int as counted from (
     select 1 from deliveries
     where account_id = $account_id and mode = $mode and destination_id = $destination_id limit $cap + 1
   ) as first_ones`,
)

export type DeliveryWrite = Tenant & {
  id: Id<'dlv'>
  destination_id: Id<'dest'>
  event_id: Id<'evt'>
  event_account_id: string
  event_type: string
  aggregate_id: string
  sequence: number
  now: Date
}

// `least`: a process's clock may be ahead of the database's, which claims use, and would keep the delivery waiting.
export const insertDelivery = statement<never, DeliveryWrite & { due_at: Date }>(
  'insert_delivery',
  `insert into deliveries (account_id, mode, id, destination_id, event_id, event_account_id, event_type, aggregate_id, sequence,
     status, attempt_count, due_at, created_at, updated_at)
   values ($account_id, $mode, $id, $destination_id, $event_id, $event_account_id, $event_type, $aggregate_id, $sequence,
     'pending', 0, $due_at, $now, $now)`,
)

/**
 * For the designated responder, which must not be disabled, archived or replaced, and must have confirmed its endpoint, until the
 * transaction ends. Where that is no longer so, the transaction ends with a serialization failure. So this can travel with the commit,
 * and no lock is held while an answer is on its way.
 */
export const insertDeliveryToResponder = statement<never, DeliveryWrite>(
  'insert_delivery_to_responder',
  `insert into deliveries (account_id, mode, id, destination_id, event_id, event_account_id, event_type, aggregate_id, sequence,
     status, attempt_count, due_at, created_at, updated_at)
   values ($account_id, $mode, $id, $destination_id, $event_id, $event_account_id, $event_type, $aggregate_id, $sequence,
     case when coalesce(
       (select true from webhook_destinations
        where account_id = $account_id and mode = $mode and id = $destination_id and responds_to_quotes and status = 'enabled'
          and confirmed_at is not null
        for share),
       refuse_stale_decision()) then 'pending' end, 0, $now, $now, $now)`,
)

/** Run it under `lockDelivery`: due at once, with a new series of retries. */
export const requeueDelivery = statement<never, Tenant & { id: string; seq: number; now: Date }>(
  'requeue_delivery',
  `update deliveries set status = 'pending', due_at = $now, series_from = attempt_count, seq = $seq, updated_at = $now
   where account_id = $account_id and mode = $mode and id = $id`,
)

/** Attempts under way are left to their own outcome. */
export const recoverDeliveries = statement<
  { requeued: number },
  OfDestination & { since: string; now: Date }
>(
  'recover_deliveries',
  `with requeued as (
     update deliveries v set status = 'pending', due_at = $now, series_from = v.attempt_count, updated_at = $now
     where v.account_id = $account_id and v.mode = $mode and v.destination_id = $destination_id
       and v.event_type <> 'destination.test' and v.status in ('failed', 'exhausted') and v.created_at >= $since
       and not exists (
         select from due_deliveries q
         where q.account_id = v.account_id and q.mode = v.mode and q.destination_id = v.destination_id
           and q.aggregate_id = v.aggregate_id and q.sequence = v.sequence and q.lease_until > prokura_now()
       )
     returning 1
   )
   select count(*)::int as requeued from requeued`,
)

/** An attempt under way settles itself, and finds the destination archived. */
export const exhaustOpenDeliveries = statement<never, OfDestination & { now: Date }>(
  'exhaust_open_deliveries',
  `with q as (${openOf(isFree)})
   update deliveries v set status = 'exhausted', due_at = null, first_attempt_at = coalesce(v.first_attempt_at, ${passedOver}), updated_at = $now
   from q where v.account_id = $account_id and v.mode = $mode and v.id = q.id and v.due_at is not null`,
)

/** A row, where answers to the delivery arrived and all were refused. */
export const selectRefusedResponse = statement<{ id: string }, OfDestination & { event_id: string }>(
  'select_refused_response',
  `select id from deliveries
   where account_id = $account_id and mode = $mode and destination_id = $destination_id and event_id = $event_id
     and response_accepted is false`,
)

/** Only one answer counts per event, whichever destination gave it. */
export const recordResponse = statement<
  never,
  OfDestination & { event_id: string; accepted: boolean; now: Date }
>(
  'record_business_response',
  // guard one-accepted-answer: one answer per event is noted as accepted
  `update deliveries v set response_received_at = $now, response_accepted = $accepted, updated_at = $now
   where v.account_id = $account_id and v.mode = $mode and v.destination_id = $destination_id and v.event_id = $event_id
     and v.response_accepted is not true
     and not exists (
       select from deliveries o
       where o.event_account_id = v.event_account_id and o.mode = v.mode and o.event_id = v.event_id and o.response_accepted
     )`,
)
