import { setTimeout as delay } from 'node:timers/promises'
import { advanceTestClock } from '../../../src/platform/clock/test-clock.ts'
import { patience } from '../../gate/pace.ts'
import type { Tally } from '../suite.ts'
import { keepEvidence } from './keep-evidence.ts'
import { readOpen } from './read-stored.ts'
import { readOpenTrade } from './read-trade.ts'
import { type Responsible, responsibleFor, responsibleForWork } from './responsibility.ts'
import type { Trial } from './stage.ts'

/** The parts of a run that have to come to rest. */
type Resting = Pick<Trial, 'seed' | 'folder' | 'trade' | 'withoutWorkers'> & {
  service: { ready: { database_url: string } }
}

/** All work is over this long after the last blow, except for deliveries that are due later. */
const overSeconds = 60
/** Longer than a lease, and longer than a journaled call can take to arrive. */
const leaseSeconds = 45
const pollMs = 250

const askedMax = 5
const retryRoundsMax = 5
const soonMs = 2_000

/** How a merchant gets an event sooner than by the schedule: the clock is moved on, or the merchant requests events that it missed. */
type Means = 'test clock' | (() => Promise<void>)

type Late = { what: string; responsible: Responsible }

/**
 * Waits until every purchase and every refund is over, and every event has arrived. Work that is still open after a minute must have
 * somebody who continues it: a worker within another minute, or the schedule of deliveries. It sends to a receiver that missed two attempts
 * again after five minutes only. This waits for those times, too. A test clock, where there is one, is moved there while no worker runs.
 * Without one, receivers request the events that they missed, as their operators would: the third attempt can fail as the second did, and
 * the fourth is half an hour away.
 */
export async function settle(stage: Resting, tally: Tally, means: Means): Promise<void> {
  const startedMs = performance.now()
  const hasTestClock = means === 'test clock'
  let late = hasTestClock ? await waitByClock(stage, 0) : await waitForReal(stage, overSeconds)
  tally.figure(
    'all over after',
    `${seconds(startedMs)} s${hasTestClock ? ' (and a clock brought forward)' : ''}`,
  )
  const ownerless = late.filter(({ responsible }) => responsible.who === 'nobody')
  await refuse(stage, tally, ownerless)
  late = late.filter(({ responsible }) => responsible.who !== 'nobody')
  if (late.length === 0) return
  const merchants = late.filter(isTold)
  tally.figure('open then', late.map(describe).slice(0, 5).join('; '))
  tally.figure('of these with a merchant or a listener', merchants.length)
  await refuse(
    stage,
    tally,
    hasTestClock ? await waitForRetries(stage, late) : await waitForMissed(stage, means),
  )
  tally.figure('all over in the end after', `${seconds(startedMs)} s`)
}

/** Until the schedule has sent the last of these again, and once more to receivers whose first bad moment that was. */
async function waitForRetries(stage: Resting, open: readonly Late[]): Promise<Late[]> {
  let late = [...open]
  for (let round = 0; round < retryRoundsMax && late.length > 0; round++) {
    const { now } = await readOpen(stage.service.ready.database_url, stage.seed)
    const last = Math.max(...late.map((one) => dueOf(one) ?? now.getTime()))
    late = await waitByClock(stage, Math.ceil((last - now.getTime()) / 1000))
  }
  return late
}

/** Merchants with bad moments miss some of the events that they request, too, and request them again. */
async function waitForMissed(stage: Resting, ask: () => Promise<void>): Promise<Late[]> {
  let late: Late[] = []
  for (let asked = 0; asked < askedMax; asked++) {
    await ask()
    late = await waitForReal(stage, overSeconds)
    if (late.length === 0) break
  }
  return late
}

/** Until nothing is left, or nothing that this waits for. */
async function waitForReal(
  stage: Resting,
  patienceSeconds: number,
  isWorthIt: (one: Late, now: Date) => boolean = () => true,
): Promise<Late[]> {
  const whole = patience(overSeconds * 1000)
  let wait = patience(patienceSeconds * 1000)
  for (let least = Number.POSITIVE_INFINITY; ; ) {
    const { late, now } = await look(stage)
    // While it gets less, workers are running, however slow this machine is.
    if (late.length < least) wait = patience(patienceSeconds * 1000)
    least = Math.min(least, late.length)
    if (!late.some((one) => isWorthIt(one, now)) || wait.isOver() || whole.isOver()) return late
    await delay(pollMs)
  }
}

/**
 * The clock ends the leases of dead workers. No worker can still be working, since all have stopped meanwhile. Ends when
 * only deliveries are left that are due later.
 */
async function waitByClock(stage: Resting, firstStep: number): Promise<Late[]> {
  let late: Late[] = []
  let step = Math.max(leaseSeconds, firstStep)
  for (let passed = 0; passed < overSeconds; passed += leaseSeconds) {
    await stage.withoutWorkers(
      async () => void (await advanceTestClock(stage.service.ready.database_url, step)),
    )
    step = leaseSeconds
    late = await waitForReal(stage, 8, isSoon)
    if (late.every(isTold)) return late
  }
  return late
}

async function look({ service, seed, trade }: Resting): Promise<{ late: Late[]; now: Date }> {
  const url = service.ready.database_url
  // Purchases first: a purchase that ends between the two reads leaves an event that is still to arrive.
  const { open, now } = await readOpen(url, seed)
  const work = trade === null ? [] : await readOpenTrade(url, trade)
  const purchases = open.map((purchase) => ({
    what: `${purchase.id} is still ${purchase.status}`,
    responsible: responsibleFor(purchase, now),
  }))
  const others = work.map((one) => ({ what: one.what, responsible: responsibleForWork(one, now) }))
  return { late: [...purchases, ...others], now }
}

async function refuse(stage: Resting, tally: Tally, stuck: readonly Late[]): Promise<void> {
  for (const one of stuck) tally.fail(`W2 ${describe(one)}`)
  if (stuck.length === 0) return
  const { folder, service } = stage
  await keepEvidence({ folder, url: service.ready.database_url }, stuck.map(describe))
}

/** The schedule of deliveries will send these again. */
function isTold({ responsible }: Late): boolean {
  return responsible.who === 'merchant' || responsible.who === 'listener'
}

function dueOf({ responsible }: Late): number | null {
  return responsible.who === 'nobody' ? null : responsible.by.getTime()
}

/** A clock that can be moved on gets there sooner than the schedule. */
function isSoon(one: Late, now: Date): boolean {
  return !isTold(one) || (dueOf(one) ?? 0) < now.getTime() + soonMs
}

function describe({ what, responsible }: Late): string {
  const next =
    responsible.who === 'nobody'
      ? responsible.why
      : `${responsible.who} due at ${responsible.by.toISOString()}`
  return `${what}: ${next}`
}

function seconds(startedMs: number): number {
  return Math.round((performance.now() - startedMs) / 100) / 10
}
