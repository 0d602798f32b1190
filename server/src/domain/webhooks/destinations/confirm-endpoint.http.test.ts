import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestApp } from '../../../../test/harness/app.ts'
import { createPurchase, newBuyer } from '../../../../test/harness/buyers.ts'
import {
  createDestination,
  type Deliverer,
  type Delivering,
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

const paths = { merchant: '/v1/merchant/destinations', buyer: '/v1/event_destinations' } as const
const both = ['merchant', 'buyer'] as const
const advance = (seconds: number) => advanceTestClock(app.databaseUrl, seconds)
const typesOf = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body).type)

/** Makes events that the destination of this side gets: one, then another about the same object. */
async function happen(audience: (typeof both)[number]): Promise<string[]> {
  if (audience === 'merchant') {
    await tellMerchant(app, app.account, [{}, { type: 'order.confirmed' }])
    return ['order.requested', 'order.confirmed']
  }
  const { body } = await createPurchase(app, await newBuyer(app))
  await app.post(`/v1/purchase_intents/${body.id}/cancel`)
  return ['purchase_intent.created', 'purchase_intent.awaiting_approval', 'purchase_intent.cancelled']
}

async function historyOf(audience: (typeof both)[number], id: string): Promise<string[][]> {
  const { body } = await app.get(`${paths[audience]}/${id}/events`)
  return body.data
    .map((one: { [field: string]: string }) => [one.event_type, one.status])
    .sort()
    .reverse()
}

/** Two changes that come at once may take their turns in another order than they took their times. */
async function pastTheNextChange(destinationId: string): Promise<void> {
  const database = new Client({ connectionString: app.databaseUrl })
  await database.connect()
  const queued = await database.query(
    `update deliveries v set due_at = v.due_at + interval '10 s' from due_deliveries q
     where v.destination_id = $1 and q.id = v.id and q.lease_until is null`,
    [destinationId],
  )
  await database.end()
  expect(queued.rowCount).toBe(1)
}

async function drain(): Promise<void> {
  await deliverer.drain()
  await deliverer.drain()
}

test.each(both)(
  'an endpoint of a %s gets a test first, and everything else in order once it has confirmed',
  async (audience) => {
    receiver.answer((response) => void response.writeHead(500).end())
    const made = await createDestination(app, audience, { endpointUrl: receiver.url })
    expect(made.confirmed_at).toBeNull()
    const types = await happen(audience)
    await advance(2)
    await drain()
    expect(typesOf(receiver)).toEqual(['destination.test'])
    const { body: waiting } = await app.get(`${paths[audience]}/${made.id}/events`)
    expect(waiting.data.slice(0, types.length)).toMatchObject(
      types.map(() => ({ status: 'pending', attempts: [], next_attempt_at: null })),
    )
    receiver.answer((response) => void response.end())
    await advance(10)
    await drain()
    expect(typesOf(receiver)).toEqual(['destination.test', 'destination.test', ...types])
    const { body: shown } = await app.get(`${paths[audience]}/${made.id}`)
    expect(shown.confirmed_at).toEqual(expect.any(String))
  },
)

test.each(both)(
  'after a change of URL the endpoint of a %s has to confirm again, and open deliveries wait for that',
  async (audience) => {
    const made = await confirmed(audience, receiver)
    receiver.answer((response) => void response.writeHead(500).end())
    const types = await happen(audience)
    await drain()
    expect(typesOf(receiver)).toEqual(['destination.test', types[0], ...types.slice(1)])
    const other = await startReceiver()
    const moved = await app.post(`${paths[audience]}/${made.id}`, { webhook: { endpoint_url: other.url } })
    expect(moved.body).toMatchObject({ webhook: { endpoint_url: other.url }, confirmed_at: null })
    other.answer((response) => void response.writeHead(401).end())
    await advance(60)
    await drain()
    expect(typesOf(other)).toEqual(['destination.test'])
    other.answer((response) => void response.end())
    await advance(400)
    await drain()
    expect(typesOf(other).slice(0, 2)).toEqual(['destination.test', 'destination.test'])
    expect(typesOf(other).slice(2).sort()).toEqual([...types].sort())
    expect(receiver.received).toHaveLength(1 + types.length)
    await other.stop()
  },
)

test.each(both)('the same URL again leaves the endpoint of a %s confirmed', async (audience) => {
  const made = await confirmed(audience, receiver)
  const same = await app.post(`${paths[audience]}/${made.id}`, { webhook: { endpoint_url: receiver.url } })
  expect(same.body.confirmed_at).toEqual(expect.any(String))
})

test('a 2xx of the endpoint before confirms nothing of the one after', async () => {
  const made = await createDestination(app, 'merchant', { endpointUrl: receiver.url })
  const other = await startReceiver()
  other.answer((response) => void response.writeHead(500).end())
  await advance(2)
  const paused = deliverer.faults.pause('deliver.after')
  const running = deliverer.worker.runOnce()
  await paused.reached
  const moved = await app.post(`${paths.merchant}/${made.id}`, { webhook: { endpoint_url: other.url } })
  expect(moved.status).toBe(200)
  paused.resume()
  await running
  expect(typesOf(receiver)).toEqual(['destination.test'])
  const { body: shown } = await app.get(`${paths.merchant}/${made.id}`)
  expect(shown).toMatchObject({ webhook: { endpoint_url: other.url }, confirmed_at: null })
  await happen('merchant')
  await drain()
  expect(typesOf(other)).toEqual(['destination.test'])
  await other.stop()
})

