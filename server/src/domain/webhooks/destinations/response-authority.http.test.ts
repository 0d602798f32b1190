import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '../../../../test/harness/app.ts'
import {
  type Deliverer,
  type Delivering,
  newDestination,
  newEventDestination,
  type Receiver,
  startDelivering,
  tellMerchant,
} from '../../../../test/harness/deliveries.ts'

let app: TestApp
let deliverer: Deliverer
let receiver: Receiver
let delivering: Delivering
beforeAll(async () => {
  delivering = await startDelivering()
  ;({ app, deliverer, receiver } = delivering)
})
afterAll(() => delivering.stop())

type Destination = { id: string; secret: { secret: string } }

/** A signed answer of a destination to an event that it names. */
async function answer(from: Destination, secret: string, of: { orderId: string; eventId: string }) {
  const raw = JSON.stringify({ outcome: 'rejected' })
  const at = Math.floor(Date.now() / 1000)
  const digest = createHmac('sha256', secret).update(`${at}.${raw}`).digest('hex')
  const { status, body } = await app.request('POST', `/v1/merchant/orders/${of.orderId}/responses`, {
    key: null,
    raw,
    headers: {
      'content-type': 'application/json',
      'service-response-signature': `t=${at},v1=${digest}`,
      'service-destination-id': from.id,
      'service-webhook-id': of.eventId,
      'service-webhook-event': 'order.requested',
    },
  })
  return `${status} ${body.detail?.code}`
}

/** An event of an order that the destination received. The order itself has no row, and only a destination that may answer is told that. */
async function toldTo(destination: Destination): Promise<{ orderId: string; eventId: string }> {
  const orderId = await tellMerchant(app, app.account, [{ type: 'order.requested' }])
  await deliverer.drain()
  const { body } = await app.get(`/v1/merchant/destinations/${destination.id}/events`)
  return { orderId, eventId: body.data[0].event_id }
}

test('a destination may answer events that it received, and not those of another destination of its merchant', async () => {
  const told: Destination = await newDestination(app, receiver.url)
  const of = await toldTo(told)
  const untold: Destination = await newDestination(app, receiver.url)
  expect(await answer(told, told.secret.secret, of)).toBe('404 not_found')
  expect(await answer(untold, untold.secret.secret, of)).toBe('401 signature_invalid')
})

test('a secret that was rotated away signs until its day is over, and not after', async () => {
  const destination: Destination = await newDestination(app, receiver.url)
  const of = await toldTo(destination)
  await app.post(`/v1/merchant/destinations/${destination.id}/rotate_secret`)
  expect(await answer(destination, destination.secret.secret, of)).toBe('404 not_found')
  await app.parts.pools.single({
    name: '',
    text: `update destination_secrets set expires_at = now() - interval '1 second' where destination_id = $1 and expires_at is not null`,
    values: [destination.id],
  })
  expect(await answer(destination, destination.secret.secret, of)).toBe('401 signature_invalid')
})

test('a destination of a buyer gets the order, too, and may not answer it', async () => {
  const buyer: Destination = await newEventDestination(app, receiver.url, {}, app.stranger.keys.secret_test)
  const told: Destination = await newDestination(app, receiver.url)
  const of = await toldTo(told)
  const { body } = await app.get(`/v1/event_destinations/${buyer.id}/events`, {
    key: app.stranger.keys.secret_test,
  })
  expect(body.data[0]).toMatchObject({ event_id: of.eventId, status: 'succeeded' })
  expect(await answer(buyer, buyer.secret.secret, of)).toBe('403 response_not_authorized')
})
