import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import {
  confirmByHand,
  createDestination,
  startDeliverer,
  tellMerchant,
} from '../../../../test/harness/deliveries.ts'
import { advanceTestClock, installTestClock } from '../../../platform/clock/test-clock.ts'
import type { Egress } from '../../../platform/egress/egress.ts'
import { countedHost } from './host-hour.ts'

let app: TestApp
let status: number
/** The host of every POST that left, and the type of its event. */
let sent: string[]
let deliverer: ReturnType<typeof startDeliverer>
beforeEach(async () => {
  app = await startTestApp({ testClock: true })
  await installTestClock(app.databaseUrl)
  status = 500
  sent = []
  const outside: Egress = {
    async request({ url, headers }) {
      sent.push(`${new URL(url).host} ${headers['service-webhook-event']}`)
      return { status, headers: {}, body: Buffer.alloc(0) }
    },
    close: async () => undefined,
  }
  deliverer = startDeliverer(app, outside)
})
afterEach(async () => {
  await deliverer.stop()
  await app.stop()
})

const advance = (seconds: number) => advanceTestClock(app.databaseUrl, seconds)
const victim = { endpointUrl: 'https://victim.example/hook' }
const testOf = 'victim.example destination.test'

async function drain(): Promise<void> {
  await deliverer.drain()
  await deliverer.drain()
}

test('a hundred destinations on one URL that never opted in get it five POSTs an hour between them', async () => {
  for (let i = 0; i < 100; i++) {
    const audience = i % 2 === 0 ? 'merchant' : 'buyer'
    await createDestination(app, audience, victim)
  }
  await tellMerchant(app, app.account, [{}, { type: 'order.confirmed' }, { type: 'payment.captured' }])
  for (let minute = 0; minute < 59; minute += 7) {
    await advance(minute === 0 ? 2 : 7 * 60)
    await drain()
  }
  expect(sent).toEqual(Array(5).fill(testOf))
  await advance(3_600)
  await drain()
  expect(sent).toEqual(Array(10).fill(testOf))
})

test("a host's hour is counted over all tenants and both audiences, and an account of another host has its own", async () => {
  const { keys } = await app.newAccount('Neighbour')
  for (let i = 0; i < 3; i++) await createDestination(app, 'merchant', victim)
  for (let i = 0; i < 3; i++) await createDestination(app, 'buyer', { ...victim, key: keys.secret_test })
  await createDestination(app, 'buyer', { endpointUrl: 'https://elsewhere.example/', key: keys.secret_test })
  await advance(2)
  // Two processes.
  await Promise.all([deliverer.worker.runOnce(), deliverer.secondWorker().runOnce()])
  expect([...sent].sort()).toEqual(['elsewhere.example destination.test', ...Array(5).fill(testOf)])
})

test('a test that is put off says when it is sent, and confirms once the hour has room', async () => {
  for (let i = 0; i < 5; i++) await createDestination(app, 'merchant', victim)
  await advance(2)
  await drain()
  status = 200
  const last = await createDestination(app, 'buyer', victim)
  await advance(2)
  await drain()
  expect(sent).toHaveLength(5)
  const [at] = await app.sql<{ now: Date }>('select prokura_now() as now')
  const { body: waiting } = await app.get(`/v1/event_destinations/${last.id}/events`)
  expect(waiting.data[0]).toMatchObject({ event_type: 'destination.test', status: 'pending', attempts: [] })
  const inSeconds = (Date.parse(waiting.data[0].next_attempt_at) - Number(at?.now)) / 1000
  expect(inSeconds).toBeGreaterThan(3_500)
  expect(inSeconds).toBeLessThanOrEqual(3_600)
  await advance(3_601)
  await drain()
  const { body: shown } = await app.get(`/v1/event_destinations/${last.id}`)
  expect(shown.confirmed_at).toEqual(expect.any(String))
})

test.each(['merchant', 'buyer'] as const)(
  'the test operation of a %s beyond the hour of the host is 429, and says when there is room',
  async (audience) => {
    const path = audience === 'merchant' ? '/v1/merchant/destinations' : '/v1/event_destinations'
    const made = await confirmByHand(app, await createDestination(app, audience, victim))
    const neighbour = await app.newAccount('Neighbour')
    const other = await confirmByHand(
      app,
      await createDestination(app, 'merchant', { ...victim, key: neighbour.keys.secret_test }),
    )
    status = 200
    deliverer.worker.start()
    for (let i = 0; i < 3; i++) expect((await app.post(`${path}/${made.id}/test`)).status).toBe(200)
    const asNeighbour = { key: neighbour.keys.secret_test }
    const ofNeighbour = `/v1/merchant/destinations/${other.id}/test`
    for (let i = 0; i < 2; i++) expect((await app.post(ofNeighbour, undefined, asNeighbour)).status).toBe(200)
    const refused = await app.post(`${path}/${made.id}/test`)
    expect([refused.status, refused.body.detail.code]).toEqual([429, 'rate_limited'])
    expect(refused.body.detail).toMatchObject({ limit: 5, window_seconds: 3600, scope: 'destination_host' })
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(3_400)
    expect(seconds).toBeLessThanOrEqual(3_600)
    expect(sent).toEqual(Array(5).fill(testOf))
    const { body: history } = await app.get(`${path}/${made.id}/events`)
    expect(history.total).toBe(3)
    await advance(seconds + 1)
    expect((await app.post(`${path}/${made.id}/test`)).status).toBe(200)
  },
)

test('redelivering and recovering a test counts in the hour of the host like any other', async () => {
  const made = await createDestination(app, 'merchant', victim)
  await advance(2)
  await drain()
  const path = `/v1/merchant/destinations/${made.id}`
  const { body: history } = await app.get(`${path}/events`)
  for (let i = 0; i < 12; i++) {
    await app.post(`${path}/events/${history.data[0].event_id}/redeliver`)
    await app.post(`${path}/recover`, { since: '2020-01-01T00:00:00Z' })
    await drain()
  }
  expect(sent).toEqual(Array(5).fill(testOf))
})

test('a host without a test for an hour is forgotten', async () => {
  await createDestination(app, 'merchant', victim)
  await advance(2)
  await drain()
  await advance(3_700)
  await createDestination(app, 'merchant', { endpointUrl: 'https://elsewhere.example/' })
  await app.sql(`update deliveries set due_at = due_at + interval '1 day' where attempt_count > 0`)
  await advance(2)
  await drain()
  expect(await app.sql('select host from destination_hosts')).toEqual([{ host: 'elsewhere.example' }])
})

test.each([
  ['https://Hooks.Example./a', 'hooks.example'],
  ['https://hooks.example:8443/b', 'hooks.example'],
  ['https://[2001:db8::1]/', '2001:db8::1'],
  ['https://8.8.8.8/', '8.8.8.8'],
  ['http://127.0.0.1:80/', null],
  ['http://[::1]/', null],
  ['http://shop.localhost/', null],
])('%s counts as %s', (url, host) => {
  expect(countedHost(url)).toBe(host)
})
