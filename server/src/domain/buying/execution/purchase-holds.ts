import type { HoldRows } from '../rails/public.ts'
import { selectHoldsNamed, selectOpenHolds } from './purchase-holds.sql.ts'

/** What the rail holds for purchases, by our rows. */
export const purchaseHolds: HoldRows = {
  open: (pools, at) => pools.read(selectOpenHolds(at)),
  named: (pools, at, keys) => pools.read(selectHoldsNamed({ ...at, keys })),
}
