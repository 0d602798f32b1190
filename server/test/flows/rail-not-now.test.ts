import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { countWork } from '../../src/cli/commands/status/count-work.sql.ts'
import { readBacklog } from '../../src/cli/operator/read-backlog.ts'
import type { PutOff } from '../../src/core/put-off.ts'
import { minute, polling, startRailAway } from '../harness/rail-away.ts'

const { buying, buyer, sellerKey, shopUrl, ...away } = await startRailAway()
const {
  post,
  ordered,
  confirm,
  pass,
  railIsAway,
  railIsBack,
  effectsOf,
  putOff,
  circuitGauge,
  testimonyOf,
  looked,
} = away
const day = 86_400

afterEach(async () => {
  await railIsBack()
  await buying.settled()
  await buying.audit()
})
afterAll(() => buying.stop())

test.each([401, 403, 404, 408, 422, 425, 429])(
  'a capture of a confirmed order that is turned away with %i is made later, once',
  async (status) => {
    const { id, order } = await ordered()
    await buying.sandbox.fault({
      match: { operation: 'capture', reference_contains: id },
      fault: `status=${status}`,
      times: 2,
    })
    await confirm(order)
    for (const count of [1, 2]) {
      await expect.poll(async () => (await putOff(id, 'capture')).count, polling).toBe(count)
      expect(await buying.read(buyer, id)).toMatchObject({ status: 'approved', failure_reason: null })
      await pass(minute)
    }
    expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded', actual_amount: 1000 })
    expect(await testimonyOf(id)).toEqual({
      done: ['authorize 1000 approved', 'capture 1000 approved'],
      away: 2,
    })
  },
)

describe('a rail that has forgotten its keys before it could be asked about a lost answer', () => {
  /** A purchase whose hold was made, while nobody here knows of it. */
  async function lostHold(): Promise<string> {
    const times = 1_000_000
    await buying.sandbox.fault({ match: { operation: 'query' }, fault: 'status=429', times })
    await buying.sandbox.fault({ match: { operation: 'authorize' }, fault: 'lose_answer' })
    const { id } = await buying.buy(buyer, [{ url: shopUrl }])
    await putOff(id, 'authorize')
    expect((await testimonyOf(id)).done).toEqual(['authorize 1000 approved'])
    await buying.sandbox.forgetKeys()
    return id
  }

  test('is asked for its objects: money is held once and charged once', async () => {
    const id = await lostHold()
    await railIsBack()
    const { carts } = await buying.until(buyer, id, (intent) => Boolean(intent.carts[0]?.order))
    await confirm(String(carts[0]?.order))
    expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded', actual_amount: 1000 })
    expect((await testimonyOf(id)).done).toEqual(['authorize 1000 approved', 'capture 1000 approved'])
  })

  test('releases its hold when the purchase is cancelled', async () => {
    const id = await lostHold()
    await post(`/v1/purchase_intents/${id}/cancel`, {}, buyer.key)
    await railIsBack()
    expect(await buying.ended(buyer, id)).toMatchObject({ status: 'cancelled', actual_amount: 0 })
    await buying.settled()
    expect((await testimonyOf(id)).done).toEqual(['authorize 1000 approved', 'void 1000 voided'])
  })
})

describe('a rail that does not know our key any more', () => {
  const simulated = 'https://shop.example/thing'

  test('for two minutes fails none of the purchases in flight, and each is charged once', async () => {
    const captured = await Promise.all([ordered(), ordered()])
    await railIsAway('status=401')
    // First, since once enough calls were turned away none is made any more.
    await Promise.all(captured.map(({ order }) => confirm(order)))
    await Promise.all(captured.map(({ id }) => putOff(id, 'capture')))
    const begun = await Promise.all(
      [simulated, shopUrl, simulated, shopUrl].map((url) => buying.buy(buyer, [{ url }])),
    )
    await expect.poll(circuitGauge, polling).toBe(1)
    for (let seconds = 0; seconds < 2 * minute; seconds += 20) await pass(20)
    for (const { id } of [...captured, ...begun]) {
      expect((await buying.read(buyer, id)).status).not.toBe('failed')
      for (const { tries, state } of await effectsOf(id)) {
        if (state === 'unsent') expect(tries).toBe(0)
      }
    }
    await railIsBack()
    for (const { order, id } of captured) {
      expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded', actual_amount: 1000 })
      expect((await buying.app.get(`/v1/orders/${order}`, { key: buyer.key })).body).toMatchObject({
        status: 'confirmed',
        payment_status: 'captured',
      })
    }
    for (const { id } of begun) {
      const { carts } = await buying.until(
        buyer,
        id,
        ({ status, carts: [cart] }) => status === 'succeeded' || Boolean(cart?.order),
      )
      if (carts[0]?.order) await confirm(String(carts[0].order))
      expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded' })
      const { done } = await testimonyOf(id)
      expect(done.map((line) => line.split(' ')[0]).sort()).toEqual(
        carts[0]?.channel === 'native' ? ['authorize', 'capture'] : ['capture', 'issue_credential'],
      )
    }
    expect(await circuitGauge()).toBe(0)
    expect(buying.complaints()).toMatchObject([{ level: 'warn', rail: 'sandbox', reason: 'credentials' }])
  })

  test.each([
    ['a shop', simulated],
    ['a merchant of ours', shopUrl],
  ])(
    'for more than half an hour ends a purchase at %s that has charged nothing, and it can be tried again',
    async (_, url) => {
      await railIsAway('status=401')
      const { id } = await buying.buy(buyer, [{ url }])
      for (let look = 0; look < 4; look++) {
        await looked(id)
        await pass(11 * minute)
      }
      expect(await buying.ended(buyer, id)).toMatchObject({
        status: 'failed',
        actual_amount: 0,
        failure_reason: { code: 'internal_error', category: 'platform', retry_policy: 'same' },
        carts: [{ can_retry: true }],
      })
      expect((await testimonyOf(id)).done).toEqual([])
      await railIsBack()
      await buying.complaints()
      await post(`/v1/purchase_intents/${id}/retry`, {}, buyer.key)
      const again = await buying.until(
        buyer,
        id,
        ({ status, carts: [cart] }) => status === 'succeeded' || Boolean(cart?.order),
      )
      if (again.carts[0]?.order) await confirm(String(again.carts[0].order))
      expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded' })
    },
  )
})

