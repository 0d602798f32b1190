import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import { sql } from '../../../platform/database/fragment.ts'
import { storedEvents } from '../../../platform/events/reads.sql.ts'

export type SentAttempt = {
  account_id: string
  mode: Mode
  delivery_id: string
  position: number
  body_digest: Buffer
  audience: string | null
  /** Null where the delivery or its event is gone. */
  event_id: string | null
  event_type: string
  event_created_at: Date
  aggregate_id: string
  object_bytes: Buffer
  envelope_bytes: Buffer | null
}

/** Each attempt with the event that it sent. */
export const selectSentAttempts = statement<
  SentAttempt,
  { account_id: string; mode: Mode; delivery_id: string; position: number; limit: number }
>(
  'invariant_sent_attempts',
  sql`/* tenantless: an audit of everything */
   select a.account_id, a.mode, a.delivery_id, a.position, a.body_digest, d.audience, e.id as event_id, e.type as event_type,
     e.created_at as event_created_at, e.aggregate_id, e.object_bytes, e.envelope_bytes
   from (
     select account_id, mode, delivery_id, position, body_digest from delivery_attempts
     where (account_id, mode, delivery_id, position) > ($account_id, $mode::mode, $delivery_id, $position::int)
     order by account_id, mode, delivery_id, position limit $limit
   ) as a
   left join deliveries v on v.account_id = a.account_id and v.mode = a.mode and v.id = a.delivery_id
   left join ${storedEvents} e on e.account_id = v.event_account_id and e.mode = v.mode and e.aggregate_id = v.aggregate_id
     and e.sequence = v.sequence
   left join webhook_destinations d on d.account_id = v.account_id and d.mode = v.mode and d.id = v.destination_id
   order by a.account_id, a.mode, a.delivery_id, a.position`,
)
