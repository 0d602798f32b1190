import { statement } from '../../../contract/statement.ts'
import { byAge, type Sweep, type Swept } from '../../../platform/retention/sweep.ts'

// The last one never expires, so that a number is never used twice.
const deleteOldSecrets = statement<Swept, { before: Date; limit: number }>(
  'sweep_destination_secrets',
  `/* tenantless: a sweep is of every account */
   with old as (
     select account_id, mode, destination_id, position from destination_secrets
     where expires_at < $before limit $limit for update skip locked
   ), gone as (
     delete from destination_secrets s using old o
     where s.account_id = o.account_id and s.mode = o.mode and s.destination_id = o.destination_id and s.position = o.position
     returning s.created_at
   )
   select count(*)::int as rows, min(created_at) as oldest from gone`,
)

/** Signing secrets that were rotated and sign nothing any more. */
export const sweepSecrets: Sweep = {
  name: 'destination_secrets',
  removes: 'signing secrets that a rotation ended',
  keeps: 'finishedWorkDays',
  batches: (pools, before) => byAge(pools, (limit) => deleteOldSecrets({ before, limit })),
}
