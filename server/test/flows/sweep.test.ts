import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sweeps } from '../../src/composition.ts'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { createLog } from '../../src/platform/logs/logs.ts'
import { createMetrics } from '../../src/platform/metrics/metrics.ts'
import { defaultRetention } from '../../src/platform/retention/retention.ts'
import { runSweep, type SweepDeps } from '../../src/platform/retention/run-sweep.ts'
import type { Sweep } from '../../src/platform/retention/sweep.ts'
import { createSweeper } from '../../src/platform/retention/sweeper.ts'
import { type Buyer, type Buying, intentBody, startBuying } from '../harness/buying.ts'

const day = 86_400
const shop = 'https://shop.example/thing?scenario=none'

let buying: Buying
let buyer: Buyer
const lines: Record<string, unknown>[] = []
const log = createLog({
  level: 'debug',
  role: 'test',
  destination: { write: (line: string) => void lines.push(JSON.parse(line)) },
})

beforeAll(async () => {
  buying = await startBuying({ testClock: true })
  await installTestClock(buying.app.databaseUrl)
  buyer = await buying.newBuyer()
})
// Events without a gap, keys that name their events, deliveries of every event: all of it holds after each sweep.
afterEach(() => buying.audit())
afterAll(() => buying?.stop())

const deps = () => ({ ...buying.app.parts, log, retention: defaultRetention, metrics: createMetrics() })
async function sweepAll(by: SweepDeps): Promise<{ rows: number }> {
  let rows = 0
  for (const one of sweeps) rows += (await runSweep(by, one)).rows
  return { rows }
}
const sweep = () => sweepAll(deps())
const pass = (seconds: number) => advanceTestClock(buying.app.databaseUrl, seconds)
const keysLeft = async (key: string) =>
  (await buying.sql('select from idempotency_keys where key = $1', [key])).length

test('a purchase that is asked for again after its key was forgotten is not bought again', async () => {
  const headers = { 'idempotency-key': 'once' }
  const body = intentBody(buyer, [{ url: shop }], {})
  const first = await buying.app.post('/v1/purchase_intents', body, { key: buyer.key, headers })
  expect(first.status).toBe(201)
  const { id } = first.body
  await buying.app.post(`/v1/purchase_intents/${id}/approve`, { approve: true }, { key: buyer.key })
  await buying.ended(buyer, id)
  await buying.settled()
  await pass(31 * day)
  expect((await sweep()).rows).toBeGreaterThan(0)
  expect(await keysLeft('once')).toBe(0)
  const again = await buying.app.post('/v1/purchase_intents', body, { key: buyer.key, headers })
  expect(again.status).toBe(409)
  expect(again.body.detail.code).toBe('idempotency_key_conflict')
  expect(await buying.moneyOf(id)).toEqual(['issue_credential 1380 approved', 'capture 1380 approved'])
  expect(await buying.sql('select from purchase_intents')).toHaveLength(1)
})

test('a key is kept for thirty days, and after them its request is a new one where no money hangs on it', async () => {
  const headers = { 'idempotency-key': 'customer' }
  const person = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'GB' }
  const first = await buying.app.post('/v1/profiles', person, { headers })
  await pass(30 * day - 60)
  await sweep()
  const kept = await buying.app.post('/v1/profiles', person, { headers })
  expect(kept.body.id).toBe(first.body.id)
  await pass(120)
  await sweep()
  expect(await keysLeft('customer')).toBe(0)
  const anew = await buying.app.post('/v1/profiles', person, { headers })
  expect(anew.status).toBe(201)
  expect(anew.body.id).not.toBe(first.body.id)
})

test('events and the audit chain lose nothing, and a line, a row and a metric report each sweep', async () => {
  const count = async () =>
    (
      await buying.sql<{ events: number; batches: number }>(
        `select (select count(*)::int from events) as events, (select count(*)::int from audit_batches) as batches`,
      )
    )[0]
  await expect.poll(async () => (await buying.sql('select from outbox')).length).toBe(0)
  const before = await count()
  await pass(400 * day)
  lines.length = 0
  const metrics = createMetrics()
  await sweepAll({ ...deps(), metrics })
  expect(await count()).toEqual(before)
  const line = lines.find(({ sweep: name, rows }) => name === 'idempotency_keys' && Number(rows) > 0)
  expect(line).toMatchObject({ oldest: expect.any(String), before: expect.any(String) })
  const [row] = await buying.sql<{ rows: bigint; oldest: Date }>(
    `select rows, oldest from sweeps where name = 'idempotency_keys'`,
  )
  expect(Number(row?.rows)).toBe(line?.rows)
  expect(await metrics.registry.metrics()).toContain(
    `prokura_swept_rows_total{sweep="idempotency_keys"} ${line?.rows}`,
  )
})

test('one process sweeps at a time, once an hour, and one that fails at one kind goes on with the others', async () => {
  const ran: string[] = []
  let isLookedAt = false
  const one = (name: string, fails = false): Sweep => ({
    name,
    removes: 'nothing',
    keeps: 'finishedWorkDays',
    async *batches() {
      if (name === 'held' && !isLookedAt) {
        isLookedAt = true
        expect(await other.look()).toBe(false)
      }
      if (fails) throw new Error('out of order')
      ran.push(name)
      yield { rows: 1, oldest: null }
    },
  })
  const list = [one('held'), one('broken', true), one('sound')]
  const metrics = createMetrics()
  const sweeper = createSweeper({ ...deps(), metrics, sweeps: list, holder: 'first' })
  const other = createSweeper({ ...deps(), sweeps: list, holder: 'second' })
  await buying.sql(`update sweeper set due_at = '-infinity'`)
  expect(await sweeper.look()).toBe(true)
  expect(ran).toEqual(['held', 'sound'])
  expect(await metrics.registry.metrics()).toContain('prokura_sweep_failures_total{sweep="broken"} 1')
  expect(await other.look()).toBe(false)
  await buying.sql(
    `update sweeper set due_at = '-infinity', holder = 'dead', lease_until = clock_timestamp() + interval '1 minute'`,
  )
  expect(await other.look()).toBe(false)
  await buying.sql(`update sweeper set lease_until = clock_timestamp() - interval '1 second'`)
  expect(await sweeper.look()).toBe(true)
  await buying.sql(`delete from sweeps where name = any ($1)`, [['held', 'broken', 'sound']])
})

test('every sweep has a name of its own', () => {
  expect(new Set(sweeps.map(({ name }) => name)).size).toBe(sweeps.length)
})
