import { byAge, type Sweep } from '../../../platform/retention/sweep.ts'
import { deleteOldCheckouts } from './checkouts.sql.ts'

/** Checkouts for which nobody ever began to pay; whatever had to do with money stays. */
export const sweepCheckouts: Sweep = {
  name: 'checkouts',
  removes: 'checkouts that nobody began to pay',
  keeps: 'finishedWorkDays',
  batches: (pools, before) => byAge(pools, (limit) => deleteOldCheckouts({ before, limit })),
}
