import type { ActingContext, Tenant } from '../../../contract/context.ts'
import { after } from '../../../core/backoff.ts'
import type { Id } from '../../../core/id.ts'
import type { StepContext } from '../../../platform/work/work.ts'
import {
  countRefundCall,
  type LockedRefund,
  lockClaimedRefund,
  restRefund,
  settleRefund,
} from '../../trade/orders/public.ts'
import type { ClaimedRefund } from '../../trade/orders/writes.sql.ts'
import { captureOfAttempt } from '../execution/public.ts'
import { askedForNobody, type Call, type NamedRail, type Rails, timing } from '../rails/public.ts'
import { decideRefundCall, decideRefundNews, type RefundAnswer } from './decide-refund.ts'
import { lockPurchaseOf, showRefunded } from './show-refunded.ts'

/**
 * One call for one refund of an order: it is journaled and committed before it leaves, and its answer is written only while the lease is
 * ours. The refund's id is its key at the rail, so a worker that takes over makes the same call.
 */
export async function runRefund(step: StepContext, claimed: ClaimedRefund, rails: Rails): Promise<void> {
  const prepared = await step.transaction((ctx) => prepareCall(ctx, claimed, rails))
  if (prepared === null) return
  await step.faults.at('order_refund.before')
  step.lease.assertHeld(timing.longestCallMs + timing.marginMs)
  const answer = await prepared.run({ mode: step.tenant.mode, timeoutMs: timing.longestCallMs })
  await step.faults.at('order_refund.after')
  await step.transaction(async (ctx) => {
    // Locked before the order, as by the steps of its cart.
    const purchase = await lockPurchaseOf(ctx, prepared.intentId)
    const refunded = await settleRefund(ctx, claimed, (refund) => decideRefundNews(refund, answer, ctx.now))
    if (purchase && refunded !== null) showRefunded(ctx, purchase, { orderId: claimed.order_id, refunded })
    ctx.tx.wake('refunds')
  })
}

type Prepared = {
  readonly run: (call: Call) => Promise<RefundAnswer>
  /** The purchase that placed the order; null: it was not bought from here, or by a token. */
  readonly intentId: Id<'pi'> | null
}

async function prepareCall(
  ctx: ActingContext,
  claimed: ClaimedRefund,
  rails: Rails,
): Promise<Prepared | null> {
  const refund = await lockClaimedRefund(ctx, claimed)
  const capture = await captureOf(ctx, refund)
  const paid = railOfCapture(rails, ctx.tenant, { ...capture, rail: refund.rail ?? capture.rail })
  // Another worker may have it. While none has, the refund stays, and is seen to fail.
  if (paid === null) throw new Error(`this worker has no rail ${refund.rail ?? capture.rail} for a refund`)
  const { name, rail, circuit, reference } = paid
  const heldSeconds = circuit?.reserve() ?? 0
  if (heldSeconds > 0) {
    restRefund(ctx, refund, after(ctx.now, heldSeconds))
    return null
  }
  const { id: key, amount, currency, purchase_intent_id: intentId } = refund
  const sent = { step: 'refund', input: { key, reference, amount, currency } } as const
  if (decideRefundCall(refund) === 'ask')
    return {
      intentId,
      run: async (call) => ({ kind: 'asked', answer: askedForNobody(await rail.ask(key, call, sent)) }),
    }
  countRefundCall(ctx, refund, name)
  // guard refund-under-one-key: a refund that is sent again is the same refund
  return { intentId, run: async (call) => ({ kind: 'sent', answer: await rail.refund(sent.input, call) }) }
}

type Capture = { readonly reference: string; readonly rail: string | null }

/** What is refunded, as its order says, or the attempt that placed the order. */
async function captureOf(
  ctx: ActingContext,
  { cart_id: cartId, attempt, capture_reference: reference, capture_rail: rail }: LockedRefund,
): Promise<Capture> {
  if (reference !== null) return { reference, rail }
  const capture =
    cartId === null || attempt === null ? null : await captureOfAttempt(ctx, { cartId, attempt })
  if (capture === null) throw new Error('a refund of a capture that the rail has not named')
  return capture
}

/** Began the reference of a capture that a rail of shared tokens has made, while orders named no rail. */
const ofShared = 'shared:'

/** The rail that has made a capture, and how it calls it; null: this process has not got that rail. */
function railOfCapture(
  rails: Rails,
  tenant: Tenant,
  { reference, rail }: Capture,
): (NamedRail & { readonly reference: string }) | null {
  const isOld = reference.startsWith(ofShared)
  const paid = isOld && rail === null ? rails.shared.of(tenant) : rails.named(tenant, rail)
  return paid && { ...paid, reference: isOld ? reference.slice(ofShared.length) : reference }
}
