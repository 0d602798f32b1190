import { setTimeout as delay } from 'node:timers/promises'
import { advanceTestClock } from '../../../src/platform/clock/test-clock.ts'
import { patience } from '../../gate/pace.ts'
import type { Tally } from '../suite.ts'
import { keepEvidence } from './keep-evidence.ts'
import { readOpen } from './read-stored.ts'
import { readOpenTrade } from './read-trade.ts'
import { type Responsible, responsibleFor, responsibleForWork } from './responsibility.ts'
import type { Trial } from './stage.ts'

/** Everything that was set going is over this long after the last blow, but for what a merchant will be told again. */
const overSeconds = 60
/** Longer than a lease, and than the proof that a call which was journaled can no longer arrive. */
const leaseSeconds = 45
const pollMs = 250

const askedMax = 5
const retryRoundsMax = 5
const soonMs = 2_000

/** How a merchant is told sooner than by the schedule: its clock is brought forward, or the merchant asks for what it missed. */
export type Means = 'test clock' | (() => Promise<void>)

type Late = { what: string; responsible: Responsible }

/**
 * Waits until every purchase is over, every refund, and everything has been heard. What is still open after a minute must have somebody
 * who is going to move it: a worker within another minute, or the schedule of deliveries, which tells a receiver that missed two attempts
 * again after five minutes only. Those moments are waited for, too; a test clock, where there is one, is brought there while no worker
 * runs. Where there is none, receivers ask for what they missed, as their operators would: the third attempt fails as well as the second
 * did, and the fourth is half an hour away.
 */
export async function settle(stage: Trial, tally: Tally, means: Means): Promise<void> {
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

/** Until the schedule has told the last of these again, and once more those to whom that was their first bad moment. */
async function waitForRetries(stage: Trial, open: readonly Late[]): Promise<Late[]> {
  let late = [...open]
  for (let round = 0; round < retryRoundsMax && late.length > 0; round++) {
    const { now } = await readOpen(stage.service.ready.database_url, stage.seed)
    const last = Math.max(...late.map((one) => dueOf(one) ?? now.getTime()))
    late = await waitByClock(stage, Math.ceil((last - now.getTime()) / 1000))
  }
  return late
}

/** Merchants that have bad moments miss some of what they ask for, too, and ask again. */
async function waitForMissed(stage: Trial, ask: () => Promise<void>): Promise<Late[]> {
  let late: Late[] = []
  for (let asked = 0; asked < askedMax; asked++) {
    await ask()
    late = await waitForReal(stage, overSeconds)
    if (late.length === 0) break
  }
  return late
}

/** Until nothing is left, or nothing that is worth the wait. */
async function waitForReal(
  stage: Trial,
  patienceSeconds: number,
  isWorthIt: (one: Late, now: Date) => boolean = () => true,
): Promise<Late[]> {
  const whole = patience(overSeconds * 1000)
  let wait = patience(patienceSeconds * 1000)
  for (let least = Number.POSITIVE_INFINITY; ; ) {
    const { late, now } = await look(stage)
    // Where it gets less somebody is at work, however slow this machine is.
    if (late.length < least) wait = patience(patienceSeconds * 1000)
    least = Math.min(least, late.length)
    if (!late.some((one) => isWorthIt(one, now)) || wait.isOver() || whole.isOver()) return late
    await delay(pollMs)
  }
}

/**
 * What dead workers held is let go by the clock; nobody is left who could still be working, as all have stopped meanwhile. Ends when
 * nothing is left but what will be told again later.
 */
async function waitByClock(stage: Trial, firstStep: number): Promise<Late[]> {
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

async function look({ service, seed, trade }: Trial): Promise<{ late: Late[]; now: Date }> {
  const url = service.ready.database_url
  // Purchases first: what ends between the two leaves an event to be heard.
  const { open, now } = await readOpen(url, seed)
  const work = trade === null ? [] : await readOpenTrade(url, trade)
  const purchases = open.map((purchase) => ({
    what: `${purchase.id} is still ${purchase.status}`,
    responsible: responsibleFor(purchase, now),
  }))
  const others = work.map((one) => ({ what: one.what, responsible: responsibleForWork(one, now) }))
  return { late: [...purchases, ...others], now }
}

async function refuse(stage: Trial, tally: Tally, stuck: readonly Late[]): Promise<void> {
  for (const one of stuck) tally.fail(`W2 ${describe(one)}`)
  if (stuck.length === 0) return
  const { folder, service } = stage
  await keepEvidence({ folder, url: service.ready.database_url }, stuck.map(describe))
}

/** The schedule of deliveries will tell them again. */
function isTold({ responsible }: Late): boolean {
  return responsible.who === 'merchant' || responsible.who === 'listener'
}

function dueOf({ responsible }: Late): number | null {
  return responsible.who === 'nobody' ? null : responsible.by.getTime()
}

/** A clock that can be brought forward is there sooner than the schedule. */
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
