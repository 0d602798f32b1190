import type { ActingContext } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { expectHeld } from '../../../platform/work/lease.ts'
import {
  journalRefund,
  lockClaimedRefund as lockRow,
  type RefundRow,
  restRefund as restRow,
} from './refunds.sql.ts'
import type { ClaimedRefund } from './writes.sql.ts'

/** A refund as the worker that claimed it holds it, with what its order says of the capture and of the purchase. */
export type LockedRefund = RefundRow & {
  readonly capture_reference: string | null
  readonly capture_rail: string | null
  readonly purchase_intent_id: Id<'pi'> | null
}

/** Locks a refund for the worker that claimed it; throws where its lease is not the last one. */
export async function lockClaimedRefund(ctx: ActingContext, claimed: ClaimedRefund): Promise<LockedRefund> {
  return expectHeld(await ctx.tx.rows(lockRow(claimed)))
}

/** Call it under that lock, before a call leaves: counts the call, names its rail, and extends the lease. */
export function countRefundCall(ctx: ActingContext, refund: LockedRefund, rail: string): void {
  ctx.tx.write(
    journalRefund({ ...refund, rail, tries: refund.tries + 1, may_have_left: true, sent_at: ctx.now }),
  )
}

/** Call it under that lock: ends the lease until `dueAt`, without any news. */
export function restRefund(ctx: ActingContext, refund: LockedRefund, dueAt: Date): void {
  ctx.tx.write(restRow({ ...refund, due_at: dueAt }))
}
