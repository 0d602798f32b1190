import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestApp } from '../../../../test/harness/app.ts'
import {
  createDestination,
  type Deliverer,
  type Delivering,
  newDestination,
  type Receiver,
  tellMerchant,
} from '../../../../test/harness/deliveries.ts'
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

const asked = { type: 'order.requested' } as const

/** The deliveries of an order's events, in the order of the events. */
function deliveriesOf(
  orderId: string,
): Promise<{ destination_id: string; sequence: number; status: string }[]> {
  return app.sql(
    'select destination_id, sequence, status from deliveries where aggregate_id = $1 order by sequence, destination_id',
    [orderId],
  )
}

/** What the relay is left with of an order. */
function leftOf(orderId: string): Promise<{ is_delivered: boolean; first: number; last: number }[]> {
  return app.sql(
    `select is_delivered, first_sequence as first, last_sequence as last from outbox where aggregate_id = $1 order by first_sequence`,
    [orderId],
  )
}

/** Until this process knows the merchant's subscriptions as they are, it leaves its events to the relay. */
async function untilKnown(): Promise<void> {
  await expect
    .poll(async () => (await leftOf(await tellMerchant(app, app.account, [asked])))[0]?.is_delivered)
    .toBe(true)
  await deliverer.drain()
}

test('where subscriptions are known, the transaction of an event makes its deliveries, and the relay makes none again', async () => {
  const destination = await newDestination(app, receiver.url)
  await untilKnown()
  const order = await tellMerchant(app, app.account, [asked, { type: 'order.confirmed' }])
  expect(await leftOf(order)).toEqual([{ is_delivered: true, first: 1, last: 2 }])
  const made = [1, 2].map((sequence) => ({ destination_id: destination.id, sequence, status: 'pending' }))
  expect(await deliveriesOf(order)).toEqual(made)
  const before = receiver.received.length
  await deliverer.drain()
  expect(await leftOf(order)).toEqual([])
  expect(await deliveriesOf(order)).toEqual(made.map((one) => ({ ...one, status: 'succeeded' })))
  expect(receiver.received.length - before).toBe(2)
})

test('an event of an unsubscribed type leaves the relay nothing to deliver', async () => {
  await newDestination(app, receiver.url, { event_types: ['order.confirmed'] })
  await expect
    .poll(async () => (await leftOf(await tellMerchant(app, app.account, [asked])))[0]?.is_delivered)
    .toBe(true)
  await deliverer.drain()
  expect(receiver.received).toEqual([])
})

test('a destination made after the subscriptions were read gets the next event all the same, by the relay', async () => {
  const first = await newDestination(app, receiver.url)
  await untilKnown()
  const second = await newDestination(app, receiver.url)
  const order = await tellMerchant(app, app.account, [asked])
  expect(await leftOf(order)).toMatchObject([{ is_delivered: false }])
  expect(await deliveriesOf(order)).toEqual([])
  await deliverer.drain()
  expect((await deliveriesOf(order)).map(({ destination_id }) => destination_id).sort()).toEqual(
    [first.id, second.id].sort(),
  )
})

test('a type that is dropped after the subscriptions were read is not delivered any more', async () => {
  const destination = await newDestination(app, receiver.url)
  await untilKnown()
  const { status } = await app.post(`/v1/merchant/destinations/${destination.id}`, {
    event_types: ['order.confirmed'],
  })
  expect(status).toBe(200)
  const order = await tellMerchant(app, app.account, [asked])
  await deliverer.drain()
  expect(await deliveriesOf(order)).toEqual([])
})

test('while an earlier event of an object waits for the relay, a later one waits behind it', async () => {
  await newDestination(app, receiver.url)
  await untilKnown()
  const order = await tellMerchant(app, app.account, [asked])
  // As if the first had met a change of the subscriptions: it has no delivery yet.
  await app.sql('delete from deliveries where aggregate_id = $1', [order])
  await app.sql('update outbox set is_delivered = false, is_followed = false where aggregate_id = $1', [
    order,
  ])
  await tellMerchant(app, app.account, [{ ...asked, aggregateId: order, sequence: 2 }])
  expect(await leftOf(order)).toMatchObject([{ is_delivered: false }, { is_delivered: false }])
  await deliverer.drain()
  expect((await deliveriesOf(order)).map(({ sequence }) => sequence)).toEqual([1, 2])
})

test('while the follower is behind with an earlier event of an object, a later one waits behind it', async () => {
  await newDestination(app, receiver.url)
  await untilKnown()
  const order = await tellMerchant(app, app.account, [asked])
  await app.sql(
    `with gone as (delete from outbox where aggregate_id = $1 returning *)
     insert into follower_backlog (shard, follower, account_id, mode, aggregate_id, sequence, event_id, behind_since, due_at)
     select g.shard, 'deliveries', g.account_id, g.mode, g.aggregate_id, 1, e.id, now(), now() + interval '1 hour'
     from gone g join events e using (account_id, mode, aggregate_id)`,
    [order],
  )
  await tellMerchant(app, app.account, [{ ...asked, aggregateId: order, sequence: 2 }])
  expect(await leftOf(order)).toMatchObject([{ is_delivered: false }])
})

test('an endpoint that has not confirmed is left to the relay', async () => {
  await createDestination(app, 'merchant', { endpointUrl: receiver.url })
  for (let asking = 0; asking < 3; asking++) {
    const order = await tellMerchant(app, app.account, [asked])
    expect(await leftOf(order)).toMatchObject([{ is_delivered: false }])
  }
})

test('more deliveries than a call should wait for are left to the relay', async () => {
  await newDestination(app, receiver.url)
  await untilKnown()
  const many = Array.from({ length: 17 }, () => asked)
  const order = await tellMerchant(app, app.account, many)
  expect(await leftOf(order)).toEqual([{ is_delivered: false, first: 1, last: 17 }])
  await deliverer.drain()
  expect(await deliveriesOf(order)).toHaveLength(17)
})

test('where the database takes no delivery, the event is written all the same, and the relay is left with its deliveries', async () => {
  const destination = await newDestination(app, receiver.url)
  await untilKnown()
  await app.sql(`alter table deliveries add constraint planted check (event_type = 'never') not valid`)
  const order = await tellMerchant(app, app.account, [asked])
  expect(await leftOf(order)).toMatchObject([{ is_delivered: false }])
  await app.sql('alter table deliveries drop constraint planted')
  await deliverer.drain()
  expect(await deliveriesOf(order)).toMatchObject([{ destination_id: destination.id, status: 'succeeded' }])
})

test('what is rolled back is delivered to nobody', async () => {
  await newDestination(app, receiver.url)
  await untilKnown()
  const order = await tellMerchant(app, app.account, [asked])
  // The same sequence a second time is refused, with everything beside it.
  await expect(tellMerchant(app, app.account, [{ ...asked, aggregateId: order }])).rejects.toThrow()
  expect(await deliveriesOf(order)).toHaveLength(1)
})
