import { randomUUID } from 'node:crypto'
import { measurePace, patientMs } from '../gate/pace.ts'
import { openClient } from './client.ts'
import { judgeRun } from './load/judge-run.ts'
import { settle } from './load/settle.ts'
import { startStage } from './load/stage.ts'
import { startLoad } from './load/start-load.ts'
import type { SuiteRun, Tally } from './suite.ts'
import type { LoneRole, Service } from './whole-product.ts'

/** What those who ask an API know of its stop, and what they say of it. */
type Watch = { isOver: boolean; toldMs: number; answered: number; unanswered: string[] }

/** On a quiet machine; as much less as this one is slower, since a stop is measured beside it. */
const wishesPerSecond = 20
/** What a stop may take, after which the process gives up by itself. A machine that is slower may need more, and is then judged by its pace. */
const stopMs = 8_000

/**
 * A deployment under load: old processes are told to stop (SIGTERM) while new ones are there already. Each ends by itself in time, what
 * is on its way is answered, and nothing is lost.
 */
export async function runStops({ size, seed, tally }: SuiteRun): Promise<void> {
  const testClock = size === 'gate'
  const rounds = size === 'long' ? 30 : 2
  const promotedUses = 5 * rounds
  const perSecond = Math.max(5, Math.round(wishesPerSecond / measurePace()))
  let fronts: LoneRole[] = []
  const stage = await startStage({ name: 'stops', seed, perSecond, testClock, promotedUses })
  const { service } = stage
  const slowest: Record<string, number> = { api: 0, worker: 0 }
  const watch: Watch = { isOver: false, toldMs: Number.POSITIVE_INFINITY, answered: 0, unanswered: [] }
  let starved = 0
  const load = startLoad(stage.order)
  try {
    await load.untilPaid()
    for (let round = 0; round < rounds; round++) {
      fronts = await Promise.all([
        service.runRole('api'),
        service.runRole('worker', workerSettings(stage.world.urls)),
      ])
      const [api, worker] = fronts
      if (!api || !worker) throw new Error('the new processes are not there')
      watch.isOver = false
      watch.toldMs = Number.POSITIVE_INFINITY
      const base = String(api.ready.base_url)
      const asking = askOn(service, base, watch, tally)
      const waiting = waitOn(service, base, {
        item: stage.trade.order.quotedItems.silent ?? '',
        watch,
        tally,
      })
      await load.until(load.counts().acknowledged + 2 * perSecond)
      watch.toldMs = performance.now()
      const stopped = await stopInTime('api', api, tally)
      watch.isOver = true
      const ended = await stopInTime('worker', worker, tally)
      slowest.api = Math.max(slowest.api ?? 0, stopped.tookMs)
      slowest.worker = Math.max(slowest.worker ?? 0, ended.tookMs)
      starved += Number(stopped.isStarved) + Number(ended.isStarved)
      await Promise.all([asking, waiting])
      // Who gave up after its eight seconds on a machine that had no time for it could answer no more.
      if (!stopped.isStarved) for (const fault of watch.unanswered) tally.fail(fault)
      watch.unanswered = []
    }
    await load.untilRecovered()
    const counts = await load.stop()
    tally.figure('stops', `${rounds} of an API, ${rounds} of a worker`)
    tally.figure('slowest stop', `API ${slowest.api} ms, worker ${slowest.worker} ms`)
    if (starved > 0) tally.figure('given up for want of a machine', starved)
    tally.figure('wishes a second', perSecond)
    tally.figure('answers meanwhile', watch.answered)
    tally.figure('wishes', `${counts.wished}, ${counts.skipped} skipped`)
    await settle(stage, tally, testClock ? 'test clock' : stage.askForMissed)
    await judgeRun(stage, tally)
  } finally {
    load.kill()
    for (const one of fronts) one.kill('SIGKILL')
    await stage.stop()
  }
}

function workerSettings(urls: { processor: string; shops: string }): Record<string, string> {
  return { PROKURA_RAIL_URL: urls.processor, PROKURA_SANDBOX_URL: urls.shops }
}

type Stop = { tookMs: number; isStarved: boolean }

async function stopInTime(role: string, process: LoneRole, tally: Tally): Promise<Stop> {
  const paceBefore = measurePace()
  const startedMs = performance.now()
  process.kill('SIGTERM')
  const late = setTimeout(() => process.kill('SIGKILL'), patientMs(stopMs) + 2_000)
  const { code, signal } = await process.ended
  clearTimeout(late)
  const tookMs = Math.round(performance.now() - startedMs)
  const limitMs = Math.round(stopMs * Math.max(paceBefore, measurePace()))
  const isStarved = tookMs > stopMs && tookMs <= limitMs
  if (isStarved || (code === 0 && tookMs <= stopMs)) tally.pass()
  else tally.fail(`${role} ended with ${signal ?? code} after ${tookMs} ms of ${limitMs}`)
  return { tookMs, isStarved }
}

/**
 * Four who wait ten seconds for a price from a merchant that says nothing. The API that stops tells them where it stands, long before.
 */
async function waitOn(
  service: Service,
  base: string,
  { item, watch, tally }: { item: string; watch: Watch; tally: Tally },
): Promise<void> {
  const client = openClient(base)
  async function lane(): Promise<void> {
    const answer = await client
      .rest({
        method: 'POST',
        path: '/v1/quotes',
        key: service.person,
        headers: { 'idempotency-key': randomUUID() },
        body: JSON.stringify({ catalog_item_id: item }),
      })
      .catch((error: unknown) => String(error))
    if (typeof answer !== 'string' && answer.status === 202) tally.pass()
    else
      watch.unanswered.push(
        `an API that stops left a wait without its answer: ${typeof answer === 'string' ? answer : answer.text}`,
      )
  }
  await Promise.all(Array.from({ length: 4 }, lane))
  await client.close()
}

/**
 * Eight connections that ask one question after the other. What was sent on them before the API was told to stop is answered; later it
 * may close them.
 */
async function askOn(service: Service, base: string, watch: Watch, tally: Tally): Promise<void> {
  async function lane(): Promise<void> {
    const client = openClient(base)
    while (!watch.isOver) {
      const sentMs = performance.now()
      const answer = await client
        .rest({ method: 'GET', path: '/v1/purchase_intents?limit=20', key: service.person })
        .catch((error: unknown) => String(error))
      if (typeof answer !== 'string') {
        if (answer.status === 200 || answer.status === 503) watch.answered += 1
        else tally.fail(`an API that stops answered ${answer.status} ${answer.text}`)
      } else if (sentMs < watch.toldMs) {
        watch.unanswered.push(`an API that stops left a question without its answer: ${answer}`)
      } else break
    }
    await client.close()
  }
  await Promise.all(Array.from({ length: 8 }, lane))
}
