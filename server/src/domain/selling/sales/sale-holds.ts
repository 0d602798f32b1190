import type { HoldRows } from '../../buying/rails/public.ts'
import { selectOpenSaleHolds, selectSaleHoldsNamed } from './sale-holds.sql.ts'

/** What the rail holds for sales, by our rows. */
export const saleHolds: HoldRows = {
  open: (pools, mode) => pools.read(selectOpenSaleHolds({ mode })),
  named: (pools, mode, keys) => pools.read(selectSaleHoldsNamed({ mode, keys })),
}
