import type { HoldRows } from '../../buying/rails/public.ts'
import { selectOpenSaleHolds, selectSaleHoldsNamed } from './sale-holds.sql.ts'

/** What the rail holds for sales, by our rows. */
export const saleHolds: HoldRows = {
  open: (pools, at) => pools.read(selectOpenSaleHolds(at)),
  named: (pools, at, keys) => pools.read(selectSaleHoldsNamed({ ...at, keys })),
}
