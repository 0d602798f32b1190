import { statement } from '../../contract/statement.ts'
import { byAge, type Sweep, type SweepPools, type Swept, sweptBy } from '../retention/sweep.ts'

/** After its time a key has no meaning: the same request is a new one, except where an object keeps its key for life. */
export const sweepIdempotencyKeys: Sweep = {
  name: 'idempotency_keys',
  removes: 'idempotency keys',
  keeps: 'idempotencyDays',
  async *batches(pools, before) {
    yield* byAge(pools, (limit) => deleteKeys({ before, limit }))
    yield* unkeyedDigests(pools)
  },
}

const deleteKeys = statement<Swept, { before: Date; limit: number }>(
  'sweep_idempotency_keys',
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

/** Once no process of the previous version needs it, a row with the keyed digest loses the other one. These rows stay. */
async function* unkeyedDigests(pools: SweepPools): AsyncGenerator<Swept> {
  for (;;) {
    const { rows } = await sweptBy(pools, clearUnkeyed({ limit: clearedAtOnce }))
    yield { rows: 0, oldest: null }
    if (rows < clearedAtOnce) break
  }
  await pools.single(endUnkeyed({}))
}

const clearedAtOnce = 500

// Rows with both digests were written in the hour before `unkeyed_until`, by clocks that may differ by minutes.
const isOver = `prokura_now() > unkeyed_until + interval '5 minutes'`

const clearUnkeyed = statement<Swept, { limit: number }>(
  'sweep_unkeyed_digests',
  `/* tenantless: a sweep is of every account */
   with doubled as (
     select k.account_id, k.mode, k.operation, k.key
     from idempotency_digests d
     join idempotency_keys k on k.created_at between d.unkeyed_until - interval '2 hours' and d.unkeyed_until + interval '5 minutes'
     where isfinite(d.unkeyed_until) and ${isOver} and k.request_digest is not null and k.keyed_digest is not null
     limit $limit for update of k skip locked
   ), cleared as (
     update idempotency_keys k set request_digest = null from doubled d
     where k.account_id = d.account_id and k.mode = d.mode and k.operation = d.operation and k.key = d.key
     returning 1
   )
   select count(*)::int as rows, null::timestamptz as oldest from cleared`,
)

const endUnkeyed = statement<never, Record<never, never>>(
  'end_unkeyed_digests',
  `/* tenantless: one for all */
   update idempotency_digests d set unkeyed_until = '-infinity'
   where isfinite(d.unkeyed_until) and ${isOver} and not exists (
     select from idempotency_keys k
     where k.created_at between d.unkeyed_until - interval '2 hours' and d.unkeyed_until + interval '5 minutes'
       and k.request_digest is not null and k.keyed_digest is not null)`,
)
