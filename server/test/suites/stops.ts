import { randomUUID } from 'node:crypto'
import { measurePace, patientMs } from '../gate/pace.ts'
import { openClient } from './client.ts'
import { judgeRun } from './load/judge-run.ts'
import { settle } from './load/settle.ts'
import { startStage } from './load/stage.ts'
import { startLoad } from './load/start-load.ts'
import type { SuiteRun, Tally } from './suite.ts'
import type { LoneRole, Service } from './whole-product.ts'

/** What clients of an API know of its stop, and the answers that they got. */
type Watch = { isOver: boolean; toldMs: number; answered: number; unanswered: string[] }

/** On a quiet machine. On a slower one it is less by the same factor, since the stop is measured at the same time. */
const wishesPerSecond = 20
/** The time of a stop, after which the process gives up by itself. A slower machine may need more, and is judged by its pace. */
const stopMs = 8_000

/**
 * A deployment under load: old processes get SIGTERM while new ones already run. Each ends by itself in time, requests that are
 * under way are answered, and nothing is lost.
 */
export async function runStops({ size, seed, tally }: SuiteRun): Promise<void> {
  const testClock = size === 'gate'
  const rounds = size === 'long' ? 30 : 1
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
      // A process that gave up after eight seconds, because the machine gave it no time, could answer no more.
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
  // Measured before the signal: this process also asks, and what it is about to send waits while it measures.
  const patienceMs = patientMs(stopMs) + 2_000
  const startedMs = performance.now()
  process.kill('SIGTERM')
  const late = setTimeout(() => process.kill('SIGKILL'), patienceMs)
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
 * Four clients wait ten seconds for a price from a merchant that does not answer. The API that stops answers them long before that.
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
 * Eight connections that send one request after the other. Requests from before the API got its signal are answered. Later it
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
        // A busy machine may have no place for one more read of this account: that is an answer, too.
        if ([200, 429, 503].includes(answer.status)) watch.answered += 1
        else tally.fail(`an API that stops answered ${answer.status} ${answer.text}`)
      } else if (sentMs < watch.toldMs) {
        watch.unanswered.push(`an API that stops left a question without its answer: ${answer}`)
      } else break
    }
    await client.close()
  }
  await Promise.all(Array.from({ length: 8 }, lane))
}
