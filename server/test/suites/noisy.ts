import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { measurePace, patience } from '../gate/pace.ts'
import { createTestDatabase } from '../harness/database.ts'
import { queryStored } from './load/query-stored.ts'
import { judge, lies, quantile, type Stretch, timesOf, unseenLies } from './noisy/judge.ts'
import { type NeighbourProcess, startNeighbour } from './noisy/neighbour.ts'
import { openStage, type Stage } from './noisy/stage.ts'
import { type Deed, deedKinds, openTenant, type Tenant } from './noisy/tenant.ts'
import { countSockets, startWatch, type Watch } from './noisy/watch.ts'
import { type NoiseName, noiseNames, type Report } from './noisy/wire.ts'
import type { SuiteRun } from './suite.ts'
import { type Service, startService } from './whole-product.ts'

type Plan = { quietMs: number; noiseMs: number; queued: number; together: boolean }

const plans: Readonly<Record<SuiteRun['size'], Plan>> = {
  gate: { quietMs: 3_500, noiseMs: 3_500, queued: 150, together: false },
  long: { quietMs: 20_000, noiseMs: 30_000, queued: 500, together: true },
}

type Show = {
  run: SuiteRun
  plan: Plan
  service: Service
  world: NeighbourProcess
  stage: Stage
  tenant: Tenant
  watch: Watch
  quiet: readonly Deed[]
  /** The API's connections to PostgreSQL while it was quiet. */
  sockets: number
}

/** A neighbor does, at full strength, each thing that once stopped all others. Another tenant buys, asks and reads, and notices little. */
export async function runNoisy(run: SuiteRun): Promise<void> {
  const { server, size, seed, tally } = run
  if (!existsSync('/proc/self/status')) return tally.skip('the memory of a process is read from /proc')
  const plan = plans[size]
  const world = await startNeighbour()
  const database = await createTestDatabase({ server })
  const service = await withNames(world, () =>
    startService({ workers: 2, testClock: false, databaseUrl: database.url }),
  )
  const watch = startWatch(service.ready.base_url, () => judgedOf(service))
  let tenant: Tenant | null = null
  try {
    const stage = await openStage(service, world)
    tenant = (await openTenant(service, seed))()
    // The first call of each kind is slower than all others.
    await delay(1_000)
    const since = performance.now()
    await delay(plan.quietMs)
    const quiet = tenant.deeds.filter(({ beganMs }) => beganMs >= since)
    for (const kind of deedKinds) tally.figure(`quiet ${kind}, ms`, told(timesOf(quiet, kind)))
    const sockets = countSockets(judgedOf(service).api ?? 0)
    const show: Show = { run, plan, service, world, stage, tenant, watch, quiet, sockets }
    const names = noiseNames.filter((name) => run.only === null || name.includes(run.only))
    for (const [nth, name] of names.entries()) await suffer(show, nth, name, [name])
    if (plan.together && run.only === null) await suffer(show, names.length, 'together', names)
    await tenant.stop()
    for (const [process, held] of Object.entries(watch.highWater()))
      tally.figure(`most memory of ${process}, MB`, held)
    await stage.removeCopies()
    await service.audit(tally)
  } finally {
    await watch.stop()
    await tenant?.stop()
    await service.stop()
    await world.stop()
    await database.drop()
  }
}

/** Our processes, without the database and the sandbox. */
function judgedOf(service: Service): Record<string, number> {
  const { api = 0, worker = 0, worker_2 = 0 } = service.pids()
  return { api, worker, worker_2 }
}

/** The processes of the product use the suite's name server, since hosts with names of their own are counted apart from this machine. */
async function withNames<T>(world: NeighbourProcess, work: () => Promise<T>): Promise<T> {
  const { NODE_OPTIONS: before } = process.env
  process.env.NOISY_NAME_SERVER = `127.0.0.1:${world.ports.names}`
  process.env.NOISY_CERTIFICATE = world.certificate
  process.env.NODE_OPTIONS = `${before ?? ''} --import ${import.meta.resolve('./noisy/use-name-server.mjs')}`
  try {
    return await work()
  } finally {
    if (before === undefined) delete process.env.NODE_OPTIONS
    else process.env.NODE_OPTIONS = before
    delete process.env.NOISY_NAME_SERVER
    delete process.env.NOISY_CERTIFICATE
  }
}

async function suffer(show: Show, nth: number, name: string, names: readonly NoiseName[]): Promise<void> {
  const { run, plan, world, stage, tenant, watch, quiet } = show
  const { tally, size, seed } = run
  const outside = [measurePace()]
  watch.takePeaks()
  const beganMs = performance.now()
  const within: number[] = []
  // In the gate other processes may take the machine at any moment. In the long size the noise does not excuse its own effect.
  const measuring = setInterval(
    () => void within.push(measurePace()),
    size === 'gate' ? 1_500 : plan.noiseMs * 2,
  )
  const reports = await Promise.all(
    names.map(async (one) => {
      // No two noises of a run have the same keys.
      const noise = { name: one, ms: plan.noiseMs + nth, queued: plan.queued, seed }
      const { report } = await world.tell({ do: 'noise', noise, neighbour: stage.neighbour })
      if (!report) throw new Error(`the neighbour told nothing of ${one}`)
      return report
    }),
  )
  clearInterval(measuring)
  const endedMs = performance.now()
  const rssMb = watch.takePeaks()
  const recovered = await untilQuiet(show, endedMs)
  const { posts = 0 } = await world.tell({ do: 'count' })
  const isWithin = (ms: number) => ms >= beganMs && ms <= endedMs
  outside.push(measurePace())
  const stretch: Stretch = {
    name,
    size,
    quiet,
    deeds: tenant.deeds.filter((deed) => isWithin(deed.beganMs)),
    openSince: tenant.openSince().filter(isWithin),
    health: watch.health.filter(({ atMs }) => isWithin(atMs)),
    rssMb,
    report: sumOf(reports),
    posts,
    pace: Math.max(...outside, ...within),
    recoveredMs: recovered.ms,
    left: recovered.left,
  }
  tell(show, stretch)
  const paces = [outside, within].map((some) => some.map((pace) => Math.round(pace * 10) / 10).join(' '))
  tally.figure(`${name}: pace`, `${paces[0]} around it, ${paces[1] || 'not measured'} within`)
  const faults = judge(stretch)
  for (const fault of faults) tally.fail(fault)
  if (faults.length === 0) tally.pass(5)
  const unseen = unseenLies(stretch)
  for (const lie of unseen) tally.fail(`planted: nobody noticed in ${name} that ${lie}`)
  tally.pass(lies.length - unseen.length)
  tally.figure('planted faults seen', lies.length)
}

