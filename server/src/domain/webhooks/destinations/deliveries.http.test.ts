import Stripe from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { patientMs } from '../../../../test/gate/pace.ts'
import type { TestApp } from '../../../../test/harness/app.ts'
import {
  type Deliverer,
  type Delivering,
  newDestination,
  type Receiver,
  startReceiver,
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

test('a delivery carries the envelope, its headers, and a signature that Stripe libraries accept', async () => {
  const destination = await newDestination(app, receiver.url)
  const orderId = await tellMerchant(app, app.account, [{}])
  await deliverer.drain()
  expect(receiver.received).toHaveLength(1)
  const [request] = receiver.received
  if (!request) throw new Error('nothing was delivered')
  const { headers, body } = request
  const event = Stripe.webhooks.constructEvent(
    body,
    String(headers['service-signature']),
    destination.secret.secret,
  )
  expect(event).toMatchObject({
    object: 'event',
    type: 'order.requested',
    api_version: 'v1',
    mode: 'test',
    data: { order: { id: orderId, note: 'naïve ☕' } },
  })
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'service-webhook-id': event.id,
    'service-webhook-event': 'order.requested',
    'service-destination-id': destination.id,
    'service-response-url': `http://127.0.0.1/v1/merchant/orders/${orderId}/responses`,
  })
  const list = await history(destination.id)
  expect(list).toMatchObject({ object: 'list', total: 1, limit: 50, has_more: false })
  expect(list.data[0]).toMatchObject({
    object: 'delivery',
    destination_id: destination.id,
    event_id: event.id,
    event_type: 'order.requested',
    status: 'succeeded',
    next_attempt_at: null,
    business_response: null,
    attempts: [{ http_status: 200, error: null, response_excerpt: 'ok' }],
  })
  expect((await app.get(`${path}/${destination.id}/events/${event.id}`)).body).toEqual(list.data[0])
  expect(JSON.stringify(list)).not.toContain('whsec_')
})

test('an event goes to every subscribed destination of its recipient and mode, and to no other', async () => {
  const both = [await newDestination(app, receiver.url), await newDestination(app, receiver.url)]
  const other = await newDestination(app, receiver.url, { event_types: ['payment.captured'] })
  const live = await newDestination(app, 'https://merchant.example/', {}, app.account.keys.secret_live)
  const foreign = await newDestination(app, receiver.url, {}, app.stranger.keys.secret_test)
  await tellMerchant(app, app.account, [{}])
  await deliverer.drain()
  const told = receiver.received.map(({ headers }) => headers['service-destination-id'])
  expect(new Set(told)).toEqual(new Set(both.map(({ id }) => id)))
  expect(told).toHaveLength(2)
  for (const [{ id }, key] of [
    [other, app.account.keys.secret_test],
    [live, app.account.keys.secret_live],
    [foreign, app.stranger.keys.secret_test],
  ] as const) {
    expect((await app.get(`${path}/${id}/events`, { key })).body.total).toBe(0)
  }
})

test('the time of the event decides who gets it, however late the relay carries it', async () => {
  const early = await newDestination(app, receiver.url)
  const left = await newDestination(app, receiver.url)
  await advance(10)
  await tellMerchant(app, app.account, [{}])
  await advance(10)
  await app.post(`${path}/${left.id}`, { event_types: [] })
  await app.post(`${path}/${early.id}/disable`)
  await newDestination(app, receiver.url)
  await advance(10)
  await app.post(`${path}/${early.id}/enable`)
  await deliverer.drain()
  const told = receiver.received.map(({ headers }) => headers['service-destination-id'])
  expect(new Set(told)).toEqual(new Set([early.id, left.id]))
})

