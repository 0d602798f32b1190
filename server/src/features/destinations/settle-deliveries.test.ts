import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '../../../test/harness/app.ts'
import {
  newDestination,
  startDeliverer,
  startReceiver,
  tellMerchant,
} from '../../../test/harness/deliveries.ts'

test('a worker that lost a delivery while it was sending writes nothing about it', async () => {
  const app = await startTestApp()
  const deliverer = startDeliverer(app)
  const receiver = await startReceiver()
  onTestFinished(async () => {
    await deliverer.stop()
    await receiver.stop()
    await app.stop()
  })
  const destination = await newDestination(app, receiver.url)
  await tellMerchant(app, app.account, [{ type: 'order.requested' }])
  await deliverer.relay.runOnce()
  const pause = deliverer.faults.pause('deliver.after')
  const working = deliverer.worker.runOnce()
  await pause.reached
  await app.parts.pools.single({
    name: '',
    text: 'update deliveries set lease_token = lease_token + 1 where destination_id = $1',
    values: [destination.id],
  })
  pause.resume()
  await working
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

test('what changes a delivery while it is being sent, and leaves its lease, loses no outcome', async () => {
  const app = await startTestApp()
  const deliverer = startDeliverer(app)
  const receiver = await startReceiver()
  onTestFinished(async () => {
    await deliverer.stop()
    await receiver.stop()
    await app.stop()
  })
  const destination = await newDestination(app, receiver.url)
  await tellMerchant(app, app.account, [{ type: 'order.requested' }])
  await deliverer.relay.runOnce()
  const pause = deliverer.faults.pause('deliver.after')
  const working = deliverer.worker.runOnce()
  await pause.reached
  await app.parts.pools.single({
    name: '',
    text: `update deliveries set response_received_at = now(), response_accepted = true where destination_id = $1`,
    values: [destination.id],
  })
  pause.resume()
  await working
  expect(receiver.received).toHaveLength(1)
  const { body } = await app.get(`/v1/merchant/destinations/${destination.id}/events`)
  expect(body.data).toMatchObject([
    { status: 'succeeded', attempts: [{ http_status: 200 }], business_response: { accepted: true } },
  ])
})
