import type { Mode } from '../../../contract/context.ts'
import type { Fragment } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { sql } from '../../../platform/database/fragment.ts'
import type { DestinationSettings } from './destination-settings.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }

const answersOrders = `event_types @> array['order.requested', 'order.confirmed', 'order.rejected']`

/** Enabled destinations of a merchant that may answer orders; each counts once its endpoint has confirmed. */
export const orderDestinations: Fragment<{ id: Id<'dest'>; confirmed_at: Date | null }, Tenanted> =
  sql`select id, confirmed_at from destinations
   where account_id = $account_id and mode = $mode and status = 'enabled' and ${answersOrders}`

/** The enabled destination that answers quotes. */
export const quoteResponder: Fragment<{ id: Id<'dest'>; confirmed_at: Date | null }, Tenanted> =
  sql`select id, confirmed_at from destinations
   where account_id = $account_id and mode = $mode and responds_to_quotes and status = 'enabled'`

/** A merchant's destination with its present settings. */
export const destinationNow: Fragment<
  {
    id: Id<'dest'>
    status: 'enabled' | 'disabled' | 'archived'
    confirmed_at: Date | null
    settings_now: DestinationSettings
  },
  Tenanted & { destination_id: string }
> =
  sql`select d.id, d.status, d.confirmed_at, jsonb_build_object('endpoint_url', d.endpoint_url, 'event_types', d.event_types,
    'responds_to_quotes', d.responds_to_quotes, 'is_archived', d.status = 'archived',
    'changes', jsonb_build_object('endpoint', d.endpoint_changes, 'event_types', d.event_types_changes, 'responder', d.responder_changes),
    'secret_prefix', (select s.prefix from destination_secrets s
      where s.account_id = d.account_id and s.mode = d.mode and s.destination_id = d.id
      order by s.position desc limit 1)) as settings_now
   from destinations d where d.account_id = $account_id and d.mode = $mode and d.id = $destination_id`

/** How one event was delivered to one destination. */
export type DeliveryFacts = {
  id: Id<'dlv'>
  status: 'pending' | 'succeeded' | 'failed' | 'exhausted'
  attempts: number
  http_status: number | null
  error: string | null
  last_attempt_at: string | null
}

export const deliveryFacts: Fragment<
  { facts: DeliveryFacts },
  Tenanted & { destination_id: string; event_id: string }
> = sql`select jsonb_build_object('id', v.id, 'status', v.status, 'attempts', v.attempt_count,
       'http_status', tried.http_status, 'error', tried.error, 'last_attempt_at', v.last_attempt_at) as facts
     from deliveries v
     left join delivery_attempts tried on tried.account_id = v.account_id and tried.mode = v.mode and tried.delivery_id = v.id
       and tried.position = v.attempt_count
     where v.account_id = $account_id and v.mode = $mode and v.destination_id = $destination_id and v.event_id = $event_id`
