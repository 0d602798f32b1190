import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestApp } from '../../../../test/harness/app.ts'
import {
  type Deliverer,
  type Delivering,
  newDestination,
  type Receiver,
  startDelivering,
  tellMerchant,
} from '../../../../test/harness/deliveries.ts'
import { runInvariants } from '../../../platform/audit/invariants.ts'
import { destinationInvariants } from './invariants.sql.ts'

let app: TestApp
let deliverer: Deliverer
let receiver: Receiver
let delivering: Delivering
let database: Client
beforeEach(async () => {
  delivering = await startDelivering()
  ;({ app, deliverer, receiver } = delivering)
  database = new Client({ connectionString: app.databaseUrl })
  await database.connect()
  const twice = [
    await newDestination(app, receiver.url),
    await newDestination(app, receiver.url, { responds_to_quotes: true }),
  ]
  await tellMerchant(app, app.account, [{}, { type: 'order.confirmed' }])
  await deliverer.drain()
  expect([twice.length, receiver.received.length]).toEqual([2, 4])
})
afterEach(async () => {
  await database.end()
  await delivering.stop()
})

const broken = async () => {
  const { invariants } = await runInvariants(app.parts, destinationInvariants)
  return invariants.filter(({ violations }) => violations.length > 0).map(({ id }) => id)
}

test('every invariant looks at something, and holds', async () => {
  const { ok, invariants } = await runInvariants(app.parts, destinationInvariants)
  expect(ok).toBe(true)
  expect(invariants.map(({ id, checked }) => [id, checked])).toEqual([
    ['E1', 1],
    ['E2', 0],
    ['E3', 4],
    ['E4', 4],
    ['E4-audience', 4],
    ['E4-deliveries', 4],
    ['E3-confirmed', 0],
    ['E3-queued', 0],
    ['E5', 4],
  ])
})

test('an event within a second of a subscription is not owed, and one a second after it is', async () => {
  await database.query('delete from delivery_attempts; delete from deliveries where sequence = 2')
  const subscribe = (before: string) =>
    database.query(
      `update destination_subscriptions set subscribed_from = (select created_at from events where type = 'order.confirmed') - $1::interval`,
      [before],
    )
  await subscribe('999 ms')
  expect(await broken()).toEqual([])
  await subscribe('1 s')
  expect(await broken()).toEqual(['E3'])
})

test.each([
  [
    'E1',
    "drop index destinations_one_responder; update destinations set responds_to_quotes = true, event_types = '{quote.requested}'",
  ],
  [
    'E2',
    'drop index deliveries_one_answer; update deliveries set response_received_at = now(), response_accepted = true',
  ],
  ['E3', 'delete from delivery_attempts; delete from deliveries where sequence = 2'],
  ['E4', "update delivery_attempts set body_digest = sha256('other')"],
  ['E4', "update delivery_attempts set delivery_id = 'dlv_none_' || delivery_id"],
  [
    'E4-audience',
    'update events set recipient_account_id = account_id where recipient_account_id is not null',
  ],
  ['E4-deliveries', copyOfADelivery({ event_id: 'evt_none', aggregate_id: 'ord_none' })],
  ['E4-deliveries', copyOfADelivery({ destination_id: 'dest_none' })],
  [
    'E3-confirmed',
    "update deliveries set status = 'pending', due_at = '9999-12-31 00:00:00+00' where sequence = 2",
  ],
  [
    'E3-queued',
    'insert into due_deliveries select account_id, mode, destination_id, aggregate_id, sequence, id, now(), false, false from deliveries limit 1',
  ],
  [
    'E3-queued',
    "update deliveries set status = 'failed', due_at = now() where sequence = 2; delete from due_deliveries",
  ],
  ['E5', "update deliveries set first_attempt_at = first_attempt_at + interval '1 h' where sequence = 1"],
])('%s notices when it is broken', async (id, damage) => {
  expect(await broken()).toEqual([])
  await database.query(damage)
  expect(await broken()).toEqual([id])
})

function copyOfADelivery(changes: Record<string, string>): string {
  const changed = JSON.stringify({ ...changes, id: 'dlv_none' })
  return `insert into deliveries select (jsonb_populate_record(v, '${changed}')).* from deliveries v limit 1`
}
