import { createTestDatabase } from '../harness/database.ts'
import { seededRandom } from './random.ts'
import { checkAnswers } from './receivers/answers.ts'
import { playChanges } from './receivers/changes.ts'
import { conclude } from './receivers/conclude.ts'
import { fates, retryAfterSeconds, troubled } from './receivers/kinds.ts'
import { watchMemory } from './receivers/memory.ts'
import { askForPrices } from './receivers/quotes.ts'
import { paced, quiet, type Show, stuckOf, tellEach, until } from './receivers/show.ts'
import { castOf, isOf, openStage, pathOf } from './receivers/stage.ts'
import { openTeller, orderTypes } from './receivers/teller.ts'
import { eachOf, type SuiteRun } from './suite.ts'
import { startService } from './whole-product.ts'

type Plan = {
  merchants: number
  /** Events told one after another, each to all endpoints of one merchant. */
  healthyTicks: number
  mixedTicks: number
  everyMs: number
  /** Endpoints that hang, all of one merchant, while the others go on. */
  flood: number
  /** Whole orders told at once, one of each merchant. */
  bursts: number
  /** The processes that are killed, one for each burst. */
  kills: readonly string[]
  /** How the clock is walked through the retries afterwards. */
  walk: readonly number[]
  /** A p99 of a healthy endpoint below this proves nothing about queues: a garbage collection or another process explains it. */
  latencyFloorMs: number
}

const endpointsEach = 50
const buyerEndpointsEach = 12
const hour = 3600

/** Past a lease, past the wait that a busy endpoint requests, and past the retries after five seconds and five minutes. */
const shortRetries = [40, 120, 420]

const plans: Readonly<Record<SuiteRun['size'], Plan>> = {
  gate: {
    merchants: 4,
    healthyTicks: 12,
    mixedTicks: 18,
    everyMs: 400,
    flood: 0,
    bursts: 1,
    kills: ['worker'],
    walk: shortRetries,
    // Of a few hundred samples, p99 is the fourth longest. Anything on a busy machine may delay it by some hundred milliseconds. An endpoint
    // that has to wait for those that hang waits for seconds.
    latencyFloorMs: 1_500,
  },
  long: {
    merchants: 12,
    healthyTicks: 120,
    mixedTicks: 300,
    everyMs: 400,
    flood: 300,
    bursts: 18,
    kills: ['worker', 'api', 'worker_2', 'postgres', 'worker', 'worker_2', 'api'],
    walk: [
      ...shortRetries,
      0.7 * hour,
      2.5 * hour,
      6.2 * hour,
      12.2 * hour,
      17 * hour,
      24.2 * hour,
      29 * hour,
    ],
    latencyFloorMs: 250,
  },
}

type Play = Show & { plan: Plan }

/** Of hundreds of endpoints three in ten are in trouble: no event is lost, no other endpoint waits for them, and no redirect is followed. */
export async function runReceivers({ server, size, seed, seeds = 1, tally }: SuiteRun): Promise<void> {
  const plan = plans[size]
  const random = seededRandom(seed)
  // Only a server that the suite started can be killed.
  const database = plan.kills.includes('postgres') ? null : await createTestDatabase({ server })
  const service = await startService({ workers: 2, testClock: true, databaseUrl: database?.url ?? null })
  const stage = await openStage(service, { merchantCount: plan.merchants, seed, random })
  const teller = await openTeller(service)
  const memory = watchMemory(() => {
    const { worker = 0, worker_2 = 0 } = service.pids()
    return [worker, worker_2].filter((pid) => pid > 0)
  })
  const show: Play = {
    service,
    stage,
    teller,
    tally,
    memory,
    told: [],
    failingFrom: Number.POSITIVE_INFINITY,
    seeds: { first: seed, count: seeds },
    plan,
  }
  try {
    const timed = stopwatch(show)
    await timed('opened', async () => {
      await stage.open(castOf(plan.merchants * endpointsEach, random))
      const ofBuyers = castOf(plan.merchants * buyerEndpointsEach, random)
      await stage.open(ofBuyers, { owners: stage.buyers, audience: 'buyer' })
    })
    const healthy = await timed('healthy', () => playHealthy(show))
    await timed('changes', () => playChanges(show))
    const prices = await askForPrices(show)
    const mixed = await timed('mixed', () => playMixed(show))
    const flooded = await timed('flood', () => playFlood(show))
    await timed('bursts', () => playBursts(show))
    await timed('recovery', () => recover(show))
    const answers = await timed('answers', () => checkAnswers(show))
    await timed('prices', () => prices.check())
    await timed('walk', () => walk(show))
    await answers.checkAfterADay()
    await timed('judged', () => conclude(show, { healthy, mixed, flooded }, plan.latencyFloorMs))
  } finally {
    await memory.stop()
    await teller.close()
    await stage.stop()
    await service.stop()
    await database?.drop()
  }
}

