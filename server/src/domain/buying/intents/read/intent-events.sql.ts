import type { Mode } from '../../../../contract/context.ts'
import { statement } from '../../../../contract/statement.ts'
import type { Id } from '../../../../core/id.ts'
import { correlate, sql } from '../../../../platform/database/fragment.ts'
import { eventsOfAggregate } from '../../../../platform/events/reads.sql.ts'
import type { IntentStatus } from '../machine.ts'

export type IntentEventRow = {
  id: Id<'evt'>
  type: string
  aggregate_id: Id<'pi'>
  sequence: number
  cart_id: Id<'cart'> | null
  actor_type: string
  actor_id: string | null
  /** For `unpackText`: the intent as JSON; of `cart.*` events, its status and the one cart. */
  object_bytes: Buffer
  created_at: Date
}

export type OfIntent = { account_id: Id<'acct'>; mode: Mode; intent_id: string }

/**
 * Up to `limit` events, and fewer where their objects are larger than `bytes` together: the events of a purchase with a hundred carts can
 * have half a megabyte each. The first event is always returned.
 */
export const selectIntentEvents = statement<
  IntentEventRow,
  OfIntent & { after: number; limit: number; bytes: number }
>(
  'select_intent_events',
  sql`select id, type, aggregate_id, sequence, cart_id, actor_type, actor_id, object_bytes, created_at
   from (
     select e.*, sum(object_size) over (order by sequence) - object_size as bytes_before
     from (
       select * from ${correlate(eventsOfAggregate, { aggregate_id: '$intent_id' })} all_of_it where sequence > $after
       order by sequence limit $limit
     ) e
   ) sized
   where bytes_before < $bytes::bigint
   order by sequence`,
)

/** The status of an intent, and how many events it has: `seq` is the sequence of the last one. */
export const selectIntentProgress = statement<{ status: IntentStatus; seq: number }, OfIntent>(
  'select_intent_progress',
  `select status, seq from purchase_intents where account_id = $account_id and mode = $mode and id = $intent_id`,
)
