import type { ActingContext, Transaction } from '../../../contract/context.ts'
import { definePort } from '../../../contract/port.ts'
import { LeaseLost } from '../../../platform/work/lease.ts'
import type { StepContext } from '../../../platform/work/work.ts'
import type { Attempt } from './attempt.ts'
import { isUrgent, type Verdict } from './decide-attempt.ts'
import { deliveryWork } from './delivery.ts'
import {
  type AttemptArrays,
  type OutgoingDelivery,
  type SettledDelivery,
  settleDeliveries,
} from './delivery-work.sql.ts'

type Outcome = { delivery: OutgoingDelivery; at: Date; attempt: Attempt; verdict: Verdict }

/** Writes an outcome. Throws `LeaseLost` when another worker has the delivery, which will attempt it again. */
type Settle = (ctx: StepContext, outcome: Outcome) => Promise<SettledDelivery>

type Waiting = Outcome & { ctx: StepContext; done: PromiseWithResolvers<SettledDelivery> }

/** A request that somebody waits for, and that will not be tried again automatically. */
type FailedRequest = {
  readonly eventId: string
  readonly mode: string
  readonly accountId: string
  readonly aggregateId: string
  readonly httpStatus: number | null
}

/**
 * Prepares what follows from failed requests, in the transaction that writes their last attempts and before these are locked. The
 * function that it returns is called for each of them that was written.
 */
export type OnFailed = (
  ctx: ActingContext,
  failed: readonly FailedRequest[],
) => Promise<(failed: FailedRequest) => void>

/** Bound by the slices whose requests wait for an answer. */
export const FailedRequests = definePort<OnFailed>('failed requests')

const batchMax = 256
/** Where this many outcomes arrive at once, more is due: the next claim finds it. */
const busyBatch = 8

/**
 * Writes outcomes in one transaction for all that arrived while the transaction before was being committed: a single one when it is
 * quiet, many at once when it is not.
 */
export function createSettle(onFailed: OnFailed): Settle {
  let waiting: Waiting[] = []
  let isFlushing = false

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchMax)
      waiting = waiting.slice(batchMax)
      await settleBatch(batch, onFailed)
    }
    isFlushing = false
  }

  return (ctx, outcome) => {
    const done = Promise.withResolvers<SettledDelivery>()
    waiting.push({ ...outcome, ctx, done })
    if (!isFlushing) {
      isFlushing = true
      // Answers come many at once: the first one takes along those that were read in the same turn of the event loop.
      setImmediate(() => void flush())
    }
    return done.promise
  }
}

/** Never throws: every failure goes to the callers that wait. */
async function settleBatch(batch: readonly Waiting[], onFailed: OnFailed): Promise<void> {
  const [first] = batch
  if (!first) return
  try {
    const failed = new Map(batch.flatMap(failedRequest))
    const settled =
      failed.size > 0
        ? await settleFailed(first.ctx, batch, { failed, onFailed })
        : await settleAlone(first.ctx, batch)
    const byId = new Map(settled.map((row) => [row.id, row]))
    for (const { delivery, done } of batch) {
      const row = byId.get(delivery.id)
      if (row) done.resolve(row)
      else done.reject(new LeaseLost())
    }
    if (hasMore(batch, settled)) wakeForMore(first.ctx)
  } catch (error) {
    for (const { done } of batch) done.reject(error)
  }
}

/**
 * After the steps of these outcomes have left their places: until then a claim finds no room at their destinations, and what waits there
 * would wait for the next poll. The poll also finds what this wake misses.
 */
function wakeForMore(ctx: StepContext): void {
  setImmediate(() => void ctx.transaction(async ({ tx }) => tx.wake(deliveryWork)).catch(() => undefined))
}

/** Outcomes from which nothing else follows: an attempt whose outcome is undone is made again. */
async function settleAlone(ctx: StepContext, batch: readonly Waiting[]): Promise<SettledDelivery[]> {
  return await writeOutcomes({ rows: (statement) => ctx.provisional(statement) }, batch)
}

function settleFailed(
  ctx: StepContext,
  batch: readonly Waiting[],
  { failed, onFailed }: { failed: ReadonlyMap<string, FailedRequest>; onFailed: OnFailed },
): Promise<SettledDelivery[]> {
  return ctx.transaction(async (acting) => {
    const conclude = await onFailed(acting, [...failed.values()])
    const rows = await writeOutcomes(acting.tx, batch)
    for (const { id } of rows) {
      const request = failed.get(id)
      if (request) conclude(request)
    }
    return rows
  })
}

function isBusy(batch: readonly Waiting[]): boolean {
  return batch.length >= busyBatch
}

function hasMore(batch: readonly Waiting[], rows: readonly SettledDelivery[]): boolean {
  return isBusy(batch) || rows.some((row) => row.has_more)
}

async function writeOutcomes(
  tx: Pick<Transaction, 'rows'>,
  batch: readonly Waiting[],
): Promise<SettledDelivery[]> {
  return tx.rows(settleDeliveries({ ...arraysOf(batch), ask_more: !isBusy(batch) }))
}

function failedRequest({ delivery, attempt, verdict }: Waiting): [string, FailedRequest][] {
  if (!isUrgent(delivery) || verdict.result !== 'exhausted') return []
  const { id, event_id: eventId, mode, event_account_id: accountId, aggregate_id: aggregateId } = delivery
  return [[id, { eventId, mode, accountId, aggregateId, httpStatus: attempt.httpStatus }]]
}

function arraysOf(batch: readonly Waiting[]): AttemptArrays {
  return {
    ids: batch.map(({ delivery }) => delivery.id),
    row_ats: batch.map(({ delivery }) => delivery.row_at),
    tokens: batch.map(({ delivery }) => String(delivery.lease_token)),
    results: batch.map(({ verdict }) => verdict.result),
    delays: batch.map(({ verdict }) => (verdict.result === 'failed' ? verdict.delaySeconds : null)),
    ats: batch.map(({ at }) => at.toISOString()),
    http_statuses: batch.map(({ attempt }) => attempt.httpStatus),
    latencies: batch.map(({ attempt }) => attempt.latencyMs),
    errors: batch.map(({ attempt }) => attempt.error),
    excerpts: batch.map(({ attempt }) => attempt.excerpt),
    digests: batch.map(({ attempt }) => attempt.bodyDigest),
  }
}
