import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { newDestination, startDeliverer, tellMerchant } from '../../../../test/harness/deliveries.ts'
import { costOf } from '../../../../test/harness/explain.ts'
import { events } from '../../../composition.ts'
import { createEgress } from '../../../platform/egress/egress.ts'
import { turnOf } from '../../../platform/work/turns.testing.ts'
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
  const deliverer = startDeliverer(app)
  await newDestination(app, 'http://127.0.0.1:9/hooks')
  await tellMerchant(app, app.account, [{}])
  await deliverer.relay.runOnce()
  await deliverer.stop()
  await fill('destx', { destinations: 50_000, each: 1, due: `now() + interval '6 hours'` })
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
     from webhook_destinations d, generate_series(1, $2::int) as n where d.id not like 'destx%' and d.id not like 'desty%'`,
    [prefix, destinations],
  )
  await client.query(
    `insert into deliveries select (jsonb_populate_record(v, jsonb_build_object('id', 'dlv_' || $1::text || n || '_' || m,
       'destination_id', $1::text || n, 'event_id', 'evt_' || m, 'status', 'failed', 'is_due', false, 'attempt_count', 1, 'first_attempt_at', now(), 'due_at', ${due}))).*
     from deliveries v, generate_series(1, $2::int) as n, generate_series(1, $3::int) as m where v.attempt_count = 0`,
    [prefix, destinations, each],
  )
  await client.query('vacuum analyze deliveries')
  await client.query('vacuum analyze webhook_destinations')
}

const cost = () => costOf(client, work.claim(turnOf(128), []))

test('fifty thousand destinations that wait for hours cost a claim next to nothing', async () => {
  const { rows, buffers } = await cost()
  expect(rows).toBe(1)
  expect(buffers).toBeLessThan(150)
})

test('twenty thousand retries of a dead endpoint that have come due keep a claim from nobody', async () => {
  await fill('desty', { destinations: 1, each: 20_000, due: `now() - interval '1 minute'` })
  const first = await cost()
  expect(first.rows).toBe(1)
  // Those that are looked at in vain are marked, some hundred at a time.
  expect(first.buffers).toBeLessThan(15_000)
  await app.sql(`update deliveries set is_due = true where destination_id = 'desty1'`)
  await app.sql('vacuum analyze deliveries')
  const marked = await cost()
  expect(marked.rows).toBe(1)
  expect(marked.buffers).toBeLessThan(300)
})
