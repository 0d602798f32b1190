import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TestApp } from '../../../../test/harness/app.ts'
import {
  confirmByHand,
  type Delivering,
  type Receiver,
  startDelivering,
} from '../../../../test/harness/deliveries.ts'
import { newOrderChecks, type OrderChecks, path, type TestDestination } from './order-checks.testing.ts'
import { checkWork } from './work.ts'

let delivering: Delivering
let app: TestApp
let receiver: Receiver
let checks: OrderChecks
let key: string
beforeAll(async () => {
  delivering = await startDelivering({}, [checkWork])
  ;({ app, receiver } = delivering)
})
beforeEach(async () => {
  checks = await newOrderChecks(delivering)
  key = checks.key
})
afterAll(() => delivering.stop())

/** A destination that gets these events may answer orders. */
const answerable = ['order.requested', 'order.confirmed', 'order.rejected']

const changes: [string, (destination: TestDestination) => Promise<{ status: number }>][] = [
  [
    'endpoint_changed',
    ({ id }) =>
      app.post(
        `/v1/merchant/destinations/${id}`,
        { webhook: { endpoint_url: `${receiver.url}/v2` } },
        { key },
      ),
  ],
  [
    'secret_changed',
    ({ id }) => app.post(`/v1/merchant/destinations/${id}/rotate_secret`, undefined, { key }),
  ],
  [
    'event_types_changed',
    ({ id }) => app.post(`/v1/merchant/destinations/${id}`, { event_types: answerable }, { key }),
  ],
  [
    'responder_changed',
    ({ id }) => app.post(`/v1/merchant/destinations/${id}`, { responds_to_quotes: true }, { key }),
  ],
  [
    'destination_archived',
    ({ id }) => app.post(`/v1/merchant/destinations/${id}/archive`, undefined, { key }),
  ],
]

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ['endpoint_changed', { webhook: { endpoint_url: 'https://shop.example/v2' } }, {}],
  ['event_types_changed', { event_types: ['order.requested'] }, {}],
  ['responder_changed', { responds_to_quotes: true }, { responds_to_quotes: false }],
])('evidence stays stale when a change (%s) is taken back', async (reason, change, back) => {
  const destination = await checks.connect({ event_types: [...answerable, 'quote.requested'] })
  const { id } = await checks.finished(destination, await checks.provenOrder(destination))
  const before = await app.get(`/v1/merchant/destinations/${destination.id}`, { key })
  const { event_types, webhook } = before.body
  for (const body of [change, { event_types, webhook: { endpoint_url: webhook.endpoint_url }, ...back }]) {
    expect((await app.post(`/v1/merchant/destinations/${destination.id}`, body, { key })).status).toBe(200)
  }
  expect(await checks.read(id)).toMatchObject({ status: 'passed', stale: true, stale_reasons: [reason] })
})

test.each(changes)(
  'evidence is stale after %s, and a new order gives new evidence',
  async (reason, change) => {
    const destination = await checks.connect({
      event_types: [...answerable, 'order.cancelled', 'quote.requested'],
    })
    const order = await checks.provenOrder(destination)
    const { id } = await checks.finished(destination, order)
    const rows = await app.sql('select xmin from integration_checks where id = $1', [id])
    const changed = await change(destination)
    expect(changed.status).toBe(200)
    expect(await checks.read(id)).toMatchObject({ status: 'passed', stale: true, stale_reasons: [reason] })
    expect((await app.get(path, { key })).body.data[0]).toMatchObject({ id, stale: true })
    expect(await app.sql('select xmin from integration_checks where id = $1', [id])).toEqual(rows)
    if (reason === 'destination_archived') return
    await confirmByHand(app, destination)
    expect(await checks.finished(destination, order)).toMatchObject({
      status: 'failed',
      stale: false,
      failure: { code: 'settings_changed' },
    })
  },
)

test('other changes of a destination leave evidence as it is', async () => {
  const destination = await checks.connect()
  const { id } = await checks.finished(destination, await checks.provenOrder(destination))
  const at = `/v1/merchant/destinations/${destination.id}`
  await app.post(at, { name: 'Renamed', metadata: { team: 'shop' } }, { key })
  await app.post(`${at}/disable`, undefined, { key })
  await app.post(`${at}/enable`, undefined, { key })
  expect(await checks.read(id)).toMatchObject({ status: 'passed', stale: false, stale_reasons: [] })
})
