import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SandboxScenario } from '../../src/cli/up/sandbox-world.ts'
import { advanceTestClock } from '../../src/platform/clock/test-clock.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { hearWitnesses } from '../harness/witness.ts'
import { createTally } from '../suites/suite.ts'
import { bodyOf, newProfile, type Service, startService } from '../suites/whole-product.ts'

const day = 86_400
const price = 2500

let database: TestDatabase
let service: Service
let profile: string
const bought: string[] = []

/** Every process of the product, and a merchant's backend that is spoken to over signed webhooks only. */
beforeAll(async () => {
  database = await createTestDatabase()
  service = await startService({ workers: 1, testClock: true, databaseUrl: database.url })
  await fetch(new URL('/control/settings', service.ready.sandbox.merchant_log_url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.ready.sandbox.control_token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ late_after_ms: 1_500, slow_ack_ms: 800 }),
  })
  profile = await newProfile(service)
})
afterAll(async () => {
  await service?.stop()
  await database?.drop()
})

async function call(
  method: 'GET' | 'POST',
  path: string,
  status: number,
  body?: object,
  key = service.person,
) {
  const sent = await service
    .client()
    .rest({ method, path, key, ...(body ? { body: JSON.stringify(body) } : {}) })
  return bodyOf(sent, status)
}

type Wish = { urls: string[]; more?: Record<string, unknown>; of?: string }

async function buy({ urls, more = {}, of = profile }: Wish): Promise<string> {
  const items = urls.map((url) => ({ url, quantity: 1, expected_amount: price, expected_currency: 'USD' }))
  const { id } = await call('POST', '/v1/purchase_intents', 201, { profile_id: of, items, ...more })
  await call('POST', `/v1/purchase_intents/${id}/approve`, 200, { approve: true })
  bought.push(String(id))
  return String(id)
}

function item(scenario: SandboxScenario): string {
  return service.ready.sandbox.items[scenario]
}

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
function read(id: string): Promise<any> {
  return call('GET', `/v1/purchase_intents/${id}`, 200)
}

function ended(id: string, timeout = 20_000) {
  return expect.poll(() => read(id), { timeout, interval: 100 })
}

/** The order of a native purchase, once there is one, in this state. */
async function ordered(id: string): Promise<string> {
  await expect.poll(async () => (await read(id)).carts[0]?.order ?? null, { interval: 50 }).not.toBeNull()
  return (await read(id)).carts[0].order
}

async function heard(kind: string, orderId: string) {
  const {
    processor_log_url: processor,
    shops_log_url: shops,
    merchant_log_url: merchant,
  } = service.ready.sandbox
  const log = await hearWitnesses({ processor, shops, merchant })
  return log.merchant
    .filter((entry) => entry.kind === kind && entry.order_id === orderId)
    .map(({ status }) => status)
}

describe('a merchant that confirms', () => {
  test.each<[SandboxScenario, number]>([
    ['ok', price],
    ['other_merchant', price],
    ['price_up_3', 2575],
    ['late', price],
    ['slow', price],
    ['error_then_ok', price],
    ['double', price],
  ])('(%s) is paid exactly once', async (scenario, amount) => {
    const id = await buy({ urls: [item(scenario)] })
    await ended(id).toMatchObject({
      status: 'succeeded',
      actual_amount: amount,
      carts: [{ channel: 'native', status: 'succeeded' }],
    })
    const intent = await read(id)
    expect(intent.actual_amount).toBeLessThanOrEqual(intent.max_allowed_amount)
    expect(await call('GET', `/v1/orders/${intent.carts[0].order}`, 200)).toMatchObject({
      status: 'confirmed',
      payment_status: 'captured',
    })
  })

  test('twice and differently (double) is held to its first word', async () => {
    const id = await buy({ urls: [item('double')] })
    const order = await ordered(id)
    await expect.poll(() => heard('answer', order)).toHaveLength(3)
    expect((await heard('answer', order)).toSorted()).toEqual([200, 200, 409])
    expect((await read(id)).carts[0].order_id).toBe(`CONF-${order}`)
  })
})

