import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { startPostgresProxy } from '../../../test/harness/postgres-proxy.ts'
import { createLog } from '../logs/logs.ts'
import { createHints, type PgHints, type PgHintsOptions } from './pg-hints.ts'

let database: TestDatabase
const lines: { level: string; msg: string }[] = []
const log = createLog({
  level: 'info',
  role: 'test',
  destination: { write: (line) => void lines.push(JSON.parse(line)) },
})

beforeAll(async () => {
  database = await createTestDatabase()
})

afterAll(async () => {
  await database.drop()
})

async function open(url = database.url, more: Pick<PgHintsOptions, 'coalesceMs'> = {}): Promise<PgHints> {
  const hints = await createHints({ directUrl: url, log, ...more })
  onTestFinished(() => hints.close())
  return hints
}

function counted(hints: PgHints, topic: string) {
  const counter = { times: 0 }
  const off = hints.on(topic, () => void counter.times++)
  return { counter, off }
}

test('a hint wakes this process at once and others soon, each topic once per moment', async () => {
  const [here, there] = await Promise.all([open(), open()])
  const own = counted(here, 'work:things')
  const far = counted(there, 'work:things')
  const other = counted(there, 'work:other')
  for (let time = 0; time < 50; time++) here.publish('work:things')
  expect(own.counter.times).toBe(50)
  await expect.poll(() => far.counter.times, { interval: 5 }).toBeGreaterThan(0)
  here.publish('work:end')
  const end = counted(there, 'work:end')
  here.publish('work:end')
  await expect.poll(() => end.counter.times, { interval: 5 }).toBeGreaterThan(0)
  expect(far.counter.times).toBeLessThanOrEqual(2)
  expect(other.counter.times).toBe(0)
  expect(own.counter.times).toBe(50)
})

test('an urgent hint is sent at once, and takes gathered hints with it', async () => {
  const [here, there] = await Promise.all([open(database.url, { coalesceMs: 600_000 }), open()])
  const arrived: string[] = []
  for (const topic of ['work:first', 'work:later', 'work:awaited', 'work:next'])
    there.on(topic, () => void arrived.push(topic))
  here.publish('work:first')
  await expect.poll(() => arrived, { interval: 5 }).toEqual(['work:first'])
  here.publish('work:later')
  here.publish('work:awaited', { isAwaited: true })
  await expect.poll(() => arrived.length, { interval: 5 }).toBe(3)
  here.publish('work:next', { isAwaited: true })
  await expect.poll(() => arrived.length, { interval: 5 }).toBe(4)
  expect(arrived).toEqual(['work:first', 'work:awaited', 'work:later', 'work:next'])
})

test('a hint for watchers, or one that this process has heard, goes with the next urgent hint or alone soon after', async () => {
  const [here, there] = await Promise.all([open(), open()])
  const arrived: string[] = []
  for (const topic of ['aggregate:pi_1', 'work:both', 'work:there'])
    there.on(topic, () => void arrived.push(topic))
  here.on('work:both', () => undefined)
  here.publish('aggregate:pi_1')
  here.publish('work:both')
  here.publish('work:there')
  await expect.poll(() => arrived.length, { interval: 5 }).toBe(3)
  expect(arrived).toEqual(['aggregate:pi_1', 'work:both', 'work:there'])
  here.publish('aggregate:pi_1')
  await expect.poll(() => arrived.length, { interval: 5 }).toBe(4)
})

test('more topics than one notification holds all arrive', async () => {
  const [here, there] = await Promise.all([open(), open()])
  const names = Array.from({ length: 1_000 }, (_, index) => `aggregate:pi_${'x'.repeat(26)}${index}`)
  const arrived = new Set<string>()
  for (const name of names) there.on(name, () => void arrived.add(name))
  for (const name of names) here.publish(name)
  await expect.poll(() => arrived.size, { interval: 5 }).toBe(names.length)
})

test('a listener is not woken after unsubscribing', async () => {
  const hints = await open()
  const { counter, off } = counted(hints, 'work:things')
  off()
  hints.publish('work:things')
  expect(counter.times).toBe(0)
})

test('without its connection everything is woken by polling, loudly, until hints arrive again', async () => {
  const proxy = await startPostgresProxy(database.url)
  onTestFinished(proxy.close)
  const hints = await open(proxy.url)
  const { counter } = counted(hints, 'relay:3')
  expect(hints.isDegraded()).toBe(false)
  lines.length = 0
  proxy.cut()
  await expect.poll(() => hints.isDegraded(), { interval: 5 }).toBe(true)
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 'error', msg: expect.stringContaining('polling instead') }),
  )
  await expect.poll(() => counter.times).toBeGreaterThan(2)
  proxy.open()
  await expect.poll(() => hints.isDegraded()).toBe(false)
  const other = await open()
  const before = counter.times
  other.publish('relay:3')
  await expect.poll(() => counter.times, { interval: 5 }).toBe(before + 1)
})

test('when a connection is back, other processes look for the hints that could not be sent meanwhile', async () => {
  const proxy = await startPostgresProxy(database.url)
  onTestFinished(proxy.close)
  const [cut, there] = await Promise.all([open(proxy.url), open()])
  const { counter } = counted(there, 'aggregate:pi_lost')
  proxy.cut()
  await expect.poll(() => cut.isDegraded(), { interval: 5 }).toBe(true)
  cut.publish('aggregate:pi_lost')
  expect(counter.times).toBe(0)
  proxy.open()
  await expect.poll(() => counter.times, { interval: 5 }).toBe(1)
})

test('a pooler that takes LISTEN and passes no notification on is found by the self-test', async () => {
  const proxy = await startPostgresProxy(database.url)
  onTestFinished(proxy.close)
  proxy.swallowNotifications()
  lines.length = 0
  const hints = await open(proxy.url)
  expect(hints.isDegraded()).toBe(true)
  expect(lines[0]?.msg).toContain('DATABASE_DIRECT_URL')
  const { counter } = counted(hints, 'relay:1')
  await expect.poll(() => counter.times).toBeGreaterThan(1)
})
