import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { newDestination, startDeliverer, tellMerchant } from '../../../../test/harness/deliveries.ts'
import { costOf } from '../../../../test/harness/explain.ts'
import { events } from '../../../composition.ts'
import type { Statement } from '../../../contract/statement.ts'
import { advanceTestClock, installTestClock } from '../../../platform/clock/test-clock.ts'
import { createEgress } from '../../../platform/egress/egress.ts'
import { turnOf } from '../../../platform/work/turns.testing.ts'
import { type ClaimedDelivery, claimDeliveries, type Look, settleDeliveries } from './delivery-work.sql.ts'
import { createDeliveryWork } from './work.ts'

/** What a claim of deliveries costs follows from what is due, not from what waits for its next attempt. */
let app: TestApp
let client: Client
const egress = createEgress({ allowLoopback: () => false, trustedOrigins: [] })
const work = createDeliveryWork({
  events,
  egress,
  wallNow: () => new Date(),
  onFailed: async () => () => undefined,
})

beforeAll(async () => {
  app = await startTestApp()
  client = new Client({ connectionString: app.databaseUrl })
  await client.connect()
  // An analysis of its own accord sees old rows, and keeps a vacuum of the test from taking them away.
  for (const table of ['deliveries', 'due_deliveries', 'webhook_destinations'])
    await client.query(`alter table ${table} set (autovacuum_enabled = off)`)
  // Twenty thousand changes of one tenant's subscriptions in one transaction would be counted one by one, in as many versions of a row.
  await client.query('alter table webhook_destinations disable trigger count_subscription_change')
  const deliverer = startDeliverer(app)
  await newDestination(app, 'http://127.0.0.1:9/hooks')
  await tellMerchant(app, app.account, [{}])
  await deliverer.relay.runOnce()
  await deliverer.stop()
  await fill('destx', { destinations: 20_000, each: 1, due: `now() + interval '6 hours'` })
})
afterAll(async () => {
  await egress.close()
  await client.end()
  await app.stop()
})

type Filling = { destinations: number; each: number; due: string }

/** Destinations whose deliveries have failed once and are tried again then. */
async function fill(prefix: string, { destinations, each, due }: Filling): Promise<void> {
  await client.query(
    `insert into webhook_destinations select (jsonb_populate_record(d, jsonb_build_object('id', $1::text || n))).*
     from webhook_destinations d, generate_series(1, $2::int) as n where d.id ~ '^dest_'`,
    [prefix, destinations],
  )
  await client.query(
    `insert into deliveries select (jsonb_populate_record(v, jsonb_build_object('id', 'dlv_' || $1::text || n || '_' || m,
       'destination_id', $1::text || n, 'event_id', 'evt_' || m, 'sequence', m + $3::int - 1, 'status', 'failed', 'attempt_count', 1, 'first_attempt_at', now(), 'due_at', ${due}))).*
     from deliveries v, generate_series(1, $2::int) as n, generate_series(1, $3::int) as m where v.destination_id ~ '^dest_'`,
    [prefix, destinations, each],
  )
  await client.query('vacuum analyze deliveries')
  await client.query('vacuum analyze due_deliveries')
  await client.query('vacuum analyze webhook_destinations')
}

const cost = () => costOf(client, work.claim(turnOf(128), []))

test('twenty thousand destinations that wait for hours cost a claim next to nothing', async () => {
  const { rows, buffers } = await cost()
  expect(rows).toBe(1)
  expect(buffers).toBeLessThan(150)
})

test('twenty thousand due retries of a dead endpoint do not keep others from being claimed', async () => {
  await fill('desty', { destinations: 1, each: 20_000, due: `now() - interval '1 minute'` })
  const first = await cost()
  expect(first.rows).toBe(1)
  // Those that are looked at in vain are marked, some hundred at a time.
  expect(first.buffers).toBeLessThan(15_000)
  await app.sql(`update due_deliveries set is_set_aside = true where destination_id = 'desty1'`)
  await app.sql('vacuum analyze due_deliveries')
  const marked = await cost()
  expect(marked.rows).toBe(1)
  expect(marked.buffers).toBeLessThan(500)
})

test('what was delivered while a snapshot is held costs later claims nothing', async () => {
  await installTestClock(app.databaseUrl)
  await app.sql(`delete from deliveries where destination_id like 'desty%'`)
  const snapshot = new Client({ connectionString: app.databaseUrl })
  await snapshot.connect()
  await snapshot.query('begin isolation level repeatable read')
  await snapshot.query('select count(*) from due_deliveries')
  await fill('destu', { destinations: 1, each: 1, due: 'prokura_now()' })
  const before = await costOf(client, claimFrom({ look_from: null, look_back_at: null }))
  await fill('destz', { destinations: 5_000, each: 1, due: 'prokura_now()' })
  let look = await deliverDue({ look_from: null, look_back_at: null })
  // Long enough that no statement from before is still to commit.
  await advanceTestClock(app.databaseUrl, 5)
  await fill('destw', { destinations: 1, each: 1, due: 'prokura_now()' })
  look = await deliverDue(look)
  await fill('destv', { destinations: 1, each: 1, due: 'prokura_now()' })
  const whole = await costOf(client, claimFrom({ look_from: null, look_back_at: null }))
  // On a slow machine the time to look at everything again may have come meanwhile.
  const next = await costOf(client, claimFrom({ ...look, look_back_at: look.look_back_at + 3_600 }))
  await snapshot.end()
  expect(whole.rows).toBeGreaterThan(0)
  expect(next.rows).toBeGreaterThan(0)
  // Beside what any claim costs here: a vacuum that something else kept waiting leaves more than usual to all three.
  expect(whole.buffers).toBeGreaterThan(before.buffers + 100)
  expect(next.buffers).toBeLessThan(before.buffers + 20)
})

function claimFrom(look: Look | { [Part in keyof Look]: null }): Statement<ClaimedDelivery> {
  const places = { room: 32, room_failing: 2, free: 384, busy: '{}', held: '{}' }
  return claimDeliveries({ limit: 128, lease_seconds: 30, ...places, ...look })
}

/** Claims and settles until nothing is due; answers how far the last claim has looked. */
async function deliverDue(from: Parameters<typeof claimFrom>[0]): Promise<Look> {
  let look = from
  for (;;) {
    const { text, values } = claimFrom(look)
    const { rows } = await client.query<ClaimedDelivery>({ name: 'claim', text, values: [...values] })
    const [first] = rows
    if (!first) break
    look = first
    const settled = settleDeliveries({ ...succeeded(rows), ask_more: false })
    await client.query({ name: 'settle', text: settled.text, values: [...settled.values] })
  }
  if (look.look_from === null) throw new Error('nothing was due')
  return look
}

function succeeded(rows: readonly ClaimedDelivery[]) {
  const all = <T>(value: T) => rows.map(() => value)
  return {
    ids: rows.map((row) => row.id),
    row_ats: rows.map((row) => row.row_at),
    tokens: rows.map((row) => String(row.lease_token)),
    results: all('succeeded'),
    delays: all(null),
    ats: all(new Date().toISOString()),
    http_statuses: all(200),
    latencies: all(1),
    errors: all(null),
    excerpts: all(null),
    digests: all(Buffer.alloc(32)),
  }
}
