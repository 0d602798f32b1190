import Stripe from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestApp } from '../../../../test/harness/app.ts'
import {
  type Deliverer,
  type Delivering,
  newDestination,
  type Receiver,
  tellMerchant,
} from '../../../../test/harness/deliveries.ts'
import { advanceTestClock } from '../../../platform/clock/test-clock.ts'
import { startSoundDelivering } from './delivering.testing.ts'

let delivering: Delivering
let app: TestApp
let deliverer: Deliverer
let receiver: Receiver
beforeEach(async () => {
  delivering = await startSoundDelivering()
  ;({ app, deliverer, receiver } = delivering)
})
afterEach(() => delivering.stop())

const path = '/v1/merchant/destinations'
const history = async (id: string) => (await app.get(`${path}/${id}/events`)).body
const advance = (seconds: number) => advanceTestClock(app.databaseUrl, seconds)

test('a test delivers destination.test with any subscriptions, and answers the result of its first attempt', async () => {
  const destination = await newDestination(app, receiver.url, { event_types: [] })
  deliverer.relay.start()
  deliverer.worker.start()
  const headers = { 'idempotency-key': 'try-1' }
  const tested = await app.post(`${path}/${destination.id}/test`, undefined, { headers })
  expect(tested.status).toBe(200)
  expect(tested.body).toMatchObject({
    object: 'delivery',
    event_type: 'destination.test',
    status: 'succeeded',
    attempts: [{ http_status: 200 }],
  })
  const [request] = receiver.received
  const event = Stripe.webhooks.constructEvent(
    request?.body ?? '',
    String(request?.headers['service-signature']),
    destination.secret.secret,
  )
  expect(event.id).toBe(tested.body.event_id)
  expect(request?.headers['service-response-url']).toBeUndefined()
  expect((await app.post(`${path}/${destination.id}/test`, undefined, { headers })).body).toEqual(tested.body)
  receiver.answer((response) => void response.writeHead(503).end('later'))
  const failed = await app.post(`${path}/${destination.id}/test`)
  expect(failed.body).toMatchObject({
    status: 'failed',
    attempts: [{ http_status: 503, response_excerpt: 'later' }],
  })
  expect(failed.body.next_attempt_at).not.toBeNull()
  expect(receiver.received).toHaveLength(2)
})

test('where endpoints may be on this machine, only full keys see the answer of one, over REST and MCP', async () => {
  const destination = await newDestination(app, receiver.url)
  deliverer.relay.start()
  deliverer.worker.start()
  receiver.answer((response) => void response.writeHead(503).end('private'))
  const tested = await app.post(`${path}/${destination.id}/test`)
  expect(tested.body.attempts).toMatchObject([{ response_excerpt: 'private' }])
  const backend = await app.newKey(app.account, 'test', 'merchant_backend')
  const event = `${path}/${destination.id}/events/${tested.body.event_id}`
  const seen = await app.get(event, { key: backend.token })
  expect([seen.status, seen.body.attempts]).toMatchObject([
    200,
    [{ http_status: 503, response_excerpt: null }],
  ])
  const overMcp = await app.mcp(
    'v1_get_merchant_destination_event',
    { destination_id: destination.id, event_id: tested.body.event_id },
    { key: backend.token },
  )
  expect(overMcp.body).toEqual(seen.body)
  // What is stored under an idempotency key is shown to any key that repeats it.
  const headers = { 'idempotency-key': 'again' }
  await app.post(`${event}/redeliver`, undefined, { headers })
  const repeated = await app.post(`${event}/redeliver`, undefined, { headers, key: backend.token })
  expect(JSON.stringify(repeated.body)).not.toContain('private')
})

test('recover delivers again what failed or was exhausted since then, and nothing else', async () => {
  const destination = await newDestination(app, receiver.url)
  receiver.answer((response) => void response.writeHead(500).end())
  await tellMerchant(app, app.account, [{}])
  await deliverer.drain()
  await advance(3600)
  const since = new Date((await advance(0)) ?? 0).toISOString()
  const late = await tellMerchant(app, app.account, [{}])
  await deliverer.drain()
  receiver.answer((response) => void response.end())
  receiver.received.length = 0
  const recovered = await app.post(`${path}/${destination.id}/recover`, { since })
  expect(recovered.status).toBe(200)
  expect(recovered.body).toMatchObject({ object: 'destination_recovery', since, requeued: 1 })
  await deliverer.drain()
  expect(receiver.received.map(({ body }) => JSON.parse(body).data.order.id)).toEqual([late])
  expect((await app.post(`${path}/${destination.id}/recover`, { since: 'yesterday' })).status).toBe(422)
})

test('archiving gives open deliveries up, visibly', async () => {
  const destination = await newDestination(app, receiver.url)
  receiver.answer((response) => void response.writeHead(500).end())
  await tellMerchant(app, app.account, [{}])
  await deliverer.drain()
  await app.post(`${path}/${destination.id}/archive`)
  expect((await history(destination.id)).data[0]).toMatchObject({
    status: 'exhausted',
    next_attempt_at: null,
  })
})

test('the history pages newest first', async () => {
  const destination = await newDestination(app, receiver.url)
  for (let index = 0; index < 5; index++) await tellMerchant(app, app.account, [{}])
  await deliverer.drain()
  const page = (await app.get(`${path}/${destination.id}/events?limit=2&offset=1`)).body
  const all = await history(destination.id)
  expect(page).toMatchObject({ total: 5, limit: 2, offset: 1, has_more: true })
  expect(page.data).toEqual(all.data.slice(1, 3))
  expect((await app.get(`${path}/${destination.id}/events?limit=201`)).status).toBe(422)
})
