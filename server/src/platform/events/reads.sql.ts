import type { Mode } from '../../contract/context.ts'
import type { Fragment } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'
import { sql } from '../database/fragment.ts'

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
  object: string
  envelope: string | null
  created_at: Date
}

const columns =
  'account_id, mode, id, type, aggregate_id, sequence, cart_id, actor_type, actor_id, object, envelope, created_at'

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
