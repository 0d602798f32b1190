import { allCases, type Case, gateCases } from './anywhere/cases.ts'
import { liveThrough, makeCrashFile, momentOf } from './anywhere/die.ts'
import { type Bought, judgePurchase } from './anywhere/judge.ts'
import { openShopping } from './anywhere/shopping.ts'
import { endEvidence, evidenceFolder, keepEvidence } from './load/keep-evidence.ts'
import { openPasses } from './passes.ts'
import { seededRandom, shuffled } from './random.ts'
import { relayRest } from './relay-rest.ts'
import { createTally, type SuiteRun, type Tally } from './suite.ts'
import { startService } from './whole-product.ts'

/** Each lane has a service and a sandbox of its own. Only its dying processes and those that take over do anything in it. */
const lanes = { gate: 2, long: 3 }

/**
 * Workers, the browser process, the vault and the API die while a purchase is made at a shop that has never heard of us, at each point where
 * that can hurt. What the shop and the processor remember is compared with what the purchase says.
 */
export async function runAnywhere({ size, seed, only, tally }: SuiteRun): Promise<void> {
  const random = seededRandom(seed)
  const cases = (size === 'long' ? allCases() : gateCases(random)).filter(
    (one) => only === null || nameOf(one).includes(only),
  )
  const passes = size === 'long' ? openPasses<Lived>('anywhere') : null
  const before = cases.flatMap((one) => passes?.of(nameOf(one)) ?? [])
  for (const { deaths } of before) tally.pass(deaths)
  const undone = cases.filter((one) => !passes?.of(nameOf(one)))
  const lane: Lane = {
    folder: evidenceFolder('anywhere', seed),
    waiting: shuffled(undone, random),
    tally,
    start: inTurn(startService),
    onPassed: (one, told) => passes?.keep(nameOf(one), told),
  }
  const count = Math.min(lanes[size], undone.length)
  const lived = await Promise.all(Array.from({ length: count }, () => runLane(lane)))
  const all = [...before, ...lived.flat()]
  tally.figure('purchases', all.length)
  tally.figure(
    'deaths',
    all.reduce((sum, { deaths }) => sum + deaths, 0),
  )
  tally.figure('double charges', all.filter(({ charges }) => charges > 1).length)
  tally.figure('charges not shown as such', all.filter(({ charges, told }) => charges > 0 && !told).length)
  tally.figure('stuck after 60 s', all.filter(({ isStuck }) => isStuck).length)
  if (passes !== null) tally.figure('purchases of an earlier run', before.length)
  endEvidence(lane.folder, tally)
}

function nameOf({ page, deaths }: Case): string {
  const moments = deaths.map((death) => `${death.who} ${momentOf(death)}`)
  return `${page.url.replace('https://', '')} ${moments.join(', ')}`
}

type Lane = {
  readonly folder: string
  readonly waiting: Case[]
  readonly tally: Tally
  readonly start: typeof startService
  onPassed(one: Case, told: Lived): void
}

type Lived = Bought & { readonly deaths: number; readonly isStuck: boolean }

/** One world after the other, until nothing waits. */
async function runLane(lane: Lane): Promise<Lived[]> {
  const lived: Lived[] = []
  while (lane.waiting.length > 0) lived.push(...(await liveInOneWorld(lane)))
  return lived
}

/** A purchase has passed once its world was audited, and a run that is stopped keeps what passed. */
const purchasesInOneWorld = 24

async function liveInOneWorld({ folder, waiting, tally, start, onPassed }: Lane): Promise<Lived[]> {
  const crashFile = makeCrashFile()
  // The vault's role can only be made on a server of our own.
  const settings = { workers: 0, testClock: true, databaseUrl: null, pages: true, crashFile: crashFile.path }
  const service = await start(settings)
  const lived: Lived[] = []
  const passed: [Case, Lived][] = []
  try {
    const shopping = await openShopping(service)
    while (lived.length < purchasesInOneWorld) {
      const one = waiting.shift()
      if (one === undefined) break
      const purchase = await shopping.create(one.page)
      const undone = await liveThrough({ service, shopping, crashFile, purchase }, one)
      const { id, email } = purchase
      const { bought, broken } = await judgePurchase(service, { page: one.page, id, email, end: one.end })
      const all = [...undone, ...broken]
      const isStuck = undone.some((what) => what.includes('is stuck'))
      const told = { ...bought, deaths: one.deaths.length, isStuck }
      lived.push(told)
      if (all.length === 0) {
        tally.pass(one.deaths.length)
        passed.push([one, told])
      }
      const failures = all.map((what) => `${nameOf(one)}: ${what}`)
      for (const failure of failures) tally.fail(failure)
      if (failures.length > 0) await keepEvidence({ folder, url: service.ready.database_url }, failures)
    }
    const audit = createTally()
    await relayRest(service, audit)
    await service.audit(audit)
    if (audit.passed > 0) tally.pass(audit.passed)
    for (const failure of audit.failures) tally.fail(failure)
    if (audit.failed === 0) for (const [one, told] of passed) onPassed(one, told)
    return lived
  } finally {
    await service.stop()
    crashFile.remove()
  }
}

/** One after the other: what a service is told by the environment is told to this whole process. */
function inTurn<Given, Answer>(work: (given: Given) => Promise<Answer>): (given: Given) => Promise<Answer> {
  let before: Promise<unknown> = Promise.resolve()
  return (given) => {
    const answer = before.then(() => work(given))
    before = answer.catch(() => undefined)
    return answer
  }
}
