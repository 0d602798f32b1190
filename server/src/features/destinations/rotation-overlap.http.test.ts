import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerSigned } from '../../../test/harness/answers.ts'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import {
  type Deliverer,
  newDestination,
  type Receiver,
  startDeliverer,
  startReceiver,
} from '../../../test/harness/deliveries.ts'
import { openShop, placeOrder } from '../../../test/harness/orders.ts'
import { type StoppedClock, stopClock } from '../../../test/harness/stopped-clock.ts'

let app: TestApp
let clock: StoppedClock
let deliverer: Deliverer
let receiver: Receiver
beforeAll(async () => {
  app = await startTestApp({ testClock: true })
  clock = await stopClock(app.parts.pools, new Date('2030-03-30T18:00:00.000Z'))
  deliverer = startDeliverer(app)
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver.stop()
  await deliverer.stop()
  await app.stop()
})

const second = 1000
const day = 86_400 * second

test('the secret before a rotation signs and verifies until a second before 24 hours are over, and not when they are', async () => {
  const shop = await openShop(app, app.account)
  const destination = await newDestination(app, receiver.url)
  const rotatedAt = clock.now().getTime()
  const path = `/v1/merchant/destinations/${destination.id}`
  const rotated = await app.post(`${path}/rotate_secret`)
  const [before, after] = [destination.secret.secret, rotated.body.secret.secret]
  const told = async () => {
    const order = await placeOrder(app, app.account, shop)
    await deliverer.drain()
    const delivery = receiver.received.findLast(
      ({ headers, body }) =>
        headers['service-webhook-event'] === 'order.requested' && body.includes(order.id),
    )
    const signatures = String(delivery?.headers['service-signature']).match(/v1=/g)?.length
    // A body that means nothing: it is looked at only once the signature was believed.
    const answer = async (secret: string) => (await answerSigned(app, delivery, secret, {})).status
    return { signatures, before: await answer(before), after: await answer(after) }
  }
  expect(await told()).toEqual({ signatures: 2, before: 422, after: 422 })
  await clock.set(new Date(rotatedAt + day - second))
  expect(await told()).toEqual({ signatures: 2, before: 422, after: 422 })
  expect((await app.post(`${path}/rotate_secret`)).body.detail.code).toBe('rotation_in_progress')
  expect((await app.get(path)).body.secret.previous_expires_at).toBe(new Date(rotatedAt + day).toISOString())
  await clock.set(new Date(rotatedAt + day))
  expect(await told()).toEqual({ signatures: 1, before: 401, after: 422 })
  expect((await app.get(path)).body.secret.previous_expires_at).toBeUndefined()
  expect((await app.post(`${path}/rotate_secret`)).status).toBe(200)
})
