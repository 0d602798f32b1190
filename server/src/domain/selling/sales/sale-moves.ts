import type { MoveRows } from '../../buying/rails/public.ts'
import { selectNamedSales, selectSettledSales } from './sale-moves.sql.ts'

/** What the rail has captured for sales, by our rows. */
export const saleMoves: MoveRows = {
  settled: (pools, at) => pools.read(selectSettledSales(at)),
  named: (pools, at) => pools.read(selectNamedSales(at)),
}
