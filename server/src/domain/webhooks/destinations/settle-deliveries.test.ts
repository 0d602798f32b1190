import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { newDestination, startDelivering, tellMerchant } from '../../../../test/harness/deliveries.ts'
import { nameOf } from '../../../../test/harness/recorded-pools.ts'
import { events } from '../../../composition.ts'
import { createEgress } from '../../../platform/egress/egress.ts'
import { createFaults } from '../../../platform/faults/faults.ts'
import { silentLog } from '../../../platform/logs/logs.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import { createWorker } from '../../../platform/work/worker.ts'
import { createDeliveryWork } from './work.ts'

/** A delivery that was sent, and of whose answer nothing is written before it is settled. */
async function sending() {
  const { app, deliverer, receiver, stop } = await startDelivering()
  onTestFinished(stop)
  const destination = await newDestination(app, receiver.url)
  await tellMerchant(app, app.account, [{ type: 'order.requested' }])
  await deliverer.relay.runOnce()
  const pause = deliverer.faults.pause('deliver.after')
  const working = deliverer.worker.runOnce()
  await pause.reached
  const settle = async () => {
    pause.resume()
    await working
  }
  return { app, receiver, destination, settle }
}

test('a worker that lost a delivery while it was sending writes nothing about it', async () => {
  const { app, receiver, destination, settle } = await sending()
  const place = () =>
    app.sql<{ at: string }>('select ctid::text as at from due_deliveries where destination_id = $1', [
      destination.id,
    ])
  const claimed = await place()
  const lose = () =>
    app.sql('update due_deliveries set lease_token = lease_token + 1 where destination_id = $1', [
      destination.id,
    ])
  for (let tries = 0; tries < 10; tries++) {
    await lose()
    await app.sql('vacuum due_deliveries')
    if ((await place())[0]?.at === claimed[0]?.at) break
  }
  // It stands where it was claimed: the token alone tells that it is no longer ours.
  expect(await place()).toEqual(claimed)
  await settle()
  expect(receiver.received).toHaveLength(1)
  const [delivery] = await app.parts.pools.read<{ status: string; attempt_count: number; attempts: number }>({
    name: '',
    text: `select status, attempt_count,
        (select count(*)::int from delivery_attempts a where a.delivery_id = d.id) as attempts
      from deliveries d where destination_id = $1`,
    values: [destination.id],
  })
  expect(delivery).toEqual({ status: 'pending', attempt_count: 0, attempts: 0 })
})

test('a change to a delivery that is being sent, and keeps its lease, loses no outcome', async () => {
  const { app, receiver, destination, settle } = await sending()
  await app.parts.pools.single({
    name: '',
    text: `update deliveries set response_received_at = now(), response_accepted = true where destination_id = $1`,
    values: [destination.id],
  })
  await settle()
  expect(receiver.received).toHaveLength(1)
  const { body } = await app.get(`/v1/merchant/destinations/${destination.id}/events`)
  expect(body.data).toMatchObject([
    { status: 'succeeded', attempts: [{ http_status: 200 }], business_response: { accepted: true } },
  ])
})

test('an answer that is being written while its delivery is settled loses no outcome', async () => {
  const { app, destination, settle } = await sending()
  const answering = new Client({ connectionString: app.databaseUrl })
  await answering.connect()
  onTestFinished(() => answering.end())
  await answering.query('begin')
  await answering.query(
    'update deliveries set response_received_at = now(), response_accepted = true where destination_id = $1',
    [destination.id],
  )
  const settling = settle()
  await expect
    .poll(() =>
      app.sql(
        `select wait_event_type from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      ),
    )
    .toContainEqual({ wait_event_type: 'Lock' })
  await answering.query('commit')
  await settling
  const { body } = await app.get(`/v1/merchant/destinations/${destination.id}/events`)
  expect(body.data).toMatchObject([
    { status: 'succeeded', attempts: [{ http_status: 200 }], business_response: { accepted: true } },
  ])
})

test('what waits for room at failing endpoints is sent when their attempts end, and not at the next poll', async () => {
  const { app, deliverer, receiver, stop } = await startDelivering()
  onTestFinished(stop)
  receiver.answer((response) => void response.writeHead(500).end())
  for (let index = 0; index < 10; index++) await newDestination(app, receiver.url)
  await tellMerchant(app, app.account, [{}])
  await deliverer.drain()
  expect(receiver.received).toHaveLength(10)
  for (let index = 0; index < 40; index++) await tellMerchant(app, app.account, [{}])
  await deliverer.relay.runOnce()
  const egress = createEgress({ allowLoopback: () => true, trustedOrigins: [] })
  const faults = createFaults({ enabled: false, crashAt: null, pauseAt: null, pauseFile: null })
  const kind = createDeliveryWork({
    events,
    egress,
    wallNow: () => new Date(),
    onFailed: async () => () => undefined,
  })
  const patient = createWorker({
    ...app.parts,
    log: silentLog(),
    faults,
    metrics: createMetrics(),
    kinds: [{ ...kind, pollMs: 3_600_000 }],
  })
  onTestFinished(async () => {
    await patient.stop()
    await egress.close()
  })
  patient.start()
  await expect.poll(() => receiver.received.length).toBe(410)
})

test('outcomes that are known in the same turn of the event loop are written by one statement', async () => {
  const names: string[] = []
  const { app, deliverer, receiver, stop } = await startDelivering({
    wrapPools: (pools) => ({
      ...pools,
      provisional(statement) {
        names.push(nameOf(statement))
        return pools.provisional(statement)
      },
    }),
  })
  onTestFinished(stop)
  await newDestination(app, receiver.url)
  await tellMerchant(app, app.account, [{}])
  await tellMerchant(app, app.account, [{}])
  await deliverer.relay.runOnce()
  const pauses = [deliverer.faults.pause('deliver.after'), deliverer.faults.pause('deliver.after')]
  const working = deliverer.worker.runOnce()
  await Promise.all(pauses.map(({ reached }) => reached))
  for (const { resume } of pauses) resume()
  expect(await working).toBe(2)
  expect(names.filter((name) => name === 'settle_deliveries')).toHaveLength(1)
})
