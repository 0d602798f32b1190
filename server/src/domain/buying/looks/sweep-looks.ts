import { byAge, type Sweep } from '../../../platform/retention/sweep.ts'
import { deleteOldLooks } from './looks.sql.ts'

/** What shops have shown to those who only looked. */
export const sweepLooks: Sweep = {
  name: 'looks',
  removes: 'looks at shops',
  keeps: 'finishedWorkDays',
  batches: (pools, before) => byAge(pools, (limit) => deleteOldLooks({ before, limit })),
}
