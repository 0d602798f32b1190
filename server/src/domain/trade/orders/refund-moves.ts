import type { Pools } from '../../../platform/database/pool.ts'
import { selectNamedRefunds, selectSettledRefunds } from './refund-moves.sql.ts'

type Reader = Pick<Pools, 'read'>

/** What the rail has given back for orders, by our rows. */
export const refundMoves = {
  settled: (pools: Reader, at: Parameters<typeof selectSettledRefunds>[0]) =>
    pools.read(selectSettledRefunds(at)),
  named: (pools: Reader, at: Parameters<typeof selectNamedRefunds>[0]) => pools.read(selectNamedRefunds(at)),
}