test('the rail is left alone for as long as it asks, in seconds or as a date', async () => {
  for (const retryAfter of ['retry_after=300', 'retry_after_date=300']) {
    const { id, order } = await ordered()
    await railIsAway(`status=429;${retryAfter}`, { operation: 'capture', reference_contains: id })
    await confirm(order)
    const { count, since, until, reason } = await putOff(id, 'capture')
    expect([count, reason]).toEqual([1, 'busy'])
    const waits = (Date.parse(until) - Date.parse(since)) / 1000
    expect(waits).toBeGreaterThan(290)
    expect(waits).toBeLessThan(310)
    await railIsBack()
    expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded' })
    expect((await testimonyOf(id)).away).toBe(1)
  }
})

test('a confirmed order whose capture is turned away until its hold is over is cancelled, and nothing is charged', async () => {
  const { id, order } = await ordered()
  await railIsAway('status=403', { operation: 'capture', reference_contains: id })
  await confirm(order)
  await putOff(id, 'capture')
  await pass(6 * day)
  await looked(id)
  expect(await buying.read(buyer, id)).toMatchObject({
    status: 'approved',
    carts: [{ status: 'in_progress' }],
  })
  expect((await buying.app.get(`/v1/orders/${order}`, { key: buyer.key })).body.status).toBe('confirmed')
  // The operator sees it, and for how long it has been so.
  const work = (await buying.app.parts.pools.read(countWork({}))).filter(
    ({ kind }) => kind === 'calls_put_off',
  )
  expect(work).toEqual([{ kind: 'calls_put_off', status: 'capture: permission', counted: 1, overdue: 1 }])
  const { openEffects } = await readBacklog(buying.app.parts.pools)
  expect(openEffects).toContainEqual({ step: 'capture', state: 'put_off', effects: 1 })
  await pass(day + minute)
  expect(await buying.ended(buyer, id)).toMatchObject({
    status: 'failed',
    actual_amount: 0,
    failure_reason: { code: 'hold_ended', retry_policy: 'same' },
  })
  await buying.settled()
  expect((await buying.app.get(`/v1/orders/${order}`, { key: buyer.key })).body).toMatchObject({
    status: 'cancelled',
    payment_status: 'failed',
  })
  expect((await testimonyOf(id)).done).toEqual(['authorize 1000 approved', 'void 1000 voided'])
})

