import Stripe from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AnyDraft, draftOf } from '../../../../test/harness/any-draft.ts'
import type { TestAccount, TestApp } from '../../../../test/harness/app.ts'
import { createPurchase, newBuyer } from '../../../../test/harness/buyers.ts'
import {
  type Deliverer,
  type Delivering,
  newDestination,
  newEventDestination,
  type Received,
  type Receiver,
} from '../../../../test/harness/deliveries.ts'
import { runAs } from '../../../platform/calls/run-as.ts'
import { advanceTestClock } from '../../../platform/clock/test-clock.ts'
import { bodyWith } from '../../../platform/events/event-body.ts'
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

const path = '/v1/event_destinations'
const advance = (seconds: number) => advanceTestClock(app.databaseUrl, seconds)

function verified({ body, headers }: Received, secret: string): Stripe.Event {
  return Stripe.webhooks.constructEvent(body, String(headers['service-signature']), secret)
}

/** Commits events of one aggregate of the account, as a slice would. */
async function happen(account: TestAccount, drafts: readonly Partial<AnyDraft>[]): Promise<string> {
  const tenant = { accountId: account.accountId, mode: 'test' as const }
  return runAs(app.parts, { tenant, actor: { type: 'system', id: 'test' } }, async (ctx) => {
    const id = ctx.newId('ord')
    for (const [index, draft] of drafts.entries()) {
      ctx.tx.emit(
        draftOf({
          type: 'order.requested',
          aggregateId: id,
          sequence: index + 1,
          object: { id, seen_by: 'buyer' },
          ...draft,
        }),
      )
    }
    return id
  })
}

test('a buyer gets its purchase in exactly the bytes that REST answers, with a signature that Stripe libraries verify', async () => {
  const destination = await newEventDestination(app, receiver.url)
  const { body: intent } = await createPurchase(app, await newBuyer(app))
  await app.post(`/v1/purchase_intents/${intent.id}/cancel`)
  await deliverer.drain()
  const { body: shown } = await app.get(`/v1/purchase_intents/${intent.id}/events`)
  const types = ['purchase_intent.created', 'purchase_intent.awaiting_approval', 'purchase_intent.cancelled']
  expect(shown.data.map(({ type }: { type: string }) => type)).toEqual(types)
  expect(receiver.received.map(({ body }) => body)).toEqual(
    shown.data.map(({ id, type, created_at, data }: { [field: string]: string } & { data: object }) =>
      bodyWith(
        { id: String(id), type: String(type), mode: 'test', createdAt: new Date(String(created_at)) },
        { ...data },
      ),
    ),
  )
  for (const [index, request] of receiver.received.entries()) {
    const event = verified(request, destination.secret.secret)
    expect(request.headers).toMatchObject({
      'service-webhook-id': event.id,
      'service-webhook-event': types[index],
      'service-destination-id': destination.id,
    })
    expect(request.headers['service-response-url']).toBeUndefined()
  }
  const { body: history } = await app.get(`${path}/${destination.id}/events`)
  expect(history).toMatchObject({ total: 3, data: [{ event_type: types[2], status: 'succeeded' }, {}, {}] })
})

test("a cart's event carries that cart and its purchase, with any text in it", async () => {
  const destination = await newEventDestination(app, receiver.url)
  const cart = { id: 'cart_1', merchant: '\u0000 \ud800 "carts":[{ naïve ☕ \\', items: [{ carts: [] }] }
  const object = { id: 'pi_1', status: 'approved', carts: [cart] }
  await happen(app.account, [{ type: 'cart.failed', aggregateId: 'pi_1', object }])
  await deliverer.drain()
  const [request] = receiver.received
  if (!request) throw new Error('nothing was delivered')
  expect(verified(request, destination.secret.secret)).toMatchObject({
    type: 'cart.failed',
    data: {
      purchase_intent_id: 'pi_1',
      // What nobody sees is not sent.
      cart: { ...cart, merchant: ' \ufffd "carts":[{ naïve ☕ \\' },
    },
  })
})

