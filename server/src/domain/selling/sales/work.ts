import type { WorkKind } from '../../../platform/work/work.ts'
import type { Rails } from '../../buying/rails/public.ts'
import { runSale } from './run-sale.ts'
import { type ClaimedSale, claimSales, saleLeases } from './sales.sql.ts'

/** Sales to buyers without an account: holds the money, and captures or releases it as the merchant answers. */
export function saleWork(rails: Rails): WorkKind<ClaimedSale> {
  const served = [
    ...rails.modes.map((mode) => ({ mode, isShared: false })),
    ...rails.shared.modes.map((mode) => ({ mode, isShared: true })),
  ]
  const modes = served.map(({ mode }) => mode)
  const are_shared = served.map(({ isShared }) => isShared)
  return {
    kind: 'sales',
    leaseSeconds: 30,
    concurrency: 24,
    slow: { afterMs: 1000, places: 16 },
    slowPerAccount: 8,
    serves: [...new Set(modes)].map((mode) => ({ mode })),
    claim: (turn) => claimSales({ ...turn, modes, are_shared }),
    ...saleLeases,
    step: (ctx, row) => runSale(ctx, row, rails),
  }
}
