import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { byAge, type Sweep, type Swept } from '../../../platform/retention/sweep.ts'
import type { ResultRow } from './cart-result.ts'

export const writeResult = statement<never, ResultRow>(
  'write_cart_result',
  `insert into cart_results (account_id, mode, cart_id, intent_id, content_type, bytes, sha256, sealed, created_at)
   values ($account_id, $mode, $cart_id, $intent_id, $content_type, $bytes, $sha256, $sealed, $created_at)
   on conflict (account_id, mode, cart_id) do update
   set content_type = excluded.content_type, bytes = excluded.bytes, sha256 = excluded.sha256, sealed = excluded.sealed,
     created_at = excluded.created_at`,
)

export const selectResult = statement<
  ResultRow,
  { account_id: Id<'acct'>; mode: Mode; cart_id: string; intent_id: string }
>(
  'select_cart_result',
  `select account_id, mode, cart_id, intent_id, content_type, bytes, sha256, sealed, created_at from cart_results
   where account_id = $account_id and mode = $mode and cart_id = $cart_id and intent_id = $intent_id`,
)

/** The bytes go. That there was a result stays. */
const deleteOldResults = statement<Swept, { before: Date; limit: number }>(
  'sweep_cart_results',
  `/* tenantless: a sweep is of every account */
   with old as (
     select account_id, mode, cart_id from cart_results where sealed is not null and created_at < $before
     order by created_at limit $limit for update skip locked
   ), gone as (
     update cart_results r set sealed = null from old o
     where r.account_id = o.account_id and r.mode = o.mode and r.cart_id = o.cart_id returning r.created_at
   )
   select count(*)::int as rows, min(created_at) as oldest from gone`,
)

/** The bytes of what was bought over a paid request, once nobody can read them any more. */
export const sweepResults: Sweep = {
  name: 'cart_results',
  removes: 'results of paid requests',
  keeps: 'resultDays',
  batches: (pools, before) => byAge(pools, (limit) => deleteOldResults({ before, limit })),
}
