import { createHash } from 'node:crypto'
import { exponentialSeconds, jittered } from '../../../core/backoff.ts'
import { visibleJson } from '../../../core/visible-text.ts'
import type { Egress } from '../../../platform/egress/egress.ts'
import { EgressFault } from '../../../platform/egress/fault.ts'
import { expectHeld } from '../../../platform/work/lease.ts'
import type { StepContext, WorkKind } from '../../../platform/work/work.ts'
import { type MessageSigner, signMessage } from '../../../protocols/ucp/sign-message.ts'
import { writeUcpAgent } from '../../../protocols/ucp/ucp-agent.ts'
import { type Order, readSoldOrder } from '../../trade/orders/public.ts'
import type { CheckoutRow, OrderNotify } from './checkout.ts'
import { selectCheckoutOfOrder } from './checkouts.sql.ts'
import {
  type ClaimedNotice,
  claimNotices,
  lockClaimedNotice,
  type NoticeRow,
  noticeLeases,
  putOffNotice,
  settleNotice,
} from './notices.sql.ts'
import { orderDocument } from './order-document.ts'
import { isPlaced } from './placed-order.ts'

type NoticeDeps = {
  egress: Pick<Egress, 'request'>
  signer: () => Promise<MessageSigner>
  /** The real time: receivers check signatures by their own clocks. */
  wallNow: () => Date
}

const attemptTimeoutMs = 10_000
const marginMs = 1_000
/** The first retry comes after these seconds, each further one after twice as many, and never after more than `longest`. */
const retrySeconds = { first: 5, longest: 6 * 3600 }
/** After so many days of failures a platform is not told of an order any more; it can still read it. */
const giveUpDays = 3

/** Tells platforms of their orders, by the newest state of each, with one id for each change. */
export function noticeWork(deps: NoticeDeps): WorkKind<ClaimedNotice> {
  return {
    kind: 'order_notices',
    leaseSeconds: 30,
    concurrency: 32,
    slow: { afterMs: 1000, places: 32 },
    slowPerAccount: 8,
    claim: claimNotices,
    ...noticeLeases,
    step: (step, claimed) => tell(step, claimed, deps),
  }
}

type Message = { readonly url: string; readonly headers: Record<string, string>; readonly body: string }

async function tell(step: StepContext, claimed: ClaimedNotice, deps: NoticeDeps): Promise<void> {
  const prepared = await step.transaction(async (ctx) => {
    const notice = expectHeld(await ctx.tx.rows(lockClaimedNotice(claimed)))
    const { account_id, mode, id } = notice
    const [checkout, order] = await Promise.all([
      ctx.tx.maybe(selectCheckoutOfOrder({ account_id, mode, order_id: id })),
      readSoldOrder(ctx.tx, { accountId: account_id, mode }, id),
    ])
    return { notice, checkout, order }
  })
  const { notice, checkout, order } = prepared
  const notify = checkout?.notify
  if (!checkout || !notify?.webhook_url || !order || !isPlaced(order)) return settle(step, claimed, notice)
  const id = noticeId(notice)
  const body = bodyOf(notify, { order, checkout })
  const message = await messageOf({ ...notify, webhook_url: notify.webhook_url }, { id, body, deps })
  const error = await send(step, message, deps)
  if (error === null) return settle(step, claimed, notice)
  await step.transaction(async (ctx) => {
    const since = notice.failing_since ?? ctx.now
    const isOver = ctx.now.getTime() - since.getTime() >= giveUpDays * 86_400_000
    const seconds = exponentialSeconds(notice.attempts + 1, retrySeconds.first, retrySeconds.longest)
    const unit = (ctx.random(1)[0] ?? 0) / 256
    const dueAt = new Date(ctx.now.getTime() + jittered(seconds, unit) * 1000)
    ctx.tx.write(putOffNotice({ ...claimed, due_at: isOver ? null : dueAt, now: ctx.now, error }))
  })
}

function bodyOf({ release, business }: OrderNotify, told: { order: Order; checkout: CheckoutRow }): string {
  const ucp = { version: release, capabilities: { 'dev.ucp.shopping.order': [{ version: release }] } }
  return visibleJson(JSON.stringify({ ucp, ...orderDocument(told, { release, business }) }))
}

async function settle(step: StepContext, claimed: ClaimedNotice, { sequence }: NoticeRow): Promise<void> {
  await step.transaction(
    async (ctx) => void ctx.tx.write(settleNotice({ ...claimed, sequence, now: ctx.now })),
  )
}

type Telling = { id: string; body: string; deps: NoticeDeps }

async function messageOf(
  { webhook_url: url, business }: OrderNotify & { webhook_url: string },
  { id, body, deps }: Telling,
): Promise<Message> {
  const now = deps.wallNow()
  const headers = {
    'content-type': 'application/json',
    'ucp-agent': writeUcpAgent(`${business}/.well-known/ucp`),
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
  }
  const message = { kind: 'request', method: 'POST', url, headers, body: Buffer.from(body) } as const
  const signature = signMessage(message, await deps.signer(), {
    now,
    also: ['webhook-id', 'webhook-timestamp'],
  })
  return { url, headers: { ...headers, ...signature }, body }
}

/** Equal for each attempt to tell the same change. */
function noticeId({ id, sequence }: NoticeRow): string {
  return createHash('sha256').update(`${id} ${sequence}`).digest('hex').slice(0, 32)
}

/** Why the platform does not have it; null: it has. */
async function send(
  step: StepContext,
  { url, headers, body }: Message,
  { egress }: NoticeDeps,
): Promise<string | null> {
  step.lease.assertHeld(attemptTimeoutMs + marginMs)
  try {
    const { status } = await egress.request({
      url,
      method: 'POST',
      headers,
      body,
      mode: step.tenant.mode,
      timeoutMs: attemptTimeoutMs,
      maxResponseBytes: 65_536,
    })
    return status >= 200 && status < 300 ? null : `status ${status}`
  } catch (error) {
    if (!(error instanceof EgressFault)) throw error
    return error.code
  }
}
