import type { WorkKind } from '../../../platform/work/work.ts'
import { type ClaimedRefund, claimRefunds, refundLeases } from '../../trade/orders/writes.sql.ts'
import { type Rails, timing } from '../rails/public.ts'
import { runRefund } from './run-refund.ts'

/** Refunds that merchants ask for. */
export function refundWork(rails: Rails): WorkKind<ClaimedRefund> {
  const { modes } = rails
  return {
    kind: 'refunds',
    leaseSeconds: timing.leaseSeconds,
    concurrency: 12,
    serves: modes.map((mode) => ({ mode })),
    claim: (turn) => claimRefunds({ ...turn, modes }),
    ...refundLeases,
    step: (ctx, row) => runRefund(ctx, row, rails),
  }
}