test('while two secrets are live every attempt is signed with both, and a day later with the new one alone', async () => {
  const destination = await newDestination(app, receiver.url)
  const rotated = (await app.post(`${path}/${destination.id}/rotate_secret`)).body
  const [old, fresh] = [destination.secret.secret, rotated.secret.secret]
  const deliver = async () => {
    await tellMerchant(app, app.account, [{}])
    await deliverer.drain()
    const last = receiver.received.at(-1)
    return (secret: string) =>
      Stripe.webhooks.constructEvent(last?.body ?? '', String(last?.headers['service-signature']), secret)
  }
  const during = await deliver()
  expect(during(old).id).toBe(during(fresh).id)
  await advance(24 * 3600)
  const after = await deliver()
  expect(after(fresh).type).toBe('order.requested')
  expect(() => after(old)).toThrow()
  expect((await app.get(`${path}/${destination.id}`)).body.secret).toEqual({ prefix: rotated.secret.prefix })
  expect((await app.post(`${path}/${destination.id}/rotate_secret`)).status).toBe(200)
})

test('every retry has the same bytes and id under a fresh signature, on schedule, until the delivery is exhausted', async () => {
  const destination = await newDestination(app, receiver.url)
  receiver.answer((response) => void response.writeHead(500).end('broken'))
  await tellMerchant(app, app.account, [{}])
  await deliverer.drain()
  const first = (await history(destination.id)).data[0]
  expect(first).toMatchObject({
    status: 'failed',
    attempts: [{ http_status: 500, response_excerpt: 'broken' }],
  })
  const wait = Date.parse(first.next_attempt_at) - Date.parse(first.updated_at)
  expect(wait).toBeGreaterThanOrEqual(4_000)
  expect(wait).toBeLessThanOrEqual(6_001)
  for (const seconds of [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]) {
    const before = receiver.received.length
    await advance(Math.floor(seconds * 0.8) - 2)
    await deliverer.drain()
    expect(receiver.received).toHaveLength(before)
    await advance(Math.ceil(seconds * 0.4) + 3)
    await deliverer.drain()
    expect(receiver.received).toHaveLength(before + 1)
  }
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
  expect(new Set(receiver.received.map(({ headers }) => headers['service-webhook-id'])).size).toBe(1)
  const last = (await history(destination.id)).data[0]
  expect([last.status, last.next_attempt_at, last.attempts.length]).toEqual(['exhausted', null, 10])
  await advance(30 * 86_400)
  await deliverer.drain()
  expect(receiver.received).toHaveLength(10)
  receiver.answer((response) => void response.end())
  const again = await app.post(`${path}/${destination.id}/events/${last.event_id}/redeliver`)
  expect([again.status, again.body.status, again.body.attempts.length]).toEqual([200, 'pending', 10])
  await deliverer.drain()
  expect((await history(destination.id)).data[0]).toMatchObject({ status: 'succeeded' })
  expect(receiver.received.at(-1)?.body).toBe(receiver.received[0]?.body)
})

test('Retry-After is honoured', async () => {
  const destination = await newDestination(app, receiver.url)
  receiver.answer((response) => void response.writeHead(429, { 'retry-after': '600' }).end())
  await tellMerchant(app, app.account, [{}])
  await deliverer.drain()
  await advance(500)
  await deliverer.drain()
  expect(receiver.received).toHaveLength(1)
  await advance(101)
  await deliverer.drain()
  expect(receiver.received).toHaveLength(2)
  expect((await history(destination.id)).data[0].attempts).toHaveLength(2)
})

test('a redirect is a failure and leads nowhere', async () => {
  const canary = await startReceiver()
  const destination = await newDestination(app, receiver.url)
  receiver.answer((response) => void response.writeHead(307, { location: canary.url }).end())
  await tellMerchant(app, app.account, [{}])
  await deliverer.drain()
  expect((await history(destination.id)).data[0]).toMatchObject({
    status: 'failed',
    attempts: [
      { http_status: 307, error: `redirect to ${canary.url}: it is not followed, change endpoint_url` },
    ],
  })
  for (const [location, error] of [
    [undefined, 'redirect'],
    ['http://[', 'redirect'],
    ['/moved?token=secret', expect.stringMatching(/^redirect to http:.*\/moved: /)],
  ] as const) {
    receiver.answer((response) => void response.writeHead(308, location ? { location } : {}).end())
    await tellMerchant(app, app.account, [{}])
    await deliverer.drain()
    expect((await history(destination.id)).data[0]).toMatchObject({ attempts: [{ http_status: 308, error }] })
  }
  expect(canary.received).toHaveLength(0)
  await canary.stop()
})

