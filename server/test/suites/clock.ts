import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { createTestDatabase, type TestServer } from '../harness/database.ts'
import { checkEdges } from './clock/check-edges.ts'
import { deliveryEdges } from './clock/delivery-edges.ts'
import { durations } from './clock/durations.ts'
import { chosenByCallers, foundDurations, notYet, sourceText } from './clock/found-durations.ts'
import { onboardingEdges } from './clock/onboarding-edges.ts'
import { platformEdges } from './clock/platform-edges.ts'
import { policyEdges } from './clock/policy-edges.ts'
import { promotionEdges } from './clock/promotion-edges.ts'
import { purchaseEdges } from './clock/purchase-edges.ts'
import { quoteEdges } from './clock/quote-edges.ts'
import { type Edge, type Judge, openStage } from './clock/stage.ts'
import { type Lane, openLane } from './model/lane.ts'
import type { SuiteRun, Tally } from './suite.ts'

const edges: Readonly<Record<string, Edge>> = {
  ...purchaseEdges,
  ...policyEdges,
  ...deliveryEdges,
  ...quoteEdges,
  ...onboardingEdges,
  ...promotionEdges,
  ...checkEdges,
  ...platformEdges,
}

/** Between the change of Europe's clocks and America's, an hour before a day ends. */
const start = new Date('2026-10-26T23:00:00.000Z')

/**
 * Every deadline, a millisecond before its end and at its end, seen through the API and in what a worker leaves behind. Time moves only
 * as an edge says. The list of deadlines is compared with the sources.
 */
export async function runClock({ server, only, tally }: SuiteRun): Promise<void> {
  if (only === null) checkList(tally)
  const lane = await openLane(server, { deliveries: true })
  const names = Object.keys(edges).filter((name) => only === null || name.includes(only))
  try {
    for (const name of names) await runEdge(lane, name, judgeOf(tally))
    tally.figure('deadlines', names.length)
    if (only === null) await checkFaults(lane, tally)
  } finally {
    await lane.stop()
  }
  if (only === null) await checkAdvance(server, tally)
}

function judgeOf(tally: Tally): Judge {
  return (isKept, what) => {
    if (isKept) tally.pass()
    else tally.fail(what())
  }
}

async function runEdge(lane: Lane, name: string, judge: Judge): Promise<void> {
  try {
    const stage = await openStage(lane, name, start, judge)
    await edges[name]?.(stage)
  } catch (error) {
    judge(
      false,
      () => `${name} ended with ${error instanceof Error ? (error.stack ?? error.message) : error}`,
    )
  }
  const complaints = lane.complaints()
  judge(complaints.length === 0, () => `${name}: a worker complained: ${complaints.join(' ').slice(0, 2000)}`)
  // The next one begins at the same moment again.
  await lane.abandon()
}

/** Every duration that the sources name is in the list as it is, and the list names nothing else. */
function checkList(tally: Tally): void {
  const found = foundDurations()
  for (const [name, value] of found) {
    const placed = durations[name]
    if (!placed) tally.fail(`duration ${name} = ${value} has no place in the clock suite`)
    else if (placed.value !== value)
      tally.fail(`duration ${name} is ${value}, the clock suite knows ${placed.value}`)
    else tally.pass()
  }
  const text = sourceText()
  for (const { duration, word } of notYet) {
    if (word.test(text)) tally.fail(`duration "${duration}" seems to exist now and needs an edge`)
    else tally.pass()
  }
  const named = Object.values(durations).flatMap((placed) => ('edge' in placed ? [placed.edge] : []))
  for (const name of new Set([...named, ...chosenByCallers]))
    if (!edges[name]) tally.fail(`edge ${name} is in the list and nowhere else`)
  for (const name of Object.keys(durations)) if (!found.has(name)) tally.fail(`duration ${name} is no more`)
  tally.figure('durations in the sources', found.size)
  tally.figure('of them of one process', Object.values(durations).filter((one) => 'local' in one).length)
  tally.figure('without an owner yet', notYet.map(({ duration }) => duration).join('; '))
}

/** Most edges must notice a clock that runs wrong. */
async function checkFaults(lane: Lane, tally: Tally): Promise<void> {
  const { set } = lane.clock
  const faults: Record<string, (at: Date) => Date> = {
    'a millisecond slow': (at) => new Date(at.getTime() - 1),
    'a millisecond fast': (at) => new Date(at.getTime() + 1),
    'an hour of summer': (at) => new Date(at.getTime() + 3_600_000),
  }
  for (const [fault, wrong] of Object.entries(faults)) {
    lane.clock.set = (at) => set(at.getTime() === start.getTime() ? at : wrong(at))
    for (const name of ['approval', 'order answer', 'windows', 'rotation']) {
      let noticed = 0
      await runEdge(lane, name, (isKept) => {
        if (!isKept) noticed += 1
      })
      if (noticed > 0) tally.pass()
      else tally.fail(`fault "${fault}" went unnoticed by ${name}`)
    }
  }
  lane.clock.set = set
  tally.figure('planted faults', Object.keys(faults).length * 4)
}

/** What `prokura clock advance` does: time goes on from there. */
async function checkAdvance(server: TestServer, tally: Tally): Promise<void> {
  const database = await createTestDatabase({ server })
  try {
    await installTestClock(database.url)
    const before = await advanceTestClock(database.url, 0)
    const after = await advanceTestClock(database.url, 86_400)
    const passed = (after?.getTime() ?? 0) - (before?.getTime() ?? 0)
    if (passed >= 86_400_000 && passed < 86_430_000) tally.pass()
    else tally.fail(`advance by a day took the clock ${passed} ms further`)
  } finally {
    await database.drop()
  }
}
