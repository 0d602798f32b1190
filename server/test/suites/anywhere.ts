import { allCases, type Case, gateCases } from './anywhere/cases.ts'
import { liveThrough, makeCrashFile, momentOf } from './anywhere/die.ts'
import { type Bought, judgePurchase } from './anywhere/judge.ts'
import { openShopping } from './anywhere/shopping.ts'
import { endEvidence, evidenceFolder, keepEvidence } from './load/keep-evidence.ts'
import { seededRandom, shuffled } from './random.ts'
import { relayRest } from './relay-rest.ts'
import type { SuiteRun, Tally } from './suite.ts'
import { startService } from './whole-product.ts'

/** Each lane has a service and a sandbox of its own. Only its dying processes and those that take over do anything in it. */
const lanes = { gate: 2, long: 3 }

/**
 * Workers, the browser process, the vault and the API die while a purchase is made at a shop that has never heard of us, at each point where
 * that can hurt. What the shop and the processor remember is compared with what the purchase says.
 */
export async function runAnywhere({ size, seed, only, tally }: SuiteRun): Promise<void> {
  const cases = (size === 'long' ? allCases() : gateCases()).filter(
    (one) => only === null || nameOf(one).includes(only),
  )
  const folder = evidenceFolder('anywhere', seed)
  const waiting = shuffled(cases, seededRandom(seed)).values()
  // One after the other: what a service is told by the environment is told to this whole process.
  let starting: Promise<unknown> = Promise.resolve()
  const runs = Array.from({ length: Math.min(lanes[size], cases.length) }, () => {
    const lane = { folder, waiting, tally, after: starting }
    const { started, ended } = runLane(lane)
    starting = started
    return ended
  })
  const all = (await Promise.all(runs)).flat()
  tally.figure('purchases', all.length)
  tally.figure(
    'deaths',
    all.reduce((sum, { deaths }) => sum + deaths, 0),
  )
  tally.figure('double charges', all.filter(({ charges }) => charges > 1).length)
  tally.figure('charges not shown as such', all.filter(({ charges, told }) => charges > 0 && !told).length)
  tally.figure('stuck after 60 s', all.filter(({ isStuck }) => isStuck).length)
  endEvidence(folder, tally)
}

function nameOf({ page, deaths }: Case): string {
  const moments = deaths.map((death) => `${death.who} ${momentOf(death)}`)
  return `${page.url.replace('https://', '')} ${moments.join(', ')}`
}

type Lane = { folder: string; waiting: Iterator<Case>; tally: Tally; after: Promise<unknown> }

type Lived = Bought & { readonly deaths: number; readonly isStuck: boolean }

/** `started` resolves when the next one may start. */
function runLane(lane: Lane): { started: Promise<void>; ended: Promise<Lived[]> } {
  const { promise: started, resolve } = Promise.withResolvers<void>()
  return { started, ended: live(lane, resolve).finally(resolve) }
}

async function live({ folder, waiting, tally, after }: Lane, onStarted: () => void): Promise<Lived[]> {
  await after
  const crashFile = makeCrashFile()
  // The vault's role can only be made on a server of our own.
  const settings = { workers: 0, testClock: true, databaseUrl: null, pages: true, crashFile: crashFile.path }
  const service = await startService(settings)
  onStarted()
  const lived: Lived[] = []
  try {
    const shopping = await openShopping(service)
    for (let next = waiting.next(); !next.done; next = waiting.next()) {
      const one = next.value
      const purchase = await shopping.create(one.page)
      const undone = await liveThrough({ service, shopping, crashFile, purchase }, one)
      const { id, email } = purchase
      const { bought, broken } = await judgePurchase(service, { page: one.page, id, email, end: one.end })
      const all = [...undone, ...broken]
      lived.push({
        ...bought,
        deaths: one.deaths.length,
        isStuck: undone.some((what) => what.includes('is stuck')),
      })
      if (all.length === 0) tally.pass(one.deaths.length)
      const failures = all.map((what) => `${nameOf(one)}: ${what}`)
      for (const failure of failures) tally.fail(failure)
      if (failures.length > 0) await keepEvidence({ folder, url: service.ready.database_url }, failures)
    }
    await relayRest(service, tally)
    await service.audit(tally)
    return lived
  } finally {
    await service.stop()
    crashFile.remove()
  }
}
