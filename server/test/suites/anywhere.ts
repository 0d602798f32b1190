import { setTimeout as delay } from 'node:timers/promises'
import { advanceTestClock } from '../../src/platform/clock/test-clock.ts'
import { patience, patientMs } from '../gate/pace.ts'
import { allCases, type Case, endAfter, gateCases } from './anywhere/cases.ts'
import { type Bought, judgePurchase } from './anywhere/judge.ts'
import { openShopping, type Shopping } from './anywhere/shopping.ts'
import { endEvidence, evidenceFolder, keepEvidence } from './load/keep-evidence.ts'
import { seededRandom, shuffled } from './random.ts'
import { relayRest } from './relay-rest.ts'
import type { SuiteRun, Tally } from './suite.ts'
import { type Service, startService } from './whole-product.ts'

/** Each lane has a service and a sandbox of its own. Only its dying worker and the worker that takes over do anything in it. */
const lanes = 2
const deathPatienceMs = 60_000
const heirPatienceMs = 15_000
const heirsMax = 3
/** Longer than a lease, and longer than anybody waits for a stranger that is silent. */
const leaseSeconds = 45

/**
 * A worker dies while it buys at a shop that has never heard of us, at each point where that can hurt. Another one takes over. What the
 * shop and the processor remember is compared with what the purchase says.
 */
export async function runAnywhere({ size, seed, only, tally }: SuiteRun): Promise<void> {
  const cases = (size === 'long' ? allCases() : gateCases()).filter(
    (one) => only === null || nameOf(one).includes(only),
  )
  const folder = evidenceFolder('anywhere', seed)
  const waiting = shuffled(cases, seededRandom(seed)).values()
  const bought = await Promise.all(Array.from({ length: lanes }, () => runLane({ folder, waiting, tally })))
  const all = bought.flat()
  tally.figure('deaths', all.length)
  tally.figure('double charges', all.filter(({ charges }) => charges > 1).length)
  tally.figure('charges not shown as such', all.filter(({ charges, told }) => charges > 0 && !told).length)
  endEvidence(folder, tally)
}

function nameOf(one: Case): string {
  const when = one.dies === 'worker' ? one.point : `browser after ${one.afterMs} ms`
  return `${one.page.url.replace('https://', '')} ${when}`
}

type Lane = { folder: string; waiting: Iterator<Case>; tally: Tally }

async function runLane({ folder, waiting, tally }: Lane): Promise<Bought[]> {
  // The vault's role can only be made on a server of our own.
  const service = await startService({ workers: 0, testClock: true, databaseUrl: null, pages: true })
  const bought: Bought[] = []
  try {
    const shopping = await openShopping(service)
    for (let next = waiting.next(); !next.done; next = waiting.next()) {
      const { broken, ...one } = await dieAt(service, shopping, next.value)
      bought.push(one)
      if (broken.length === 0) tally.pass()
      for (const what of broken) tally.fail(`${nameOf(next.value)}: ${what}`)
      if (broken.length > 0) await keepEvidence({ folder, url: service.ready.database_url }, broken)
    }
    await relayRest(service, tally)
    await service.audit(tally)
    return bought
  } finally {
    await service.stop()
  }
}

async function dieAt(
  service: Service,
  shopping: Shopping,
  one: Case,
): Promise<Bought & { broken: string[] }> {
  const purchase = await shopping.create(one.page)
  const hasDied =
    one.dies === 'worker'
      ? await workerDies(service, purchase, one.point)
      : await browserDies(service, shopping, purchase, one.afterMs)
  const isOver = await inherit(service, shopping, purchase.id)
  const { bought, broken } = await judgePurchase(service, {
    page: one.page,
    id: purchase.id,
    email: purchase.email,
    end: endAfter(one),
  })
  return {
    ...bought,
    broken: [
      ...(hasDied ? [] : [`the ${one.dies} did not die there`]),
      ...(isOver ? [] : [`${purchase.id} is stuck`]),
      ...broken,
    ],
  }
}

type Created = Awaited<ReturnType<Shopping['create']>>

async function workerDies(service: Service, { approve }: Created, point: string): Promise<boolean> {
  const doomed = service.runWorker({ PROKURA_FAULTS: 'on', PROKURA_CRASH_AT: point })
  await approve()
  const limit = AbortSignal.timeout(patientMs(deathPatienceMs))
  limit.addEventListener('abort', () => doomed.kill())
  return (await doomed.ended) === 'SIGKILL' && !limit.aborted
}

/** The browser process dies and is started again, while the worker lives. */
async function browserDies(
  service: Service,
  shopping: Shopping,
  { id, approve }: Created,
  afterMs: number,
): Promise<boolean> {
  const worker = await service.startRole('worker')
  await approve()
  await shopping.untilOrdered(id)
  await delay(afterMs)
  const pid = service.pids().browser
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
  await worker.stop(8000)
  return pid !== undefined
}

/** Other workers end it, after the dead one's lease. Answers whether nothing is left to do but to wait for the shop's money. */
async function inherit({ ready, startRole }: Service, shopping: Shopping, id: string): Promise<boolean> {
  for (let heirs = 0; heirs < heirsMax; heirs++) {
    await advanceTestClock(ready.database_url, leaseSeconds)
    const heir = await startRole('worker')
    const wait = patience(heirPatienceMs)
    let isOver = await shopping.isOver(id)
    while (!isOver && !wait.isOver()) {
      await delay(100)
      isOver = await shopping.isOver(id)
    }
    await heir.stop(8000)
    if (isOver) return true
  }
  return false
}
