import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { claimStatement } from '../../../platform/work/lease.sql.ts'
import type { Claimed } from '../../../platform/work/lease.ts'
import { type DestinationSettings, settingsNow } from '../../selling/merchant/public.ts'
import type { CheckRow } from './integration-check.ts'

type Tenant = { account_id: Id<'acct'>; mode: Mode }
type Key = Tenant & { id: string }

/** A check as its statements take it. */
export type CheckWrite = Omit<CheckRow, 'quote_request' | 'steps' | 'evidence' | 'failure' | 'settings'> & {
  quote_request: string | null
  steps: string
  evidence: string | null
  failure: string | null
  settings: string | null
}

const columns = `account_id, mode, id, kind, destination_id, order_id, quote_request, quote_id, status, steps, evidence, failure,
  settings, deadline_at, finished_at, due_at, seq, created_at, updated_at`
const ofCheck = columns
  .split(',')
  .map((name) => `c.${name.trim()}`)
  .join(', ')

export type CheckNow = CheckRow & { settings_now: DestinationSettings }

const withSettings = `integration_checks c
  join destinations d on d.account_id = c.account_id and d.mode = c.mode and d.id = c.destination_id`

export const insertCheck = statement<never, CheckWrite>(
  'insert_integration_check',
  `insert into integration_checks (${columns})
   values ($account_id, $mode, $id, $kind, $destination_id, $order_id, $quote_request, $quote_id, $status, $steps, $evidence,
     $failure, $settings, $deadline_at, $finished_at, $due_at, $seq, $created_at, $updated_at)`,
)

export const selectCheck = statement<CheckNow, Key>(
  'select_integration_check',
  `select ${ofCheck}, ${settingsNow} as settings_now from ${withSettings}
   where c.account_id = $account_id and c.mode = $mode and c.id = $id`,
)

export type CheckFilter = Tenant & {
  kind: string | null
  status: string | null
  destination_id: string | null
}

const filters = `account_id = $account_id and mode = $mode and ($kind::text is null or kind = $kind)
  and ($status::text is null or status = $status) and ($destination_id::text is null or destination_id = $destination_id)`

export const selectChecks = statement<CheckNow, CheckFilter & { limit: number; offset: number }>(
  '',
  `select ${ofCheck}, ${settingsNow} as settings_now
   from (select * from integration_checks where ${filters} order by id desc limit $limit + 1 offset $offset) c
   join destinations d on d.account_id = c.account_id and d.mode = c.mode and d.id = c.destination_id
   order by c.id desc`,
)

export const countChecks = statement<{ counted: number }, CheckFilter & { cap: number }>(
  '',
  `select count(*)::int as counted from (select 1 from integration_checks where ${filters} limit $cap + 1) as first_ones`,
)

/** What a check is made for: the destination as it is, and whether the merchant has received this order. */
export type CheckSubject = {
  destination_id: Id<'dest'>
  destination_status: 'enabled' | 'disabled' | 'archived'
  settings_now: DestinationSettings
  order_id: Id<'ord'> | null
}

export const selectCheckSubject = statement<
  CheckSubject,
  Tenant & { destination_id: string; order_id: string | null }
>(
  'select_integration_check_subject',
  `select d.id as destination_id, d.status as destination_status, ${settingsNow} as settings_now,
     (select o.id from orders o where o.merchant_account_id = $account_id and o.mode = $mode and o.id = $order_id) as order_id
   from destinations d where d.account_id = $account_id and d.mode = $mode and d.id = $destination_id`,
)

export type ClaimedCheck = Claimed & { id: Id<'chk'> }

export const claimDueChecks = claimStatement<ClaimedCheck>('integration_checks')

/** An endpoint that has not confirmed is sent nothing that a check could look at. */
export type CheckedStatus = 'enabled' | 'unconfirmed' | 'disabled' | 'archived'

export type LockedCheck = CheckNow & { destination_status: CheckedStatus }