test('410 disables the destination and its owner can see that; enabling it delivers the held events', async () => {
  const destination = await newDestination(app, receiver.url)
  receiver.answer((response) => void response.writeHead(410).end())
  await tellMerchant(app, app.account, [{}])
  await deliverer.drain()
  expect((await app.get(`${path}/${destination.id}`)).body).toMatchObject({
    status: 'disabled',
    disabled_reason: 'gone',
  })
  expect((await history(destination.id)).data[0]).toMatchObject({ status: 'failed', next_attempt_at: null })
  await advance(3600)
  await deliverer.drain()
  expect(receiver.received).toHaveLength(1)
  receiver.answer((response) => void response.end())
  await app.post(`${path}/${destination.id}/enable`)
  await deliverer.drain()
  expect((await history(destination.id)).data[0].status).toBe('succeeded')
})

test('five days of nothing but failure disable a destination, one success among them does not', async () => {
  const failing = await newDestination(app, receiver.url)
  const other = await startReceiver()
  const mixed = await newDestination(app, other.url)
  receiver.answer((response) => void response.writeHead(500).end())
  other.answer((response) => void response.writeHead(500).end())
  for (let day = 0; day <= 5; day++) {
    if (day === 3) other.answer((response) => void response.end())
    if (day === 4) other.answer((response) => void response.writeHead(500).end())
    await tellMerchant(app, app.account, [{}])
    await deliverer.drain()
    await advance(86_400)
  }
  expect((await app.get(`${path}/${failing.id}`)).body).toMatchObject({
    status: 'disabled',
    disabled_reason: 'failing',
  })
  expect((await app.get(`${path}/${mixed.id}`)).body.status).toBe('enabled')
  await other.stop()
})

test('first deliveries of one order are in order, also when the first one fails', async () => {
  await newDestination(app, receiver.url)
  const events = [{ type: 'order.requested' }, { type: 'order.confirmed' }, { type: 'payment.captured' }]
  let failed = 0
  receiver.answer((response) => {
    response.writeHead(failed++ === 0 ? 500 : 200).end()
  })
  const orders = await Promise.all(Array.from({ length: 8 }, () => tellMerchant(app, app.account, events)))
  const second = deliverer.secondWorker()
  await deliverer.relay.runOnce()
  await Promise.all([deliverer.worker.runOnce(), second.runOnce()])
  await deliverer.worker.runOnce()
  for (const orderId of orders) {
    const types = receiver.received
      .filter(({ body }) => body.includes(orderId))
      .map(({ headers }) => headers['service-webhook-event'])
    expect(types).toEqual(events.map(({ type }) => type))
  }
  await second.stop()
})

test('while one worker holds the first event of an order, none takes a later one', async () => {
  await newDestination(app, receiver.url)
  const events = [{ type: 'order.requested' }, { type: 'order.confirmed' }]
  await tellMerchant(app, app.account, events)
  await deliverer.relay.runOnce()
  const pause = deliverer.faults.pause('claim.after')
  const first = deliverer.worker.runOnce()
  await pause.reached
  const second = deliverer.secondWorker()
  await second.runOnce()
  expect(receiver.received).toEqual([])
  const { rows } = await app.parts.pools.single({
    name: '',
    text: `select e.type, q.lease_until is not null as is_taken from deliveries v
      join due_deliveries q on q.id = v.id
      join events e on e.account_id = v.event_account_id and e.mode = v.mode and e.id = v.event_id order by v.sequence`,
    values: [],
  })
  expect(rows).toEqual([
    { type: 'order.requested', is_taken: true },
    { type: 'order.confirmed', is_taken: false },
  ])
  pause.resume()
  await first
  await second.runOnce()
  expect(receiver.received.map(({ headers }) => headers['service-webhook-event'])).toEqual(
    events.map(({ type }) => type),
  )
  await second.stop()
})

