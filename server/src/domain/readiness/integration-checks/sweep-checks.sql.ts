import { statement } from '../../../contract/statement.ts'
import { byAge, type Sweep, type Swept } from '../../../platform/retention/sweep.ts'

const deleteOldChecks = statement<Swept, { before: Date; limit: number }>(
  'sweep_integration_checks',
  // guard sweep-leaves-the-last-check: the check that a merchant stands on is not swept away
  `/* tenantless: a sweep is of every account */
   with old as (
     select account_id, mode, id from integration_checks c
     where finished_at < $before and exists (
       select from integration_checks later
       where later.account_id = c.account_id and later.mode = c.mode and later.kind = c.kind and later.status = c.status
         and later.destination_id = c.destination_id and later.id > c.id)
     limit $limit for update skip locked
   ), gone as (
     delete from integration_checks c using old o where c.account_id = o.account_id and c.mode = o.mode and c.id = o.id
     returning c.created_at
   )
   select count(*)::int as rows, min(created_at) as oldest from gone`,
)

/** Checks that a later one of the same kind, outcome and destination has replaced. */
export const sweepChecks: Sweep = {
  name: 'integration_checks',
  removes: 'integration checks that a later one replaced',
  keeps: 'finishedWorkDays',
  batches: (pools, before) => byAge(pools, (limit) => deleteOldChecks({ before, limit })),
}
