import type { Mode } from '../../../contract/context.ts'
import type { Audience } from '../../../contract/event.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { sql } from '../../../platform/database/fragment.ts'
import { subscriptionVersion, withOutbox } from '../../../platform/events/outbox.sql.ts'

/** A row for each open subscription; one with nulls where there is none. */
export type Subscription = {
  version: bigint
  destination_id: Id<'dest'> | null
  audience: Audience | null
  event_type: string | null
  is_confirmed: boolean | null
}

/** The version and the subscriptions at that version: one statement sees both as they were at one moment. */
export const selectSubscriptions = statement<Subscription, { account_id: string; mode: Mode }>(
  'select_known_subscriptions',
  sql`select coalesce(${subscriptionVersion}, 0) as version, s.destination_id, s.audience, s.event_type, s.is_confirmed
   from (values (1)) as one (row)
   left join (
     select distinct b.destination_id, d.audience, b.event_type, d.confirmed_at is not null as is_confirmed
     from destination_subscriptions b
     join webhook_destinations d on d.account_id = b.account_id and d.mode = b.mode and d.id = b.destination_id and d.status <> 'archived'
     where b.account_id = $account_id and b.mode = $mode and b.subscribed_until is null
   ) as s on true`,
)

type DeliveryArrays = {
  delivery_account_ids: readonly string[]
  delivery_modes: readonly string[]
  delivery_ids: readonly string[]
  destination_ids: readonly string[]
  event_ids: readonly string[]
  event_account_ids: readonly string[]
  types: readonly string[]
  delivery_aggregate_ids: readonly string[]
  sequences: readonly number[]
}

/** Deliveries to confirmed endpoints, made in the transaction of their events. */
export const insertAtOnce = withOutbox<DeliveryArrays>(
  'insert_deliveries_at_once',
  // guard kept-then-delivered: deliveries are inserted only where the outbox says that they are
  `insert into deliveries (account_id, mode, id, destination_id, event_id, event_account_id, event_type, aggregate_id, sequence,
     status, attempt_count, due_at, created_at, updated_at)
   select /* tenantless: each row names its own */ m.account_id, m.mode, m.id, m.destination_id, m.event_id, m.event_account_id,
     m.type, m.aggregate_id, m.sequence, 'pending', 0, $now, $now, $now
   from unnest($delivery_account_ids::text[], $delivery_modes::mode[], $delivery_ids::text[], $destination_ids::text[],
     $event_ids::text[], $event_account_ids::text[], $types::text[], $delivery_aggregate_ids::text[], $sequences::int[])
     as m (account_id, mode, id, destination_id, event_id, event_account_id, type, aggregate_id, sequence)
   join kept on kept.account_id = m.event_account_id and kept.mode = m.mode and kept.aggregate_id = m.aggregate_id and kept.is_delivered`,
)
