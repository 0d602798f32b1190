import type { Mode } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { claimByMeansStatement, leaseStatements } from '../../../platform/work/lease.sql.ts'
import type { Claimed } from '../../../platform/work/lease.ts'

/** How refunds are leased as work. */
export const refundLeases = leaseStatements('order_refunds')

export type ClaimedRefund = Claimed & { id: Id<'rfd'>; order_id: Id<'ord'> }

export const claimRefunds = claimByMeansStatement<ClaimedRefund, { modes: readonly Mode[] }>(
  'order_refunds',
  { modes: ['mode', 'mode'] },
  ['order_id'],
)
