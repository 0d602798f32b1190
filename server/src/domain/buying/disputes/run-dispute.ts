import type { ActingContext } from '../../../contract/context.ts'
import { after } from '../../../core/backoff.ts'
import { expectHeld } from '../../../platform/work/lease.ts'
import type { StepContext, WorkKind } from '../../../platform/work/work.ts'
import { showDispute } from '../../trade/orders/public.ts'
import {
  type DisputeReading,
  type PaymentRail,
  type Rails,
  type ShareAnswer,
  timing,
} from '../rails/public.ts'
import {
  type ClaimedDispute,
  claimDisputes,
  type DisputeRow,
  disputeLeases,
  lockClaimedDispute,
  restDispute,
} from './disputes.sql.ts'
import { afterMove, afterReading, type Standing } from './follow-dispute.ts'
import { disputedModes } from './read-events.ts'

/** Without any word of the rail, an open dispute is looked at this often. */
const lookAgainSeconds = 6 * 3_600

/** A rail that cannot be read at the moment is asked again. */
const readAgainSeconds = 60

/** Disputes, each as its rail has it, with what the merchant was paid. */
export function disputeWork(rails: Rails): WorkKind<ClaimedDispute> {
  const modes = disputedModes(rails)
  return {
    kind: 'disputes',
    leaseSeconds: timing.leaseSeconds,
    concurrency: 4,
    serves: modes.map((mode) => ({ mode })),
    claim: (turn) => claimDisputes({ ...turn, modes }),
    ...disputeLeases,
    step: (ctx, row) => runDispute(ctx, row, rails),
  }
}

/** One look, or one call that moves money, which is committed before it leaves: a worker that takes over makes the same one. */
async function runDispute(step: StepContext, claimed: ClaimedDispute, rails: Rails): Promise<void> {
  const row = await step.transaction(async (ctx) =>
    expectHeld(await ctx.tx.rows(lockClaimedDispute(claimed))),
  )
  const rail = rails.named(step.tenant, row.rail)?.rail
  if (rail?.readDispute === undefined) throw new Error(`this worker has no rail ${row.rail} for a dispute`)
  step.lease.assertHeld(timing.longestCallMs + timing.marginMs)
  const call = { mode: row.mode, timeoutMs: timing.longestCallMs }
  if (row.move === null) {
    const said = await rail.readDispute(row.id, call)
    await step.transaction((ctx) => applyReading(ctx, { claimed, row, said }))
  } else {
    const answer = await move(rail, row, call)
    await step.transaction((ctx) => applyMove(ctx, claimed, answer))
  }
}

const notSent: ShareAnswer = { kind: 'not_sent', retryable: true }

async function move(
  rail: PaymentRail,
  { id, hold, move: kind, move_amount: amount, moves, currency }: DisputeRow,
  call: Parameters<NonNullable<PaymentRail['payShare']>>[1],
): Promise<ShareAnswer> {
  if (amount === null) throw new Error('a call without its amount')
  // guard shares-move-once: a call that is sent again is the same call
  const input = { key: `${id}:${kind}:${moves}`, hold, amount, currency }
  const answer =
    kind === 'recover' ? await rail.recoverShare?.(input, call) : await rail.payShare?.(input, call)
  return answer ?? notSent
}

type Read = { readonly claimed: ClaimedDispute; readonly row: DisputeRow; readonly said: DisputeReading }

async function applyReading(ctx: ActingContext, { claimed, row, said }: Read): Promise<void> {
  if (said.kind !== 'done') {
    const held = expectHeld(await ctx.tx.rows(lockClaimedDispute(claimed)))
    return rest(ctx, { ...held, told: row.told }, held, readAgainSeconds)
  }
  const { id, status, outcome, amount, dueBy } = said.value
  // The order before the dispute, as everywhere.
  await showDispute(ctx, row.order_id, { id, status, outcome, amount, dueBy })
  const held = expectHeld(await ctx.tx.rows(lockClaimedDispute(claimed)))
  const standing = afterReading(held, said.value, held.merchant_account_id !== null)
  const isOver = status === 'closed' && standing.move === null
  rest(
    ctx,
    { ...held, told: row.told },
    standing,
    standing.move !== null ? 0 : isOver ? null : lookAgainSeconds,
  )
}

async function applyMove(ctx: ActingContext, claimed: ClaimedDispute, answer: ShareAnswer): Promise<void> {
  const held = expectHeld(await ctx.tx.rows(lockClaimedDispute(claimed)))
  const { standing, retrySeconds } = afterMove(held, answer)
  rest(ctx, held, standing, retrySeconds ?? 0)
}

/** `seconds` null: until the rail tells of it again. `told` is what was told before it was read. */
function rest(ctx: ActingContext, row: DisputeRow, standing: Standing, seconds: number | null): void {
  const { account_id, mode, id, told } = row
  const due_at = seconds === null ? null : after(ctx.now, seconds)
  ctx.tx.write(restDispute({ ...standing, account_id, mode, id, told, due_at, now: ctx.now }))
  ctx.tx.wake('disputes')
}
