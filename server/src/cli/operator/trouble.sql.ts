import { queues } from '../../composition.ts'
import type { Mode } from '../../contract/context.ts'
import { statement } from '../../contract/statement.ts'
import { isUnansweredEffect } from '../../domain/buying/execution/invariants.sql.ts'
import { ofAllQueues } from '../../platform/slices/queue.ts'
import { hasFailedLong } from '../../platform/work/failing.sql.ts'
import { servedNeeds } from '../../platform/work/workers.sql.ts'

type None = Record<never, never>

/** Work that has been due for a minute and that no live worker has the means for. Mode and channel are empty where it needs neither. */
export type UnservedWork = { kind: string; mode: string; channel: string; rows: number }

const dueForAMinute = ofAllQueues(
  queues,
  ({ kind, table, mode = `''`, channel = `''` }) =>
    `select '${kind}' as kind, ${mode} as mode, ${channel} as channel, due_at, 'waiting' as state from ${table}
     where due_at < prokura_now() - interval '60 seconds' and (lease_until is null or lease_until <= prokura_now())`,
)

/** For statements that have all queues as `due`, with kind, mode, channel, due_at and state. */
export const countUnserved = `select kind, mode, channel, count(*)::int as rows from due
     where state = 'waiting' and due_at < prokura_now() - interval '60 seconds' and not exists (
       select from (${servedNeeds}) as served
       where served.need = concat_ws(' ', kind, nullif(mode, ''), nullif(channel, '')))
     group by kind, mode, channel`

/* tenantless: the operator's overview, of every account_id and mode */
export const selectUnserved = statement<UnservedWork, None>(
  'trouble_unserved',
  `with due as (
     ${dueForAMinute}
   )
   ${countUnserved} order by kind, mode, channel`,
)

/** A row whose step has only failed for an hour; `of` is the object that it belongs to. */
export type FailingStep = {
  kind: string
  account_id: string
  mode: Mode
  id: string
  of: string
  failures: number
  failing_since: Date
  error: string | null
}

/* tenantless: the operator's overview, of every account_id and mode */
export const selectFailing = statement<FailingStep, None>(
  'trouble_failing',
  `select * from (
     ${ofAllQueues(
       queues,
       ({ kind, table, of = 'id' }) =>
         `select '${kind}' as kind, account_id, mode, id, ${of} as of, step_failures as failures, step_failing_since as failing_since,
         step_error as error from ${table} where ${hasFailedLong(table)}`,
     )}
   ) as failing order by failing_since, id limit 100`,
)

/** A call of unknown outcome, an hour after it was sent, whose row does not fail: nothing else would report it. */
export type UnansweredCall = {
  account_id: string
  mode: Mode
  key: string
  of: string
  step: string
  sent_at: Date
}

/* tenantless: the operator's overview, of every account_id and mode */
export const selectUnanswered = statement<UnansweredCall, None>(
  'trouble_unanswered',
  `select * from (
     select e.account_id, e.mode, e.key, e.intent_id as of, e.step, e.sent_at from carts c
     join effects e on e.account_id = c.account_id and e.mode = c.mode and e.cart_id = c.id
     where c.due_at is not null and ${isUnansweredEffect} and ${hasFailedLong('c')} is not true
     union all
     select r.account_id, r.mode, r.id, r.order_id, 'refund', r.sent_at from order_refunds r
     where r.due_at is not null and r.sent_at < prokura_now() - interval '1 hour' and ${hasFailedLong('r')} is not true
   ) as unanswered order by sent_at, key limit 100`,
)
