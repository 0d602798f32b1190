import { statement } from '../../contract/statement.ts'
import { byAge, type Sweep, type Swept } from '../retention/sweep.ts'

/** After its time a key has no meaning: the same request is a new one, except where an object keeps its key for life. */
export const sweepIdempotencyKeys: Sweep = {
  name: 'idempotency_keys',
  removes: 'idempotency keys',
  keeps: 'idempotencyDays',
  batches: (pools, before) => byAge(pools, (limit) => deleteKeys({ before, limit })),
}

const deleteKeys = statement<Swept, { before: Date; limit: number }>(
  'sweep_idempotency_keys',
  // guard keys-are-kept-for-their-time: an idempotency key replays for as long as it is promised
  `/* tenantless: a sweep is of every account */
   with old as (
     select account_id, mode, operation, key from idempotency_keys
     where created_at < $before order by created_at limit $limit for update skip locked
   ), gone as (
     delete from idempotency_keys k using old o
     where k.account_id = o.account_id and k.mode = o.mode and k.operation = o.operation and k.key = o.key
     returning k.created_at
   )
   select count(*)::int as rows, min(created_at) as oldest from gone`,
)
