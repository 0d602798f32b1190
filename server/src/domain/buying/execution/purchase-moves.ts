import type { MoveRows } from '../rails/public.ts'
import { selectNamedMoves, selectSettledMoves } from './purchase-moves.sql.ts'

/** What the rail has captured and given back for purchases, by our rows. */
export const purchaseMoves: MoveRows = {
  settled: (pools, at) => pools.read(selectSettledMoves(at)),
  named: (pools, at) => pools.read(selectNamedMoves(at)),
}
