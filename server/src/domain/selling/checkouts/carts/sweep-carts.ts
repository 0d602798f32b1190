import { byAge, type Sweep } from '../../../../platform/retention/sweep.ts'
import { deleteOldCarts } from './carts.sql.ts'

/** A checkout that was made of a cart has all that it needs. */
export const sweepCarts: Sweep = {
  name: 'checkout_carts',
  removes: 'carts of platforms',
  keeps: 'finishedWorkDays',
  batches: (pools, before) => byAge(pools, (limit) => deleteOldCarts({ before, limit })),
}
