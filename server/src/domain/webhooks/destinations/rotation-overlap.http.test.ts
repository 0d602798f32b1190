import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerSigned } from '../../../../test/harness/answers.ts'
import { type Delivering, newDestination, startDelivering } from '../../../../test/harness/deliveries.ts'
import { openShop, placeOrder } from '../../../../test/harness/orders.ts'
import { type StoppedClock, stopClock } from '../../../../test/harness/stopped-clock.ts'

let delivering: Delivering
let clock: StoppedClock
beforeAll(async () => {
  delivering = await startDelivering({ testClock: true })
  clock = await stopClock(delivering.app.parts.pools, new Date('2030-03-30T18:00:00.000Z'))
})
afterAll(() => delivering.stop())

const second = 1000
const day = 86_400 * second

test('the secret before a rotation signs and verifies until a second before 24 hours are over, and not when they are', async () => {
  const { app, deliverer, receiver } = delivering
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