test('a test that is given up beside one under way is not out of order, nor later when it is redelivered', async () => {
  const made = await createDestination(app, 'merchant', { endpointUrl: receiver.url })
  const other = await startReceiver()
  await advance(2)
  const paused = deliverer.faults.pause('deliver.after')
  const running = deliverer.worker.runOnce()
  await paused.reached
  const move = (path: string) =>
    app.post(`${paths.merchant}/${made.id}`, { webhook: { endpoint_url: other.url + path } })
  await move('/a')
  await pastTheNextChange(made.id)
  await move('/b')
  paused.resume()
  await running
  await drain()
  expect(await historyOf('merchant', made.id)).toEqual([
    ['destination.test', 'succeeded'],
    ['destination.test', 'succeeded'],
    ['destination.test', 'exhausted'],
  ])
  const { body } = await app.get(`${paths.merchant}/${made.id}/events`)
  const givenUp = body.data.find((one: { status: string }) => one.status === 'exhausted')
  expect(givenUp.attempts).toEqual([])
  await app.post(`${paths.merchant}/${made.id}/events/${givenUp.event_id}/redeliver`)
  await drain()
  expect(other.received).toHaveLength(2)
  await other.stop()
})

test.each(both)(
  'an endpoint of a %s that never confirms is disabled after five days, and its waiting deliveries are exhausted',
  async (audience) => {
    receiver.answer((response) => void response.writeHead(500).end())
    const made = await createDestination(app, audience, { endpointUrl: receiver.url })
    const types = await happen(audience)
    for (let day = 0; day < 7; day++) {
      for (let quarter = 0; quarter < 4; quarter++) {
        await advance(day === 0 && quarter === 0 ? 3 : 6 * 3_600)
        await drain()
      }
    }
    expect(new Set(typesOf(receiver))).toEqual(new Set(['destination.test']))
    const { body: shown } = await app.get(`${paths[audience]}/${made.id}`)
    expect(shown).toMatchObject({ status: 'disabled', disabled_reason: 'failing' })
    expect(await historyOf(audience, made.id)).toEqual(
      ['destination.test', ...types]
        .map((type) => [type, 'exhausted'])
        .sort()
        .reverse(),
    )
    receiver.answer((response) => void response.end())
    await app.post(`${paths[audience]}/${made.id}/enable`)
    await drain()
    const { body: enabled } = await app.get(`${paths[audience]}/${made.id}`)
    expect(enabled.confirmed_at).toEqual(expect.any(String))
    const later = await happen(audience)
    await drain()
    expect(typesOf(receiver).slice(-later.length)).toEqual(later)
  },
)

test('a 410 to the test disables the destination at once', async () => {
  receiver.answer((response) => void response.writeHead(410).end())
  const made = await createDestination(app, 'merchant', { endpointUrl: receiver.url })
  await advance(2)
  await drain()
  const { body: shown } = await app.get(`${paths.merchant}/${made.id}`)
  expect(shown).toMatchObject({ status: 'disabled', disabled_reason: 'gone' })
})

test('redelivered and recovered deliveries of an unconfirmed endpoint wait like all others', async () => {
  const made = await confirmed('merchant', receiver)
  await happen('merchant')
  await drain()
  const other = await startReceiver()
  other.answer((response) => void response.writeHead(500).end())
  await app.post(`${paths.merchant}/${made.id}`, { webhook: { endpoint_url: other.url } })
  const { body: history } = await app.get(`${paths.merchant}/${made.id}/events`)
  const [first] = history.data.filter((one: { event_type: string }) => one.event_type === 'order.requested')
  const again = await app.post(`${paths.merchant}/${made.id}/events/${first.event_id}/redeliver`)
  expect(again.body.status).toBe('pending')
  await app.sql(
    `update deliveries set status = 'exhausted', due_at = null where event_type = 'order.confirmed'`,
  )
  const recovered = await app.post(`${paths.merchant}/${made.id}/recover`, { since: '2020-01-01T00:00:00Z' })
  expect(recovered.body.requeued).toBeGreaterThan(0)
  await drain()
  await drain()
  expect(new Set(typesOf(other))).toEqual(new Set(['destination.test']))
  other.answer((response) => void response.end())
  await advance(10)
  await drain()
  expect(typesOf(other).slice(-2).sort()).toEqual(['order.confirmed', 'order.requested'])
  await other.stop()
})

test('a destination from before there were tests gets one with its next event, which waits for it', async () => {
  const made = await createDestination(app, 'merchant', { endpointUrl: receiver.url })
  await app.sql('delete from deliveries where destination_id = $1', [made.id])
  const types = await happen('merchant')
  await drain()
  await drain()
  expect(typesOf(receiver)).toEqual(['destination.test', ...types])
})

/** A destination whose endpoint confirmed by the test that create queued. */
async function confirmed(audience: (typeof both)[number], at: Receiver): Promise<{ id: string }> {
  const made = await createDestination(app, audience, { endpointUrl: at.url })
  await advance(2)
  await drain()
  const { body: shown } = await app.get(`${paths[audience]}/${made.id}`)
  expect(shown.confirmed_at).toEqual(expect.any(String))
  return made
}
