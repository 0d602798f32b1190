import { expect, onTestFinished, test } from 'vitest'
import { newDestination, startDelivering, tellMerchant } from '../../../../test/harness/deliveries.ts'

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
  await app.parts.pools.single({
    name: '',
    text: 'update deliveries set lease_token = lease_token + 1 where destination_id = $1',
    values: [destination.id],
  })
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

test('what changes a delivery while it is being sent, and leaves its lease, loses no outcome', async () => {
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