function tell({ run: { tally } }: Show, stretch: Stretch): void {
  const { name, deeds, rssMb, report, posts, recoveredMs, health } = stretch
  for (const kind of deedKinds) tally.figure(`${name}: ${kind}, ms`, told(timesOf(deeds, kind)))
  const listed = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([what, count]) => `${what} ${count}`)
      .join(', ')
  tally.figure(`${name}: asked`, `${report.asked}, cut off ${report.cutOff}; ${listed(report.answers)}`)
  tally.figure(`${name}: memory, MB`, listed(rssMb))
  const bad = health.filter(({ status }) => status !== 200).length
  const slowest = Math.round(Math.max(0, ...health.map(({ ms }) => ms)))
  tally.figure(`${name}: health`, `${health.length} looks, ${bad} not well, slowest ${slowest} ms`)
  tally.figure(`${name}: quiet again after, ms`, recoveredMs === null ? 'never' : Math.round(recoveredMs))
  if (name === 'cannon' || name === 'together') tally.figure(`${name}: POSTs that arrived`, posts)
}

/** p50, p95 and the longest. */
function told(times: readonly number[]): string {
  const at = [0.5, 0.95, 1].map((share) => Math.round(quantile(times, share)))
  return `p50 ${at[0]}, p95 ${at[1]}, max ${at[2]} of ${times.length}`
}

function sumOf(reports: readonly Report[]): Report {
  const answers: Record<string, number> = {}
  for (const report of reports)
    for (const [what, count] of Object.entries(report.answers)) answers[what] = (answers[what] ?? 0) + count
  return {
    asked: reports.reduce((sum, { asked }) => sum + asked, 0),
    answers,
    cutOff: reports.reduce((sum, { cutOff }) => sum + cutOff, 0),
    faults: reports.flatMap(({ faults }) => faults),
  }
}

const enough: Readonly<Record<(typeof deedKinds)[number], number>> = { purchase: 2, quote: 3, read: 10 }

/** Waits until the figures are as before, no call of the noise is under way, and nothing of the noise is left. */
async function untilQuiet(
  show: Show,
  endedMs: number,
): Promise<{ ms: number | null; left: readonly string[] }> {
  const { tenant, quiet } = show
  const wait = patience(30_000)
  const isQuiet = (kind: (typeof deedKinds)[number]) => {
    const after = tenant.deeds.filter((deed) => deed.kind === kind && deed.beganMs >= endedMs)
    const last = timesOf(after.slice(-enough[kind]), kind)
    const usual = quantile(timesOf(quiet, kind), 0.5)
    return last.length === enough[kind] && quantile(last, 0.5) <= 2 * usual + 150
  }
  for (;;) {
    const isBack = deedKinds.every(isQuiet) && tenant.openSince().every((beganMs) => beganMs >= endedMs)
    const ms = performance.now() - endedMs
    const left = isBack ? await leftOf(show) : []
    if (isBack && left.length === 0) return { ms, left }
    if (wait.isOver()) return { ms: isBack ? ms : null, left: await leftOf(show) }
    await delay(100)
  }
}

/** Places that the neighbor does not get back, connections that were not closed, transactions that did not end. */
async function leftOf({ service, stage, sockets }: Show): Promise<string[]> {
  const left: string[] = []
  const { neighbour } = stage
  const open = countSockets(judgedOf(service).api ?? 0)
  // Connections of the pools are opened when they are first needed.
  if (open > sockets + 60) left.push(`${open} connections of the API are open, and ${sockets} were before`)
  const gone = new AbortController()
  const stream = await fetch(`${neighbour.baseUrl}/v1/purchase_intents/${neighbour.intent}/events`, {
    headers: { authorization: `Bearer ${neighbour.keys.agent}`, accept: 'text/event-stream' },
    signal: gone.signal,
  })
  gone.abort()
  if (stream.status !== 200) left.push(`a stream of the neighbour is answered ${stream.status}`)
  const calls = [
    ['GET', '/v1/profiles?limit=1', undefined],
    ['POST', '/v1/rate_cards/calculate', JSON.stringify({ currency: 'USD', items: [{ amount: 1 }] })],
  ] as const
  for (const [method, path, body] of calls) {
    const key = neighbour.keys.secret
    const { status } = await service.client().rest({ method, path, key, ...(body ? { body } : {}) })
    if (status !== 200) left.push(`${path} of the neighbour is answered ${status}`)
  }
  const [{ count } = { count: 0 }] = await queryStored<{ count: number }>(
    service.ready.database_url,
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and state like 'idle in transaction%' and state_change < now() - interval '5 seconds'`,
  )
  if (count > 0) left.push(`${count} transactions were left open`)
  return left
}
