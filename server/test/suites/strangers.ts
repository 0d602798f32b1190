import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createTestDatabase } from '../harness/database.ts'
import { person } from '../harness/person.ts'
import { quantile } from './noisy/judge.ts'
import { memoryOf } from './noisy/watch.ts'
import type { Pressed } from './strangers/press.ts'
import type { SuiteRun, Tally } from './suite.ts'
import { bodyOf, type Service, startService } from './whole-product.ts'

const plans: Readonly<Record<SuiteRun['size'], { quietMs: number; pressedMs: number }>> = {
  gate: { quietMs: 10_000, pressedMs: 30_000 },
  long: { quietMs: 60_000, pressedMs: 600_000 },
}

const readsEveryMs = 50
const slowerMax = 2
const rssMaxMb = 600
/** The memory that the API may hold at the end beyond that at the time when all clients had come. */
const growthMaxMb = 40
const weighEveryMs = 1_000

/** For ten minutes clients without a key do what costs us most. Clients with a key read as before, and memory does not grow. */
export async function runStrangers({ server, size, tally }: SuiteRun): Promise<void> {
  if (!existsSync('/proc/self/status')) return tally.skip('the memory of a process is read from /proc')
  const { quietMs, pressedMs } = plans[size]
  const database = await createTestDatabase({ server })
  const service = await startService({ workers: 1, databaseUrl: database.url })
  try {
    const read = await openReader(service)
    await readFor(read, 2_000)
    const quiet = await readFor(read, quietMs)
    const pressing = startPressing(service.ready.base_url, pressedMs)
    const [during, weights] = await Promise.all([
      readFor(read, pressedMs),
      weighFor(service.pids().api ?? 0, pressedMs),
    ])
    const pressed = await pressing
    const after = await readFor(read, Math.min(quietMs, 10_000))
    tally.figure('quiet reads', told(quiet))
    tally.figure('reads meanwhile', told(during))
    tally.figure('reads afterwards', told(after))
    const answers = Object.entries(pressed.answers).map(([status, count]) => `${status} ${count}`)
    tally.figure(
      'strangers',
      `${pressed.opened} connections, ${pressed.closed} closed; ${answers.join(', ')}`,
    )
    judgeReads(tally, quiet, during)
    judgeMemory(tally, weights)
  } finally {
    await service.stop()
    await database.drop()
  }
}

type Reads = { times: number[]; refused: string[] }

async function openReader(service: Service): Promise<() => Promise<number>> {
  const key = service.person
  const made = await service
    .client()
    .rest({ method: 'POST', path: '/v1/profiles', key, body: JSON.stringify(person) })
  const path = `/v1/profiles/${bodyOf(made, 201).id}`
  return async () => (await service.client().rest({ method: 'GET', path, key })).status
}

async function readFor(read: () => Promise<number>, ms: number): Promise<Reads> {
  const reads: Reads = { times: [], refused: [] }
  const endMs = performance.now() + ms
  while (performance.now() < endMs) {
    const beganMs = performance.now()
    const status = await read().catch((error: Error) => error.message)
    reads.times.push(performance.now() - beganMs)
    if (status !== 200) reads.refused.push(String(status))
    await delay(Math.max(0, readsEveryMs - (performance.now() - beganMs)))
  }
  return reads
}

async function weighFor(pid: number, ms: number): Promise<number[]> {
  const weights: number[] = []
  for (let passed = 0; passed < ms; passed += weighEveryMs) {
    weights.push(memoryOf(pid, 'VmRSS'))
    await delay(weighEveryMs)
  }
  return weights
}

/** In a process of its own, so that its load is not taken from the process that measures. */
async function startPressing(baseUrl: string, ms: number): Promise<Pressed> {
  const program = join(import.meta.dirname, 'strangers/press-process.ts')
  const child = spawn(process.execPath, [program, baseUrl, String(ms)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the strangers ended with ${code}`)
  return JSON.parse(said)
}

function judgeReads(tally: Tally, quiet: Reads, during: Reads): void {
  const refused = [...quiet.refused, ...during.refused]
  if (refused.length > 0)
    tally.fail(`${refused.length} reads were refused: ${refused.slice(0, 3).join(', ')}`)
  else tally.pass(quiet.times.length + during.times.length)
  const [before, meanwhile] = [quiet, during].map(({ times }) => quantile(times, 0.99))
  if (before === undefined || meanwhile === undefined || !(meanwhile <= before * slowerMax))
    tally.fail(
      `the slowest hundredth of reads took ${meanwhile?.toFixed(1)} ms, and ${before?.toFixed(1)} ms before`,
    )
  else tally.pass(1)
}

/** Compared with the second fifth, when all clients are there and their first requests begin to end. */
function judgeMemory(tally: Tally, weights: readonly number[]): void {
  const fifth = Math.ceil(weights.length / 5)
  const middleOf = (from: number) => quantile(weights.slice(from, from + fifth), 0.5)
  const [early, late, most] = [middleOf(fifth), middleOf(weights.length - fifth), Math.max(...weights)]
  tally.figure('memory of the API, MB', `${weights[0]} before, ${early} early, ${late} late, ${most} at most`)
  if (late > early + growthMaxMb) tally.fail(`the API held ${early} MB early and ${late} MB late`)
  else tally.pass(1)
  if (most > rssMaxMb) tally.fail(`the API held ${most} MB`)
  else tally.pass(1)
}

function told({ times, refused }: Reads): string {
  const at = (share: number) => quantile(times, share).toFixed(1)
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)} ms of ${times.length}, ${refused.length} refused`
}