test('an event that concerns two accounts shows each what it may see, also where both are one', async () => {
  const shop = await newDestination(app, receiver.url)
  const buyer = await newEventDestination(app, receiver.url)
  const elsewhere = await newEventDestination(app, receiver.url, {}, app.stranger.keys.secret_test)
  await newEventDestination(app, 'https://buyer.example/', {}, app.account.keys.secret_live)
  const recipient = { accountId: app.account.accountId, data: { order: { seen_by: 'merchant' } } }
  await happen(app.account, [{ recipient }])
  await happen(app.stranger, [{ recipient }])
  await deliverer.drain()
  const told = receiver.received.map(({ headers, body }) => [
    headers['service-destination-id'],
    JSON.parse(body).data.order.seen_by,
  ])
  expect(told.sort()).toEqual(
    [
      [shop.id, 'merchant'],
      [shop.id, 'merchant'],
      [buyer.id, 'buyer'],
      [elsewhere.id, 'buyer'],
    ].sort(),
  )
})

test('a buyer gets events of its own orders and no payment event, even if the merchant does', async () => {
  await newEventDestination(app, receiver.url, { event_types: ['order.confirmed'] })
  const recipient = { accountId: app.stranger.accountId, data: {} }
  await happen(app.account, [
    { recipient },
    { type: 'payment.authorized', recipient },
    { type: 'order.confirmed', recipient },
  ])
  await deliverer.drain()
  expect(receiver.received.map(({ headers }) => headers['service-webhook-event'])).toEqual([
    'order.confirmed',
  ])
})

test('retries, a rotation and a redelivery change neither the bytes nor the id, only the signature', async () => {
  const destination = await newEventDestination(app, receiver.url)
  receiver.answer((response) => void response.writeHead(500).end('broken'))
  await happen(app.account, [{}])
  await deliverer.drain()
  await advance(10)
  await deliverer.drain()
  const { body: rotated } = await app.post(`${path}/${destination.id}/rotate_secret`)
  receiver.answer((response) => void response.end())
  await advance(600)
  await deliverer.drain()
  const { body: history } = await app.get(`${path}/${destination.id}/events`)
  expect(history.data[0]).toMatchObject({ status: 'succeeded', attempts: [{}, {}, { http_status: 200 }] })
  const event = `${path}/${destination.id}/events/${history.data[0].event_id}`
  expect((await app.post(`${event}/redeliver`)).body.status).toBe('pending')
  await deliverer.drain()
  expect((await app.get(event)).body.attempts).toHaveLength(4)
  const requests = receiver.received
  expect([requests.length, new Set(requests.map(({ body }) => body)).size]).toEqual([4, 1])
  const last = requests.at(-1)
  if (!last) throw new Error('nothing was delivered')
  const [old, fresh] = [destination.secret.secret, rotated.secret.secret]
  expect(verified(last, old).id).toBe(verified(last, fresh).id)
  expect(verified(last, fresh).id).toBe(history.data[0].event_id)
})

test('the time of the event decides who gets it; 410 disables, and recovery delivers again', async () => {
  await happen(app.account, [{}])
  const destination = await newEventDestination(app, receiver.url, { event_types: ['order.*'] })
  await advance(10)
  await deliverer.drain()
  receiver.answer((response) => void response.writeHead(410).end())
  await happen(app.account, [{}])
  await deliverer.drain()
  // An event of the second before a subscription is delivered too: see docs/webhooks.md.
  const before = receiver.received.length
  const own = `${path}/${destination.id}`
  expect((await app.get(own)).body).toMatchObject({ status: 'disabled', disabled_reason: 'gone' })
  await happen(app.account, [{}])
  receiver.answer((response) => void response.end())
  await app.post(`${own}/enable`)
  const since = new Date(0).toISOString()
  expect((await app.post(`${own}/recover`, { since })).body).toMatchObject({ object: 'destination_recovery' })
  await deliverer.drain()
  const { body: history } = await app.get(`${own}/events`)
  expect(history.data.every(({ status }: { status: string }) => status === 'succeeded')).toBe(true)
  expect(receiver.received.length).toBeGreaterThan(before)
})

test('a test event reaches a buyer with any subscription', async () => {
  const destination = await newEventDestination(app, receiver.url, { event_types: [] })
  deliverer.relay.start()
  deliverer.worker.start()
  const tested = await app.post(`${path}/${destination.id}/test`)
  expect(tested.body).toMatchObject({ event_type: 'destination.test', status: 'succeeded' })
  const [request] = receiver.received
  if (!request) throw new Error('nothing was delivered')
  expect(verified(request, destination.secret.secret)).toMatchObject({
    id: tested.body.event_id,
    data: { destination: { id: destination.id, name: 'Backend' } },
  })
  expect(request.headers['service-response-url']).toBeUndefined()
})
