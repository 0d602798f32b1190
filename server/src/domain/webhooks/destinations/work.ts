import type { EventCatalog } from '../../../contract/event.ts'
import type { Egress } from '../../../platform/egress/egress.ts'
import type { Claimed } from '../../../platform/work/lease.ts'
import type { Running } from '../../../platform/work/turns.ts'
import type { StepContext, WorkKind } from '../../../platform/work/work.ts'
import { attempt, attemptTimeoutMs } from './attempt.ts'
import { confirmEndpoint, mayLeave } from './confirm-endpoint.ts'
import {
  decideAttempt,
  decideConfirmation,
  decideUrgentAttempt,
  isFailingTooLong,
  isUrgent,
  urgentWindowSeconds,
  type Verdict,
} from './decide-attempt.ts'
import { deliveryWork } from './delivery.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  type Look,
  lookForDeliveries,
  type OutgoingDelivery,
  postponeDelivery,
  recoverDelivery,
  releaseDelivery,
  type SettledDelivery,
} from './delivery-work.sql.ts'
import { disableBecause } from './disable-destination.ts'
import { readDestinations } from './secrets.ts'
import { createSettle, type OnFailed } from './settle-attempts.ts'
import { sides } from './side.ts'

function lookOf(look: Look | null) {
  return { look_from: look?.look_from ?? null, look_back_at: look?.look_back_at ?? null }
}

/** How many attempts one process makes at once to one destination, and to one that has only failed. */
const room = 32
const roomFailing = 2

/** How many attempts one process makes at once, each with at most one socket, besides those that have waited for longer than a second. */
const concurrency = 512
const slow = { afterMs: 1_000, places: 256 }

type DeliveryDeps = {
  events: EventCatalog
  egress: Egress
  /** The real time: receivers check signatures by their own clocks. */
  wallNow: () => Date
  /** Called with requests that somebody waits for and that have failed for good. */
  onFailed: OnFailed
}

/**
 * At least once: an attempt is written after it was made, so one whose outcome is lost with its process is made again when the lease
 * ends, with the same bytes and the same event id.
 */
export function createDeliveryWork(deps: DeliveryDeps): WorkKind<ClaimedDelivery> {
  const settle = createSettle(deps.onFailed)
  const destinationOf = readDestinations()
  let look: Look | null = null
  return {
    kind: deliveryWork,
    leaseSeconds: 30,
    concurrency,
    slow,
    batch: 256,
    sharesOut: true,
    // An event may arrive twice, and every process tells its attempts for itself.
    claimsProvisionally: true,
    claim: ({ limit, lease_seconds }, running) => ({
      ...claimDeliveries({
        limit,
        lease_seconds,
        room,
        room_failing: roomFailing,
        ...lookOf(look),
        ...loadOf(running),
      }),
      look: lookForDeliveries(lookOf(look)),
    }),
    release: (row, seconds = 0) => releaseDelivery({ ...keyOf(row), seconds }),
    postpone: (row, failure) => postponeDelivery({ ...keyOf(row), ...failure }),
    recover: (row) => recoverDelivery(keyOf(row)),
    async step(ctx, claimed) {
      look = claimed
      const { facts, secrets } = destinationOf(ctx.sealer, claimed)
      const delivery: OutgoingDelivery = { ...claimed, ...facts }
      if (!(await mayLeave(ctx, delivery))) return
      ctx.lease.assertHeld(attemptTimeoutMs + 1_000)
      const signing = { publicUrl: ctx.settings.publicUrl, secrets }
      await ctx.faults.at('deliver.before')
      const startedAtMs = performance.now()
      const made = await attempt(deps, signing, delivery, timeoutOf(delivery, ctx.now))
      await ctx.faults.at('deliver.after')
      const number = delivery.attempt_count - delivery.series_from + 1
      const ageSeconds = ageOf(delivery, ctx.now) + (performance.now() - startedAtMs) / 1000
      const verdict = isUrgent(delivery)
        ? decideUrgentAttempt(made, number, ageSeconds)
        : (delivery.confirmed ? decideAttempt : decideConfirmation)(made, number, () => unitOf(ctx.random(4)))
      // Before the outcome is written: if the process died between the two, nothing would confirm the endpoint later.
      if (verdict.result === 'succeeded' && !delivery.confirmed) await confirmEndpoint(ctx, delivery)
      const settled = await settle(ctx, { delivery, at: ctx.now, attempt: made, verdict })
      await judgeDestination(ctx, delivery, { verdict, settled })
    },
  }
}

/** How many seconds ago it was sent, by the database's clock. */
function ageOf({ created_at }: OutgoingDelivery, now: Date): number {
  return (now.getTime() - created_at.getTime()) / 1000
}

/** A request that somebody waits for gets the rest of its window; a later one gets as long as any other. */
function timeoutOf(delivery: OutgoingDelivery, now: Date): number {
  const leftMs = Math.ceil((urgentWindowSeconds - ageOf(delivery, now)) * 1000)
  return isUrgent(delivery) && leftMs > 0 ? Math.min(leftMs, attemptTimeoutMs) : attemptTimeoutMs
}

/** A destination that is gone, or has failed for days, is disabled, which everybody can see. */
async function judgeDestination(
  ctx: StepContext,
  { audience, destination_id }: OutgoingDelivery,
  { verdict, settled }: { verdict: Verdict; settled: SettledDelivery },
): Promise<void> {
  if (verdict.result === 'succeeded') return
  if (verdict.isGone) {
    await ctx.transaction((tx) => disableBecause(tx, sides[audience], destination_id, 'gone', () => true))
  } else if (isFailingTooLong(settled.failing_since, ctx.now)) {
    await ctx.transaction((tx) =>
      disableBecause(tx, sides[audience], destination_id, 'failing', (row) =>
        isFailingTooLong(row.failing_since, tx.now),
      ),
    )
  }
}

/** The deliveries under way by destination, and the places that they take by account. */
function loadOf(running: readonly Running<ClaimedDelivery>[]): { free: number; busy: string; held: string } {
  const busy: Record<string, number> = {}
  const held: Record<string, number> = {}
  let taken = 0
  for (const { row, hasPlace } of running) {
    busy[row.destination_id] = (busy[row.destination_id] ?? 0) + 1
    if (!hasPlace) continue
    held[row.account_id] = (held[row.account_id] ?? 0) + 1
    taken += 1
  }
  return { free: concurrency - taken, busy: JSON.stringify(busy), held: JSON.stringify(held) }
}

function keyOf({ account_id, mode, id, lease_token }: Claimed) {
  return { account_id, mode, id, lease_token }
}

/** A random number in [0, 1). */
function unitOf(random: Uint8Array): number {
  return Buffer.from(random).readUInt32BE(0) / 0x1_0000_0000
}