describe('a hold that the rail does not release', () => {
  test('is released under another key, however often the rail refuses, and the row shows since when it refuses', async () => {
    const { id, order } = await ordered()
    await buying.sandbox.fault({
      match: { operation: 'void', reference_contains: id },
      fault: 'refuse_release',
      times: 3,
    })
    await post(`/v1/merchant/orders/${order}/responses`, { outcome: 'rejected' })
    const keys = async () => (await effectsOf(id)).find(({ step }) => step === 'void')
    await expect.poll(async () => (await keys())?.put_off?.count, polling).toBe(1)
    expect(await keys()).toMatchObject({ state: 'unsent', put_off: { reason: 'refused' } })
    for (const count of [2, 3]) {
      await pass(10)
      await expect.poll(async () => (await keys())?.put_off?.count, polling).toBe(count)
    }
    expect((await buying.read(buyer, id)).carts[0]).toMatchObject({ status: 'in_progress' })
    await pass(minute)
    expect(await buying.ended(buyer, id)).toMatchObject({
      status: 'failed',
      failure_reason: { code: 'order_rejected_by_merchant' },
    })
    await buying.settled()
    const refused = 'void 1000 refused:release_refused'
    expect((await testimonyOf(id)).done).toEqual([
      'authorize 1000 approved',
      refused,
      refused,
      refused,
      'void 1000 voided',
    ])
    expect((await keys())?.key).toMatch(/:1:void:4$/)
    expect((await keys())?.put_off).toBeNull()
  })

  test('is a credential just as well', async () => {
    await buying.sandbox.fault({ match: { operation: 'revoke' }, fault: 'refuse_release' })
    const { id } = await buying.buy(buyer, [{ url: 'https://shop.example/thing?scenario=rejected' }])
    await putOff(id, 'revoke')
    await pass(minute)
    await buying.ended(buyer, id)
    await buying.settled()
    expect((await testimonyOf(id)).done).toEqual([
      'issue_credential 1380 approved',
      'revoke 1380 refused:release_refused',
      'revoke 1380 revoked',
    ])
  })

  test('is tried again at least every quarter of an hour while the rail turns that away, for ever', async () => {
    const { id, order } = await ordered()
    await railIsAway('status=403', { operation: 'void', reference_contains: id })
    await post(`/v1/merchant/orders/${order}/responses`, { outcome: 'rejected' })
    await putOff(id, 'void')
    for (let count = 2; count <= 14; count++) {
      await pass(15 * minute)
      await expect.poll(async () => (await putOff(id, 'void')).count, polling).toBeGreaterThanOrEqual(count)
    }
    const { since, until } = await putOff(id, 'void')
    expect(Date.parse(until) - Date.parse(since)).toBeGreaterThan(3 * 3600 * 1000)
    await railIsBack()
    await buying.settled()
    expect((await testimonyOf(id)).done).toEqual(['authorize 1000 approved', 'void 1000 voided'])
  })
})

test.each([401, 429])(
  "a merchant's refund that is turned away with %i is made later, once",
  async (status) => {
    const { id, order } = await ordered()
    await confirm(order)
    await buying.ended(buyer, id)
    await buying.sandbox.fault({
      match: { operation: 'refund', reference_contains: id },
      fault: `status=${status};retry_after=120`,
      times: 2,
    })
    const refund = buying.app.post(
      `/v1/merchant/orders/${order}/refunds`,
      { amount: 400 },
      { key: sellerKey },
    )
    const row = () =>
      buying.sql<{ status: string; may_have_left: boolean; put_off: PutOff | null }>(
        'select status, may_have_left, put_off from order_refunds where order_id = $1',
        [order],
      )
    for (const count of [1, 2]) {
      await expect.poll(async () => (await row())[0]?.put_off?.count, polling).toBe(count)
      expect(await row()).toMatchObject([{ status: 'pending', may_have_left: false }])
      await pass(2 * minute)
    }
    await expect.poll(async () => (await row())[0]?.status, polling).toBe('succeeded')
    expect((await refund).status).toBeLessThan(300)
    expect(await testimonyOf(id)).toEqual({
      done: ['authorize 1000 approved', 'capture 1000 approved', 'refund 400 approved'],
      away: 2,
    })
  },
)

test('a call that is journaled when the circuit opens is not made, uses up no try, and is made once afterwards', async () => {
  const paused = buying.faults.pause('authorize.before')
  const { id } = await buying.buy(buyer, [{ url: shopUrl }])
  await paused.reached
  expect(await effectsOf(id)).toMatchObject([{ step: 'authorize', state: 'sent', tries: 1 }])
  await railIsAway('status=429')
  const others = await Promise.all(
    Array.from({ length: 5 }, () => buying.buy(buyer, [{ url: 'https://shop.example/thing' }])),
  )
  await expect.poll(circuitGauge, polling).toBe(1)
  paused.resume()
  expect(await putOff(id, 'authorize')).toMatchObject({ count: 0, reason: 'circuit_open' })
  expect(await effectsOf(id)).toMatchObject([{ step: 'authorize', state: 'unsent', tries: 0 }])
  expect(await testimonyOf(id)).toEqual({ done: [], away: 0 })
  await railIsBack()
  const { carts } = await buying.until(buyer, id, (intent) => Boolean(intent.carts[0]?.order))
  await confirm(String(carts[0]?.order))
  expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded', actual_amount: 1000 })
  for (const other of others)
    expect(await buying.ended(buyer, other.id)).toMatchObject({ status: 'succeeded' })
  expect((await testimonyOf(id)).done).toEqual(['authorize 1000 approved', 'capture 1000 approved'])
  expect(buying.complaints()).toMatchObject([{ level: 'warn', reason: 'busy' }])
})
