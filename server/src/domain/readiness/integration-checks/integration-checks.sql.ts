import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { aggregate, type Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { correlate, sql } from '../../../platform/database/fragment.ts'
import { eventsOfAggregate, firstEventOf } from '../../../platform/events/reads.sql.ts'
import { claimStatement } from '../../../platform/work/lease.sql.ts'
import type { Claimed } from '../../../platform/work/lease.ts'
import { orderOfMerchant } from '../../trade/orders/reads.sql.ts'
import { quoteRequest } from '../../trade/quotes/reads.sql.ts'
import type { DestinationSettings } from '../../webhooks/destinations/public.ts'
import { type DeliveryFacts, deliveryFacts, destinationNow } from '../../webhooks/destinations/reads.sql.ts'
import type { CheckRow } from './integration-check.ts'

type Key = Tenanted & { id: string }

const checks = aggregate<CheckRow>()({
  table: 'integration_checks',
  columns: `account_id, mode, id, kind, destination_id, order_id, quote_request, quote_id, status, steps, evidence, failure,
    settings, deadline_at, finished_at, due_at, seq, created_at, updated_at`,
  key: ['id'],
  json: ['quote_request', 'steps', 'evidence', 'failure', 'settings'],
  fixed: ['kind', 'destination_id', 'order_id', 'quote_request'],
})
const ofCheck = checks.columnsOf('c')

export const insertCheck = checks.insert('insert_integration_check')
/** Run it under `lockClaimedCheck`. */
export const updateCheck = checks.update('update_integration_check', { endsLease: true })

export type CheckNow = CheckRow & { settings_now: DestinationSettings }

const itsDestination = correlate(destinationNow, {
  account_id: 'c.account_id',
  mode: 'c.mode',
  destination_id: 'c.destination_id',
})

export const selectCheck = statement<CheckNow, Key>(
  'select_integration_check',
  sql`select ${ofCheck}, now.settings_now from integration_checks c cross join lateral ${itsDestination} now
   where c.account_id = $account_id and c.mode = $mode and c.id = $id`,
)

type CheckFilter = Tenanted & {
  kind: string | null
  status: string | null
  destination_id: string | null
}

const filters = `account_id = $account_id and mode = $mode and ($kind::text is null or kind = $kind)
  and ($status::text is null or status = $status) and ($destination_id::text is null or destination_id = $destination_id)`

export const selectChecks = statement<CheckNow, CheckFilter & { limit: number; offset: number }>(
  '',
  sql`select ${ofCheck}, now.settings_now
   from (select * from integration_checks where ${filters} order by id desc limit $limit + 1 offset $offset) c
   cross join lateral ${itsDestination} now
   order by c.id desc`,
)

export const countChecks = statement<{ counted: number }, CheckFilter & { cap: number }>(
  '',
  `select count(*)::int as counted from (select 1 from integration_checks where ${filters} limit $cap + 1) as first_ones`,
)

/** The subject of a check: the destination of today, and whether the merchant has received this order. */
type CheckSubject = {
  destination_id: Id<'dest'>
  destination_status: 'enabled' | 'disabled' | 'archived'
  settings_now: DestinationSettings
  order_id: Id<'ord'> | null
}

export const selectCheckSubject = statement<
  CheckSubject,
  Tenanted & { destination_id: string; order_id: string | null }
>(
  'select_integration_check_subject',
  sql`select now.id as destination_id, now.status as destination_status, now.settings_now,
     (select o.id from ${orderOfMerchant} o) as order_id
   from ${destinationNow} now`,
)

export type ClaimedCheck = Claimed & { id: Id<'chk'> }

export const claimDueChecks = claimStatement<ClaimedCheck>('integration_checks')

/** An endpoint that has not confirmed gets no deliveries that a check could look at. */
export type CheckedStatus = 'enabled' | 'unconfirmed' | 'disabled' | 'archived'

export type LockedCheck = CheckNow & { destination_status: CheckedStatus }

/** For the worker that claimed it, as long as its lease is the last one. */
export const lockClaimedCheck = statement<LockedCheck, Key & { lease_token: bigint }>(
  'lock_claimed_integration_check',
  sql`select ${ofCheck}, now.settings_now,
     case when now.status = 'enabled' and now.confirmed_at is null then 'unconfirmed' else now.status end as destination_status
   from integration_checks c cross join lateral ${itsDestination} now
   where c.account_id = $account_id and c.mode = $mode and c.id = $id and c.lease_token = $lease_token
     and c.status in ('queued', 'running')
   for no key update of c`,
)

/** An order with everything that proves or disproves its destination. */
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
  /** The destination as its last event before the order showed it; null if it was made later. */
  destination_then: {
    webhook: { endpoint_url: string }
    event_types: string[]
    responds_to_quotes: boolean
    secret: { prefix: string }
  } | null
}

/** Of the destination's own events, only those that show it; a recovery shows something else. */
export const selectOrderFacts = statement<
  OrderFacts,
  Tenanted & { destination_id: string; order_id: string }
>(
  'select_order_check_facts',
  sql`select o.status as order_status, o.payment_status, o.total_amount, o.currency,
     o.created_at as ordered_at, o.responded_at, o.responded_by_type, o.responded_by_id, asked.id as event_id,
     ${correlate(deliveryFacts, { event_id: 'asked.id' })} as delivery,
     (select e.object::jsonb from ${correlate(eventsOfAggregate, { aggregate_id: '$destination_id' })} e
      where e.created_at <= o.created_at
        and e.type in ('destination.created', 'destination.updated', 'destination.secret_rotated', 'destination.enabled',
          'destination.disabled', 'destination.archived', 'destination.test')
      order by e.sequence desc limit 1) as destination_then
   from ${orderOfMerchant} o
   left join lateral ${correlate(firstEventOf, { account_id: 'o.account_id', mode: 'o.mode', aggregate_id: 'o.id' })} asked on true`,
)

/** The delivery of a quote's request to this destination, with the request that counts. */
export const selectQuoteDelivery = statement<
  { delivery: DeliveryFacts | null },
  Tenanted & { destination_id: string; quote_id: string }
>(
  'select_quote_check_delivery',
  sql`select ${correlate(deliveryFacts, { event_id: 'q.requested_event_id' })} as delivery from ${quoteRequest} q`,
)
