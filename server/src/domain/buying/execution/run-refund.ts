import type { ActingContext } from '../../../contract/context.ts'
import type { StepContext } from '../../../platform/work/work.ts'
import { countRefundCall, lockClaimedRefund, restRefund, settleRefund } from '../../trade/orders/public.ts'
import type { ClaimedRefund } from '../../trade/orders/writes.sql.ts'
import type { Channels } from './channels.ts'
import { decideRefundCall, decideRefundNews, type RefundAnswer } from './decide-refund.ts'
import { selectHolds } from './execution.sql.ts'
import type { Call } from './port.ts'
import type { RailAndCircuit } from './rails.ts'
import { after } from './step.ts'
import { timing } from './timing.ts'

/**
 * One call for one refund of an order: it is journaled and committed before it leaves, and its answer is written only while the lease is
 * ours. The refund's id is its key at the rail, so a worker that takes over makes the same call.
 */
export async function runRefund(
  step: StepContext,
  claimed: ClaimedRefund,
  channels: Channels,
): Promise<void> {
  const paid = channels.rail(step.tenant)
  if (paid === null) throw new Error('there is no payment rail to refund with')
  const run = await step.transaction((ctx) => prepareCall(ctx, claimed, paid))
  if (run === null) return
  await step.faults.at('order_refund.before')
  step.lease.assertHeld(timing.longestCallMs + timing.marginMs)
  const answer = await run({ mode: step.tenant.mode, timeoutMs: timing.longestCallMs })
  await step.faults.at('order_refund.after')
  await step.transaction(async (ctx) => {
    await settleRefund(ctx, claimed, (refund) => decideRefundNews(refund, answer, ctx.now))
    ctx.tx.wake('refunds')
  })
}

async function prepareCall(
  ctx: ActingContext,
  claimed: ClaimedRefund,
  { rail, circuit }: RailAndCircuit,
): Promise<((call: Call) => Promise<RefundAnswer>) | null> {
  const refund = await lockClaimedRefund(ctx, claimed)
  const heldSeconds = circuit?.reserve() ?? 0
  if (heldSeconds > 0) {
    restRefund(ctx, refund, after(ctx.now, heldSeconds))
    return null
  }
  const { account_id, mode, cart_id, attempt, id: key, amount } = refund
  if (decideRefundCall(refund) === 'ask')
    return async (call) => ({ kind: 'asked', answer: await rail.ask(key, call) })
  const holds = await ctx.tx.rows(selectHolds({ account_id, mode, cart_id }))
  const reference = holds.find(
    (hold) => hold.attempt === attempt && hold.status === 'captured',
  )?.capture_reference
  if (!reference) throw new Error('a refund of a capture that the rail has not named')
  countRefundCall(ctx, refund)
  return async (call) => ({ kind: 'sent', answer: await rail.refund({ key, reference, amount }, call) })
}
