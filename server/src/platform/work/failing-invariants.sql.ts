import { statement } from '../../contract/statement.ts'
import type { Invariant, InvariantRow } from '../audit/invariants.ts'
import { ofAllQueues, type Queue } from '../slices/queue.ts'
import { hasFailedLong } from './failing.sql.ts'

/** W2, while workers run. A row whose step fails every time is not being worked on, however soon it is tried next. */
export function failingInvariants(queues: readonly Queue[]): Invariant[] {
  const checkFailing = statement<InvariantRow, Record<never, never>>(
    'invariant_failing_steps',
    `/* tenantless: checks every tenant's rows, for the operator */
   with failing as (
     ${ofAllQueues(queues, ({ kind, table }) => `select '${kind} ' || id as id, ${hasFailedLong(table)} as is_broken from ${table} where due_at is not null`)})
   select count(*) as checked, (array_agg(id order by id) filter (where is_broken))[1:100] as violations from failing`,
  )
  return [
    {
      id: 'W2-failing',
      title: 'No step of any work has only failed for an hour',
      needsWorkers: true,
      statement: checkFailing({}),
    },
  ]
}
