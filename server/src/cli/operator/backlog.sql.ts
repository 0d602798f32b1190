import { queues } from '../../composition.ts'
import { statement } from '../../contract/statement.ts'
import { ofAllQueues } from '../../platform/slices/queue.ts'
import { hasFailedLong } from '../../platform/work/failing.sql.ts'
import { countUnserved } from './trouble.sql.ts'

export type BacklogRow =
  | { family: 'due'; label: string; state: 'waiting' | 'leased' | 'scheduled'; value: number }
  | {
      family: 'oldest' | 'purchases' | 'effects' | 'held' | 'unknown' | 'failing'
      label: string
      state: string
      value: number
    }
  /** `state` is the mode and the way of buying, where the work needs them. */
  | { family: 'unserved'; label: string; state: string; value: number }

/**
 * Everything that waits, in one statement that reads only rows which have not ended: each of these has a time at which it is looked at,
 * and an index by that time. Rows that have ended are never counted here, however many there are.
 */
/* tenantless: the operator's overview counts across every account_id and mode */
export const countBacklog = statement<BacklogRow, Record<never, never>>(
  'backlog_count',
  `with queues as (
     ${ofAllQueues(
       queues,
       ({ kind, table, mode = `''`, channel = `''` }) =>
         `select '${kind}' as kind, due_at, lease_until, ${mode} as mode, ${channel} as channel, ${hasFailedLong(table)} as has_failed
     from ${table} where due_at is not null`,
     )}
   ), due as (
     select kind, due_at, mode, channel, has_failed, case
         when lease_until > prokura_now() then 'leased'
         when due_at <= prokura_now() then 'waiting'
         else 'scheduled' end as state
     from queues
   )
   select 'due' as family, kind as label, state, count(*)::float8 as value from due group by kind, state
   union all
   select 'oldest', kind, '', extract(epoch from prokura_now() - min(due_at))::float8
   from due where state = 'waiting' group by kind
   union all
   select 'unserved', kind, concat_ws(' ', nullif(mode, ''), nullif(channel, '')), rows::float8 from (${countUnserved}) as unserved
   union all
   select 'failing', kind, '', count(*)::float8 from due where has_failed group by kind
   union all
   select 'purchases', mode::text, status, count(*)::float8
   from purchase_intents where due_at is not null group by mode, status
   union all
   select 'effects', e.step, case when e.put_off is null then e.state else 'put_off' end, count(*)::float8
   from carts c
   join effects e on e.account_id = c.account_id and e.mode = c.mode and e.cart_id = c.id
   where c.due_at is not null and (e.state in ('sent', 'unknown')
     or e.put_off is not null and (e.state = 'unsent' or e.state = 'refused' and e.step in ('void', 'revoke')))
   group by 2, 3
   union all
   select 'effects', 'order_refund', 'put_off', count(*)::float8
   from order_refunds where due_at is not null and put_off is not null having count(*) > 0
   union all
   select 'held', a.mode::text, a.currency, sum(a.amount - a.captured_amount)::float8
   from carts c
   join authorizations a on a.account_id = c.account_id and a.mode = c.mode and a.cart_id = c.id
   where c.due_at is not null and a.status = 'authorized' group by a.mode, a.currency
   union all
   select 'unknown', mode::text, '', count(*)::float8
   from carts where status = 'failed' and not outcome_known group by mode`,
)
