import type { HoldRows } from '../rails/public.ts'
import { selectHoldsNamed, selectOpenHolds } from './purchase-holds.sql.ts'

/** What the rail holds for purchases, by our rows. */
export const purchaseHolds: HoldRows = {
  open: (pools, mode) => pools.read(selectOpenHolds({ mode })),
  named: (pools, mode, keys) => pools.read(selectHoldsNamed({ mode, keys })),
}