/** How long each part took, in one figure. */
function stopwatch({ tally }: Show): <T>(part: string, work: () => Promise<T>) => Promise<T> {
  const parts: string[] = [`started ${Math.round(performance.now() / 100) / 10}`]
  return async (part, work) => {
    const startedMs = performance.now()
    const result = await work()
    parts.push(`${part} ${Math.round((performance.now() - startedMs) / 100) / 10}`)
    tally.figure('seconds', parts.join(', '))
    return result
  }
}

async function playHealthy(show: Play): Promise<Set<string>> {
  await tellEach(show, 1)
  await quiet(show)
  show.memory.stretch('healthy')
  const events = await paced(show, show.plan.healthyTicks, show.plan.everyMs)
  await quiet(show)
  return events
}

/** The same endpoints at the same pace, but three in ten turn bad. */
async function playMixed(show: Play): Promise<Set<string>> {
  const { stage, plan } = show
  await stage.open(stage.merchants.slice(0, Math.ceil(plan.merchants / 3)).map(() => 'tls'))
  await stage.open(['tls'], { owners: stage.buyers, audience: 'buyer' })
  await stage.become(stage.endpoints.filter(({ kind }) => kind !== 'refuse' && kind !== 'tls'))
  await stage.close(stage.of('refuse'))
  for (const audience of ['merchant', 'buyer'] as const) {
    const some = stage
      .of('healthy')
      .filter((one) => one.audience === audience && isOf(one.types, 'order.requested'))
    for (const endpoint of some.slice(0, rotatedOf[audience])) await stage.rotate(endpoint)
  }
  show.memory.stretch('mixed')
  const half = Math.floor(plan.mixedTicks / 2)
  const before = await paced(show, half, plan.everyMs)
  await stage.killFrail()
  const after = await paced(show, plan.mixedTicks - half, plan.everyMs)
  // The measured part is over before anything else begins.
  await quiet(
    show,
    stage.endpoints.filter(({ kind }) => kind !== 'healthy').map(({ destination }) => destination),
  )
  return new Set([...before, ...after])
}

/** How many endpoints get another secret. */
const rotatedOf = { merchant: 10, buyer: 4 }

/** One merchant's endpoints hang, more of them than a process makes attempts at a time. */
async function playFlood(show: Play): Promise<Set<string>> {
  const { stage, teller, plan } = show
  if (plan.flood === 0) return new Set()
  show.memory.stretch('flood')
  const hanging = Array.from({ length: plan.flood }, () => 'hang' as const)
  const flood = await stage.open(hanging, { owners: [stage.flooder], types: orderTypes })
  await stage.become(flood)
  const parties = { merchant: stage.flooder.id, buyer: stage.flooder.id }
  for (let order = 0; order < 4; order++) await teller.tell(parties, teller.newOrder(), 1)
  const events = await paced(show, 40, plan.everyMs)
  await eachOf(flood, 8, async (endpoint) => {
    await stage.call(endpoint.merchant, 'POST', `${pathOf(endpoint)}/archive`)
  })
  return events
}

/** Many whole orders at once, while processes of the product are killed. */
async function playBursts(show: Play): Promise<void> {
  const { plan, stage, teller } = show
  show.memory.stretch('bursts')
  const killed: string[] = []
  const { pids } = show.service
  for (let burst = 0; burst < plan.bursts; burst++) {
    await tellEach(show, 3)
    const victim = plan.kills[burst]
    if (victim !== undefined) {
      await until(show, `${victim} runs, to be killed`, async () => kill(pids()[victim]))
      killed.push(victim)
      // The rows of a killed worker are due again when its lease has ended.
      await teller.advance(31)
    }
    await until(show, 'most of a burst is delivered', async () => (await teller.open(stuckOf(stage))) < 500)
  }
  show.tally.figure('kills', killed.join(' '))
  if (killed.length < plan.kills.length)
    show.tally.fail(`kills: only ${killed.length} of ${plan.kills.length}`)
}

