import { byAge, type Sweep } from '../../../platform/retention/sweep.ts'
import { deleteOldChecks } from './sweep-checks.sql.ts'

/** Checks that a later one of the same kind, outcome and destination has replaced. */
export const sweepChecks: Sweep = {
  name: 'integration_checks',
  removes: 'integration checks that a later one replaced',
  keeps: 'finishedWorkDays',
  batches: (pools, before) => byAge(pools, (limit) => deleteOldChecks({ before, limit })),
}
