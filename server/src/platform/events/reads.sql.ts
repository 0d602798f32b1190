import type { Mode } from '../../contract/context.ts'
import type { Fragment } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'
import { sql } from '../database/fragment.ts'
import { sizeOfText } from './packed-text.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }

/** An event as it is stored. */
type StoredEvent = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'evt'>
  type: string
  aggregate_id: string
  sequence: number
  cart_id: string | null
  actor_type: string
  actor_id: string | null
  /** Its text, which the database unpacks in 0.3 ms: for what is seldom read. Others read the bytes, and `unpackText` them. */
  object: string
  object_bytes: Buffer
  /** Of the object as a text. */
  object_size: number
  envelope_bytes: Buffer | null
  created_at: Date
}

const columns = `account_id, mode, id, type, aggregate_id, sequence, cart_id, actor_type, actor_id, object, object_bytes,
   ${sizeOfText('object_bytes')} as object_size, envelope_bytes, created_at`

/** For a statement that selects them: by account, mode and id, or in the order of their aggregate. */
export const storedEvents: Fragment<StoredEvent, unknown> =
  sql`/* tenantless: whose, the statement around it says */
   select ${columns} from events`

// guard tenant-of-events-of-an-aggregate: rows of other accounts and of the other mode do not exist for the caller
export const eventsOfAggregate: Fragment<StoredEvent, Tenanted & { aggregate_id: string }> =
  sql`select ${columns} from events where account_id = $account_id and mode = $mode and aggregate_id = $aggregate_id`

/** The id of an aggregate's first event. */
export const firstEventOf: Fragment<{ id: Id<'evt'> }, Tenanted & { aggregate_id: string }> =
  sql`select id from events where account_id = $account_id and mode = $mode and aggregate_id = $aggregate_id and sequence = 1`
