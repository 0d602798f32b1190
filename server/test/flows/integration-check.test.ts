import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Child } from '../../src/cli/up/child.ts'
import { advanceTestClock } from '../../src/platform/clock/test-clock.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { memberOf } from '../suites/client.ts'
import { newProfile, type Service, startService } from '../suites/whole-product.ts'

let database: TestDatabase
let service: Service
let destinationId: string

beforeAll(async () => {
  database = await createTestDatabase()
  service = await startService({ workers: 0, testClock: true, databaseUrl: database.url })
  const list = await get('/v1/merchant/destinations')
  destinationId = String(memberOf(listOf(list)[0], 'id'))
})
afterAll(async () => {
  await service?.stop()
  await database?.drop()
})

const checks = '/v1/merchant/integration_checks'

async function send(method: string, path: string, body?: object): Promise<unknown> {
  const payload = body === undefined ? {} : { body: JSON.stringify(body) }
  const sent = await service.client().rest({ method, path, key: service.person, ...payload })
  expect(sent.status, sent.text).toBeLessThan(300)
  return sent.body
}

const get = (path: string) => send('GET', path)
const post = (path: string, body: object = {}) => send('POST', path, body)

function listOf(body: unknown): unknown[] {
  const data = memberOf(body, 'data')
  return Array.isArray(data) ? data : []
}

async function withWorker<T>(work: (worker: Child) => Promise<T>): Promise<T> {
  const worker = await service.startRole('worker')
  try {
    return await work(worker)
  } finally {
    await worker.stop(8_000)
  }
}

/** Buys from the sandbox's merchant, whose backend confirms; answers the order. */
async function buy(profile: string): Promise<string> {
  const { item_url, item_price, item_currency } = service.ready.sandbox
  const item = { url: item_url, quantity: 1, expected_amount: item_price, expected_currency: item_currency }
  const intent = await post('/v1/purchase_intents', { profile_id: profile, items: [item] })
  const path = `/v1/purchase_intents/${memberOf(intent, 'id')}`
  await post(`${path}/approve`, { approve: true })
  await expect.poll(async () => memberOf(await get(path), 'status')).toBe('succeeded')
  const carts = memberOf(await get(path), 'carts')
  return String(memberOf(Array.isArray(carts) ? carts[0] : null, 'order'))
}

async function ended(id: unknown): Promise<unknown> {
  await expect.poll(async () => memberOf(await get(`${checks}/${id}`), 'status')).toMatch(/passed|failed/)
  return get(`${checks}/${id}`)
}

async function requirement(code: string): Promise<unknown> {
  const requirements = memberOf(await get('/v1/merchant'), 'requirements')
  const found = Array.isArray(requirements)
    ? requirements.find((one) => memberOf(one, 'code') === code)
    : null
  return memberOf(found, 'state')
}

test('the merchant record leads from nothing to a proved destination, and back when that changes', async () => {
  expect(memberOf(await get('/v1/merchant'), 'next_action')).toMatchObject({
    requirement: 'order_destination',
    path: `/v1/merchant/destinations/${destinationId}/test`,
  })
  await withWorker(() => post(`/v1/merchant/destinations/${destinationId}/test`))
  expect(memberOf(await get('/v1/merchant'), 'next_action')).toMatchObject({
    requirement: 'order_check',
    path: '/v1/purchase_intents',
  })
  const profile = await newProfile(service)
  const { orderCheck, quoteCheck } = await withWorker(async () => {
    const order = await buy(profile)
    const next = memberOf(await get('/v1/merchant'), 'next_action')
    expect(next).toMatchObject({
      path: checks,
      body_example: { kind: 'order', destination_id: destinationId, order_id: order },
    })
    const started = await post(checks, memberOf(next, 'body_example') as object)
    const orderCheck = await ended(memberOf(started, 'id'))
    const then = memberOf(await get('/v1/merchant'), 'next_action')
    expect(then).toMatchObject({ requirement: 'quote_check', path: checks })
    const asked = await post(checks, memberOf(then, 'body_example') as object)
    return { orderCheck, quoteCheck: await ended(memberOf(asked, 'id')) }
  })
  expect(orderCheck).toMatchObject({ status: 'passed', failure: null })
  expect(quoteCheck).toMatchObject({ status: 'passed', failure: null })
  expect(memberOf(await get('/v1/merchant'), 'next_action')).toBeNull()

  const path = `/v1/merchant/destinations/${destinationId}`
  const endpoint = memberOf(memberOf(await get(path), 'webhook'), 'endpoint_url')
  await post(path, { webhook: { endpoint_url: `${endpoint}/v2` } })
  for (const check of [orderCheck, quoteCheck]) {
    expect(await get(`${checks}/${memberOf(check, 'id')}`)).toMatchObject({
      status: 'passed',
      stale: true,
      stale_reasons: ['endpoint_changed'],
    })
  }
  expect([await requirement('order_check'), await requirement('quote_check')]).toEqual(['stale', 'stale'])
  await post(path, { webhook: { endpoint_url: endpoint } })
  expect([await requirement('order_check'), await requirement('quote_check')]).toEqual(['stale', 'stale'])
})

test('a check whose worker is killed in the middle of it is finished by another one', async () => {
  const profile = await newProfile(service)
  const order = await withWorker(() => buy(profile))
  const body = { kind: 'order', destination_id: destinationId, order_id: order }
  const id = memberOf(await post(checks, body), 'id')
  const victim = service.runWorker({ PROKURA_FAULTS: 'on', PROKURA_CRASH_AT: 'step.commit.before' })
  expect(await victim.ended).toBe('SIGKILL')
  expect(memberOf(await get(`${checks}/${id}`), 'status')).toBe('queued')
  // The dead one's lease.
  await advanceTestClock(database.url, 31)
  expect(await withWorker(() => ended(id))).toMatchObject({ status: 'passed' })

  const quote = {
    kind: 'quote',
    destination_id: destinationId,
    quote_request: { merchant_slug: 'sandbox-merchant' },
  }
  const asking = memberOf(await post(checks, quote), 'id')
  const second = service.runWorker({ PROKURA_FAULTS: 'on', PROKURA_CRASH_AT: 'step.commit.after' })
  expect(await second.ended).toBe('SIGKILL')
  const running = await get(`${checks}/${asking}`)
  expect(memberOf(running, 'status')).toBe('running')
  const finished = await withWorker(() => ended(asking))
  expect(memberOf(finished, 'quote_id')).toBe(memberOf(running, 'quote_id'))
  const quotes = listOf(await get('/v1/quotes?limit=200'))
  expect(quotes.filter((one) => memberOf(one, 'id') === memberOf(running, 'quote_id'))).toHaveLength(1)
})
