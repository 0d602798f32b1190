import { byAge, type Sweep } from '../../../platform/retention/sweep.ts'
import { deleteOldResults } from './cart-results.sql.ts'

/** The bytes of what was bought over a paid request, once nobody can read them any more. */
export const sweepResults: Sweep = {
  name: 'cart_results',
  removes: 'results of paid requests',
  keeps: 'resultDays',
  batches: (pools, before) => byAge(pools, (limit) => deleteOldResults({ before, limit })),
}