test('an endpoint that never answers does not delay another, and what it is sent is bounded', async () => {
  const dead = await startReceiver()
  dead.answer(() => undefined)
  await newDestination(app, dead.url)
  await newDestination(app, receiver.url)
  for (let index = 0; index < 60; index++) await tellMerchant(app, app.account, [{}])
  await deliverer.relay.runOnce()
  const all = Promise.withResolvers<void>()
  receiver.answer((response) => {
    response.end()
    if (receiver.received.length === 60) all.resolve()
  })
  const startedAt = performance.now()
  deliverer.worker.start()
  await all.promise
  expect(performance.now() - startedAt).toBeLessThan(patientMs(5_000))
  expect(dead.received.length).toBeLessThanOrEqual(32)
  await dead.stop()
})

test('when more endpoints of one account hang than a process has places, another account gets its events before they time out', async () => {
  const dead = await startReceiver()
  let open = 0
  const flooded = Promise.withResolvers<void>()
  const gaveUp = Promise.withResolvers<string>()
  dead.answer((response) => {
    open += 1
    response.on('close', () => gaveUp.resolve('an attempt that hangs has ended'))
    if (open === 128) flooded.resolve()
  })
  const owner = app.stranger
  for (let index = 0; index < 40; index++) await newDestination(app, dead.url, {}, owner.keys.secret_test)
  await newDestination(app, receiver.url)
  for (let index = 0; index < 16; index++) await tellMerchant(app, owner, [{}])
  await deliverer.relay.runOnce()
  const told = Promise.withResolvers<string>()
  receiver.answer((response) => {
    response.end()
    if (receiver.received.length === 20) told.resolve('the healthy one was told')
  })
  deliverer.worker.start()
  await flooded.promise
  for (let index = 0; index < 20; index++) await tellMerchant(app, app.account, [{}])
  await deliverer.relay.runOnce()
  expect(await Promise.race([told.promise, gaveUp.promise])).toBe('the healthy one was told')
  await dead.stop()
})

test('a process that dies between sending and writing costs a repetition with the same bytes, never a loss', async () => {
  const destination = await newDestination(app, receiver.url)
  await tellMerchant(app, app.account, [{}])
  await deliverer.relay.runOnce()
  const pause = deliverer.faults.pause('deliver.after')
  const lost = deliverer.worker.runOnce()
  await pause.reached
  expect(receiver.received).toHaveLength(1)
  await advance(31)
  const second = deliverer.secondWorker()
  await second.runOnce()
  expect(receiver.received).toHaveLength(2)
  expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body)
  expect(receiver.received[1]?.headers['service-webhook-id']).toBe(
    receiver.received[0]?.headers['service-webhook-id'],
  )
  pause.resume()
  await lost
  // The one that lost its lease wrote nothing.
  const [delivery] = (await history(destination.id)).data
  expect([delivery.status, delivery.attempts.length]).toEqual(['succeeded', 1])
  await second.stop()
})

test('a huge answer is an answer, a broken one is recorded, and only a kilobyte of either is kept', async () => {
  const destination = await newDestination(app, receiver.url)
  receiver.answer((response) => void response.end('x'.repeat(1_000_000)))
  await tellMerchant(app, app.account, [{}])
  await deliverer.drain()
  expect((await history(destination.id)).data[0]).toMatchObject({
    status: 'succeeded',
    attempts: [{ http_status: 200, error: 'too_large', response_excerpt: null }],
  })
  receiver.answer(
    (response) =>
      void response.writeHead(500).end(Buffer.concat([Buffer.from([0, 0xff]), Buffer.alloc(2_000, '☕')])),
  )
  await tellMerchant(app, app.account, [{}])
  await deliverer.drain()
  const [{ attempts }] = (await history(destination.id)).data
  expect(Buffer.byteLength(attempts[0].response_excerpt)).toBeLessThanOrEqual(1_024)
  receiver.answer((response) => void response.socket?.destroy())
  await tellMerchant(app, app.account, [{}])
  await deliverer.drain()
  expect((await history(destination.id)).data[0]).toMatchObject({
    status: 'failed',
    attempts: [{ http_status: null, error: 'reset' }],
  })
})
