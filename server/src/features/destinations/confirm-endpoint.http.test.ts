import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestApp } from '../../../test/harness/app.ts'
import { createPurchase, newBuyer } from '../../../test/harness/buyers.ts'
import {
  createDestination,
  type Deliverer,
  type Delivering,
  type Receiver,
  startReceiver,
  tellMerchant,
} from '../../../test/harness/deliveries.ts'
import { advanceTestClock } from '../../platform/clock/test-clock.ts'
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

/** Something happens that the destination of this side is told of: an event, then another about the same object. */
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

async function drain(): Promise<void> {
  await deliverer.drain()
  await deliverer.drain()
}

test.each(both)(
  'an endpoint of a %s gets a test first, and everything else in order once it has confirmed',
  async (audience) => {
    receiver.answer((response) => void response.writeHead(500).end())
    const made = await createDestination(app, audience, { endpointUrl: receiver.url })
    expect(made.webhook.confirmed_at).toBeNull()
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
    expect(shown.webhook.confirmed_at).toEqual(expect.any(String))
  },
)