/** Of each kind that never acknowledges, how many stay as they are. */
const incorrigible = 2

/** The endpoints that come back in the end. Each must have received every event. */
async function comeBack({ stage, plan }: Play): Promise<void> {
  await stage.reopen(stage.of('refuse'))
  await stage.reviveFrail()
  await stage.become(stage.of('wrong_secret'), 'healthy')
  for (const kind of troubled) {
    // This waits for attempts that hang, and the gate has no time for that.
    if (fates[kind] !== 'never' || kind === 'tls') continue
    if (plan.flood === 0 && (kind === 'hang' || kind === 'late')) continue
    const back = stage
      .of(kind)
      .filter(({ merchant }) => merchant !== stage.flooder)
      .slice(incorrigible)
    for (const endpoint of back) endpoint.fate = 'arrives'
    await stage.become(back, 'healthy')
  }
}

/** Every endpoint that can come back does. Until then a busy endpoint got no request for as long as it asked. */
async function recover(show: Play): Promise<void> {
  const { stage, tally } = show
  await quiet(show)
  await comeBack(show)
  for (const endpoint of stage.of('busy').slice(0, 12)) {
    for (const { status, attempts, next_attempt_at, event_id } of await stage.deliveries(endpoint)) {
      const last = attempts.at(-1)
      if (status !== 'failed' || last?.http_status !== 429 || next_attempt_at === null) continue
      const waitMs = Date.parse(next_attempt_at) - Date.parse(last.at)
      if (waitMs >= retryAfterSeconds * 1000) tally.pass()
      else tally.fail(`retry-after ${event_id} is due after ${waitMs} ms, not after ${retryAfterSeconds} s`)
    }
  }
}

/** Walks the clock through the retries, and then past the day in which two secrets are live. */
async function walk(show: Play): Promise<void> {
  show.memory.stretch('walk')
  for (const seconds of show.plan.walk) await walkBy(show, seconds)
  const isWhole = show.plan.walk.length > 5
  if (isWhole) await checkExhausted(show)
  await walkBy(show, 24.5 * hour)
  show.failingFrom = Date.now()
  await tellEach(show, 1)
  await quiet(show)
  for (const seconds of shortRetries) await walkBy(show, seconds)
  if (!isWhole) return
  // Five days with failures only are over now, so the next failure disables.
  await walkBy(show, 10 * hour)
  await checkDisabled(show)
}

async function walkBy(show: Play, seconds: number): Promise<void> {
  await show.teller.advance(Math.round(seconds))
  await quiet(show)
}

/** Ten attempts, and then no further one without a request. */
async function checkExhausted({ stage, tally }: Play): Promise<void> {
  for (const endpoint of stage.of('broken', 'redirect').filter(({ fate }) => fate === 'never')) {
    for (const { status, attempts, event_id } of await stage.deliveries(endpoint)) {
      if (status === 'succeeded') continue // from the time when it was healthy
      if (status === 'exhausted' && attempts.length >= 10) tally.pass()
      else
        tally.fail(`exhausted ${event_id} to ${endpoint.kind} is ${status} after ${attempts.length} attempts`)
    }
  }
}

async function checkDisabled({ stage, tally }: Play): Promise<void> {
  const destinations = await stage.destinations()
  for (const { kind, fate, destination } of stage.of('broken', 'redirect', 'gone')) {
    if (fate === 'arrives') continue
    const { status, reason } = destinations.get(destination) ?? {}
    const expected = kind === 'gone' ? 'gone' : 'failing'
    if (status === 'disabled' && reason === expected) tally.pass()
    else tally.fail(`disabled ${destination} (${kind}) is ${status}, ${reason}`)
  }
}

/** False when the process is not running, because it is being started again. */
function kill(pid: number | undefined): boolean {
  if (pid === undefined || pid === 0) return false
  try {
    process.kill(pid, 'SIGKILL')
    return true
  } catch {
    return false
  }
}
