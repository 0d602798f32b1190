import { byAge, type Sweep } from '../../../platform/retention/sweep.ts'
import { deleteOldAttributions } from './attributions.sql.ts'

/** What searches have shown, with the impressions that were counted for it. */
export const sweepAttributions: Sweep = {
  name: 'attributions',
  removes: 'what searches have shown, with its impressions',
  keeps: 'attributionDays',
  batches: (pools, before) => byAge(pools, (limit) => deleteOldAttributions({ before, limit })),
}