/** Held by the worker that claimed it, as long as its lease is the last one. */
export const lockClaimedCheck = statement<LockedCheck, Key & { lease_token: bigint }>(
  'lock_claimed_integration_check',
  `select ${ofCheck}, ${settingsNow} as settings_now,
     case when d.status = 'enabled' and d.confirmed_at is null then 'unconfirmed' else d.status end as destination_status
   from ${withSettings}
   where c.account_id = $account_id and c.mode = $mode and c.id = $id and c.lease_token = $lease_token
     and c.status in ('queued', 'running')
   for no key update of c`,
)

/** Under `lockClaimedCheck`. */
export const updateCheck = statement<never, CheckWrite>(
  'update_integration_check',
  `update integration_checks set status = $status, steps = $steps, evidence = $evidence, failure = $failure,
     settings = $settings, quote_id = $quote_id, deadline_at = $deadline_at, finished_at = $finished_at, due_at = $due_at,
     lease_until = null, seq = $seq, updated_at = $updated_at
   where account_id = $account_id and mode = $mode and id = $id`,
)

/** How one event was delivered to one destination. */
export type DeliveryFacts = {
  id: Id<'dlv'>
  status: 'pending' | 'succeeded' | 'failed' | 'exhausted'
  attempts: number
  http_status: number | null
  error: string | null
  last_attempt_at: string | null
}

const deliveryFacts = `select jsonb_build_object('id', v.id, 'status', v.status, 'attempts', v.attempt_count,
       'http_status', a.http_status, 'error', a.error, 'last_attempt_at', v.last_attempt_at)
     from deliveries v
     left join delivery_attempts a on a.account_id = v.account_id and a.mode = v.mode and a.delivery_id = v.id
       and a.position = v.attempt_count
     where v.account_id = $account_id and v.mode = $mode and v.destination_id = $destination_id`

/** An order with all that speaks for or against its destination. */
export type OrderFacts = {
  order_status: string
  payment_status: string
  total_amount: bigint
  currency: string
  ordered_at: Date
  responded_at: Date | null
  responded_by_type: string | null
  responded_by_id: string | null
  event_id: Id<'evt'> | null
  delivery: DeliveryFacts | null
  /** The destination as it was shown last before the order was placed; null if it was made later. */
  destination_then: {
    webhook: { endpoint_url: string }
    event_types: string[]
    responds_to_quotes: boolean
    secret: { prefix: string }
  } | null
}

/** Of the destination's own events, those that show it; a recovery shows something else. */
export const selectOrderFacts = statement<OrderFacts, Tenant & { destination_id: string; order_id: string }>(
  'select_order_check_facts',
  `select o.status as order_status, o.payment_status, o.total_amount, o.currency,
     o.created_at as ordered_at, o.responded_at, o.responded_by_type, o.responded_by_id, asked.id as event_id,
     (${deliveryFacts} and v.event_id = asked.id) as delivery,
     (select e.object::jsonb from events e
      where e.account_id = $account_id and e.mode = $mode and e.aggregate_id = $destination_id and e.created_at <= o.created_at
        and e.type in ('destination.created', 'destination.updated', 'destination.secret_rotated', 'destination.enabled',
          'destination.disabled', 'destination.archived', 'destination.test')
      order by e.sequence desc limit 1) as destination_then
   from orders o
   left join events asked on asked.account_id = o.account_id and asked.mode = o.mode and asked.aggregate_id = o.id
     and asked.sequence = 1
   where o.merchant_account_id = $account_id and o.mode = $mode and o.id = $order_id`,
)

/** How a quote was asked for of this destination, with the request that counts. */
export const selectQuoteDelivery = statement<
  { delivery: DeliveryFacts | null },
  Tenant & { destination_id: string; quote_id: string }
>(
  'select_quote_check_delivery',
  `select (${deliveryFacts} and v.event_id = q.requested_event_id) as delivery
   from quotes q where q.account_id = $account_id and q.mode = $mode and q.id = $quote_id`,
)