test.each<SandboxScenario>(['rejected', 'out_of_stock'])(
  'a merchant that says no (%s) gets nothing',
  async (scenario) => {
    const id = await buy({ urls: [item(scenario)] })
    await ended(id).toMatchObject({
      status: 'failed',
      actual_amount: 0,
      failure_reason: { code: 'order_rejected_by_merchant', merchant_message: expect.any(String) },
      carts: [{ can_retry: true }],
    })
  },
)

describe('a price beyond the tolerance', () => {
  test('is asked about, bought when a person agrees, and never above the new cap', async () => {
    const id = await buy({ urls: [item('price_up_20')] })
    await ended(id).toMatchObject({ status: 'awaiting_approval', next_action: { type: 'reapprove_price' } })
    await call('POST', `/v1/purchase_intents/${id}/approve`, 200, { approve: true })
    await ended(id).toMatchObject({ status: 'succeeded', actual_amount: 3000 })
  })

  test('is given up when a person says no', async () => {
    const id = await buy({ urls: [item('price_up_20')] })
    await ended(id).toMatchObject({ status: 'awaiting_approval', next_action: { type: 'reapprove_price' } })
    await call('POST', `/v1/purchase_intents/${id}/approve`, 200, { approve: false })
    await ended(id).toMatchObject({ status: 'declined', actual_amount: 0 })
  })

  test('fails where the policy says so', async () => {
    const strict = await newProfile(service)
    const policy = {
      name: 'No surprises',
      scope: { profile_ids: [strict] },
      price_drift: { on_exceed: 'fail' },
    }
    await call('POST', '/v1/policies', 201, policy)
    const id = await buy({ urls: [item('price_up_20')], of: strict })
    await ended(id).toMatchObject({ status: 'failed', failure_reason: { code: 'price_changed' } })
  })
})

test('an agent cannot approve its own purchase, over REST or as a tool, and changes nothing by trying', async () => {
  const items = [{ url: item('ok'), quantity: 1, expected_amount: price, expected_currency: 'USD' }]
  const { id } = await call(
    'POST',
    '/v1/purchase_intents',
    201,
    { profile_id: profile, items },
    service.agent,
  )
  const path = `/v1/purchase_intents/${id}`
  expect(await call('POST', `${path}/approve`, 403, { approve: true }, service.agent)).toMatchObject({
    detail: { code: 'insufficient_scope' },
  })
  const tool = await service
    .client()
    .tool('v1_approve_purchase_intent', { purchase_intent_id: id, approve: true }, service.agent)
  expect([tool.status, bodyOf(tool, 403)]).toMatchObject([403, { detail: { code: 'insufficient_scope' } }])
  expect(await read(String(id))).toMatchObject({
    status: 'awaiting_approval',
    approval: { approved_by: null },
  })
  await call('POST', `${path}/cancel`, 200, {})
  bought.push(String(id))
})

test.each(['visa_insufficient_funds', 'mastercard_issuer_declined'])(
  'a card that is declined (%s) never reaches the merchant',
  async (token) => {
    const poor = await newProfile(service, undefined, token)
    const id = await buy({ urls: [item('ok')], of: poor })
    await ended(id).toMatchObject({
      status: 'failed',
      failure_reason: {
        code: 'payment_declined',
        decline_code: token === 'visa_insufficient_funds' ? 'insufficient_funds' : 'do_not_honor',
      },
      carts: [{ order: null }],
    })
  },
)

