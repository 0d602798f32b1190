import { byAge, type Sweep } from '../../../platform/retention/sweep.ts'
import { deleteOldSiteLooks } from './site-looks.sql.ts'

/** What was seen at sites that nobody has added. */
export const sweepSiteLooks: Sweep = {
  name: 'site_looks',
  removes: 'looks at unknown sites',
  keeps: 'finishedWorkDays',
  batches: (pools, before) => byAge(pools, (limit) => deleteOldSiteLooks({ before, limit })),
}
