import { setTimeout as delay } from 'node:timers/promises'
import { advanceTestClock } from '../../../src/platform/clock/test-clock.ts'
import type { Tally } from '../suite.ts'
import { keepEvidence } from './keep-evidence.ts'
import { readOpen } from './read-stored.ts'
import { type OpenPurchase, type Responsible, responsibleFor } from './responsibility.ts'
import type { Trial } from './stage.ts'

/** Everything that was set going is over this long after the last blow, but for what a merchant will be told again. */
const overSeconds = 60
/** Longer than a lease, and than the proof that a call which was journaled can no longer arrive. */
const leaseSeconds = 45
const pollMs = 250

const askedMax = 5

/** How a merchant is told sooner than by the schedule: its clock is brought forward, or the merchant asks for what it missed. */
export type Means = 'test clock' | (() => Promise<void>)

type Late = { purchase: OpenPurchase; responsible: Responsible }

/**
 * Waits until every purchase is over. What is still open after a minute must have somebody who is going to move it: a worker within
 * another minute, or the schedule of deliveries, which tells a merchant that missed two attempts again after five minutes only. Those
 * moments are waited for, too; a test clock, where there is one, is brought there while no worker runs. Where there is none, merchants ask
 * for what they missed, as their operators would: the third attempt fails as well as the second did, and the fourth is half an hour away.
 */
export async function settle(stage: Trial, tally: Tally, means: Means): Promise<void> {
  const startedMs = performance.now()
  const hasTestClock = means === 'test clock'
  let late = await (hasTestClock ? waitByClock : waitForReal)(stage, overSeconds)
  tally.figure(
    'all over after',
    `${seconds(startedMs)} s${hasTestClock ? ' (and a clock brought forward)' : ''}`,
  )
  const ownerless = late.filter(({ responsible }) => responsible.who === 'nobody')
  await refuse(stage, tally, ownerless)
  late = late.filter(({ responsible }) => responsible.who !== 'nobody')
  if (late.length === 0) return
  const merchants = late.filter(({ responsible }) => responsible.who === 'merchant')
  tally.figure('open after 60 s', late.map(describe).slice(0, 5).join('; '))
  tally.figure('of these with a merchant', merchants.length)
  await refuse(
    stage,
    tally,
    hasTestClock ? await waitForRetries(stage, merchants) : await waitForMissed(stage, means),
  )
  tally.figure('all over in the end after', `${seconds(startedMs)} s`)
}

/** Until the schedule has told the last of these merchants again. */
async function waitForRetries(stage: Trial, merchants: readonly Late[]): Promise<Late[]> {
  const last = Math.max(
    ...merchants.map(({ responsible }) => (responsible.who === 'merchant' ? responsible.by.getTime() : 0)),
  )
  const { now } = await readOpen(stage.service.ready.database_url, stage.seed)
  return await waitByClock(stage, Math.max(overSeconds, (last - now.getTime()) / 1000 + leaseSeconds))
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

async function waitForReal(stage: Trial, patienceSeconds: number): Promise<Late[]> {
  const deadline = performance.now() + patienceSeconds * 1000
  for (;;) {
    const late = await look(stage)
    if (late.length === 0 || performance.now() > deadline) return late
    await delay(pollMs)
  }
}

/** What dead workers held is let go by the clock; nobody is left who could still be working, as all have stopped meanwhile. */
async function waitByClock(stage: Trial, patienceSeconds: number): Promise<Late[]> {
  let late: Late[] = []
  for (let passed = 0; passed < patienceSeconds; passed += leaseSeconds) {
    const step = Math.max(leaseSeconds, patienceSeconds - 2 * overSeconds)
    await stage.withoutWorkers(
      async () => void (await advanceTestClock(stage.service.ready.database_url, step)),
    )
    passed += step - leaseSeconds
    late = await waitForReal(stage, 8)
    if (late.length === 0) return []
  }
  return late
}

async function look(stage: Trial): Promise<Late[]> {
  const { open, now } = await readOpen(stage.service.ready.database_url, stage.seed)
  return open.map((purchase) => ({ purchase, responsible: responsibleFor(purchase, now) }))
}

async function refuse(stage: Trial, tally: Tally, stuck: readonly Late[]): Promise<void> {
  for (const one of stuck) tally.fail(`W2 ${describe(one)}`)
  if (stuck.length === 0) return
  const { folder, service } = stage
  await keepEvidence({ folder, url: service.ready.database_url }, stuck.map(describe))
}

function describe({ purchase, responsible }: Late): string {
  const next =
    responsible.who === 'nobody'
      ? responsible.why
      : `${responsible.who} due at ${responsible.by.toISOString()}`
  return `${purchase.id} is still ${purchase.status}: ${next}`
}

function seconds(startedMs: number): number {
  return Math.round((performance.now() - startedMs) / 100) / 10
}