test('with many shops the failed carts are retried, and the bought ones are left alone', async () => {
  const shop = (name: string, scenario: string) => `https://${name}.example/thing?scenario=${scenario}`
  const urls = [
    item('ok'),
    item('other_merchant'),
    shop('one', 'none'),
    shop('two', 'out_of_stock'),
    shop('three', 'rejected'),
  ]
  const id = await buy({ urls })
  await ended(id).toMatchObject({ status: 'failed', partial: true })
  const before = await read(id)
  expect(before.carts.map((cart: { status: string }) => cart.status)).toEqual([
    'succeeded',
    'succeeded',
    'succeeded',
    'failed',
    'failed',
  ])
  await call('POST', `/v1/purchase_intents/${id}/retry`, 200, {})
  await expect
    .poll(async () => (await read(id)).carts.map((cart: { attempt_number: number }) => cart.attempt_number))
    .toEqual([1, 1, 1, 2, 2])
  await ended(id).toMatchObject({ status: 'failed', partial: true, actual_amount: before.actual_amount })
  expect((await read(id)).carts.slice(0, 3)).toEqual(before.carts.slice(0, 3))
})

/** As if what answers there had gone, and come back: a URL that is changed would have to confirm first. */
async function moveUnseen(destination: string, url: string): Promise<void> {
  const client = new Client({ connectionString: database.url })
  await client.connect()
  await client.query('update webhook_destinations set endpoint_url = $1 where id = $2', [url, destination])
  await client.end()
}

test('a merchant whose endpoint was down gets the order when it is back, and is paid', async () => {
  const { id: destination, webhook } = await firstDestination()
  const path = `/v1/merchant/destinations/${destination}`
  await moveUnseen(destination, 'http://127.0.0.1:9/hooks')
  const id = await buy({ urls: [item('ok')] })
  const order = await ordered(id)
  await expect
    .poll(() => failing(path))
    // What an earlier purchase still owes this merchant may be among what fails now.
    .toContainEqual(
      expect.objectContaining({
        event_type: 'order.requested',
        attempts: expect.arrayContaining([expect.objectContaining({ http_status: null })]),
      }),
    )
  expect(await heard('delivery', order)).toEqual([])
  await moveUnseen(destination, webhook.endpoint_url)
  await advanceTestClock(database.url, 600)
  await ended(id).toMatchObject({ status: 'succeeded', actual_amount: price })
})

describe('a merchant that never answers rightly', () => {
  test('loses the order after a day, and the authorization is voided', async () => {
    const scenarios: SandboxScenario[] = ['silent', 'wrong_signature', 'wrong_event', 'destination_down']
    const ids = await Promise.all(scenarios.map((scenario) => buy({ urls: [item(scenario)] })))
    const orders = await Promise.all(ids.map(ordered))
    // Each wrong answer has been heard, and refused, before the day goes by.
    for (const index of [1, 2]) await expect.poll(() => heard('answer', orders[index] ?? '')).toEqual([401])
    await expect.poll(() => heard('delivery', orders[3] ?? '')).toContain(0)
    for (const id of ids)
      expect(await read(id)).toMatchObject({
        status: 'approved',
        carts: [{ status: 'in_progress', can_cancel: true }],
      })
    await advanceTestClock(database.url, day + 60)
    for (const [index, id] of ids.entries()) {
      await ended(id).toMatchObject({
        status: 'failed',
        failure_reason: { code: 'order_confirmation_timeout' },
        actual_amount: 0,
      })
      expect(await call('GET', `/v1/orders/${orders[index]}`, 200)).toMatchObject({
        status: 'expired',
        payment_status: 'voided',
      })
    }
  })
})

test('the outside world remembers exactly our purchases, and every invariant holds', async () => {
  expect(await service.agree(bought, 10_000)).toEqual([])
  const tally = createTally()
  await service.audit(tally)
  expect(tally.failures).toEqual([])
})

async function firstDestination(): Promise<{ id: string; webhook: { endpoint_url: string } }> {
  const { data } = await call('GET', '/v1/merchant/destinations', 200)
  const [destination] = Array.isArray(data) ? data : []
  return { id: destination.id, webhook: { endpoint_url: destination.webhook.endpoint_url } }
}

/** Deliveries that have failed so far, and will be tried again. */
async function failing(path: string): Promise<unknown[]> {
  const { data } = await call('GET', `${path}/events`, 200)
  return (Array.isArray(data) ? data : []).filter(({ status }) => status === 'failed')
}
