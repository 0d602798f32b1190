import { afterAll, describe, expect, test } from 'vitest'
import { sweepCheckouts } from '../../src/domain/selling/checkouts/checkouts.sql.ts'
import { advanceTestClock } from '../../src/platform/clock/test-clock.ts'
import { silentLog } from '../../src/platform/logs/logs.ts'
import { defaultRetention } from '../../src/platform/retention/retention.ts'
import { runSweep } from '../../src/platform/retention/run-sweep.ts'
import type { Release } from '../../src/protocols/ucp/releases.ts'
import { ucpSchemas } from '../harness/ucp-schemas.ts'
import { paid, startUcpShop, total } from '../harness/ucp-shop.ts'

const shop = await startUcpShop()
const { buying, platform, stranger, key, variants, buyer } = shop
const { ask, mugs, shipping, create, becomes, orderOf, answerOrder } = shop
afterAll(() => shop.stop())

test('a platform buys: priced, completed, confirmed by the merchant, captured once', async () => {
  const made = await create()
  expect(made).toMatchObject({ status: 'ready_for_complete', currency: 'USD', messages: [] })
  expect([total(made, 'subtotal'), total(made, 'fulfillment'), total(made, 'tax'), total(made)]).toEqual([
    2000, 500, 200, 2700,
  ])
  const [method] = made.fulfillment.methods
  expect(method.groups[0].options.map(({ title }: { title: string }) => title)).toEqual([
    'Standard',
    'Express',
  ])
  const express = method.groups[0].options[1].id
  const updated = await ask(`/checkout-sessions/${made.id}`, {
    method: 'PUT',
    body: {
      line_items: mugs(2),
      buyer,
      fulfillment: shipping({ groups: [{ id: 'package', selected_option_id: express }] }),
    },
  })
  expect([updated.status, updated.body.status, total(updated.body)]).toEqual([
    200,
    'ready_for_complete',
    5900,
  ])
  const completing = await ask(`/checkout-sessions/${made.id}/complete`, { body: paid() })
  expect([completing.status, completing.body.status]).toEqual([200, 'complete_in_progress'])
  const left = Date.parse(completing.body.expires_at) - (await databaseNow())
  expect(left / 3_600_000).toBeCloseTo(25, 1)
  const order = await orderOf(made.id)
  const sold = await buying.app.get(`/v1/merchant/orders/${order}`, { key })
  expect(sold.body).toMatchObject({
    status: 'awaiting_confirmation',
    total_amount: 5900,
    buyer: { kind: 'platform', profile_url: platform.profileUrl, source: null },
    customer: { name: 'Ada Lovelace', email: 'ada@example.com' },
    shipping_address: { line1: '5 Oak Rd', city: 'Bend', state: 'OR', postal_code: '97701', country: 'US' },
  })
  await answerOrder(order, 'confirmed')
  const done = await becomes(made.id, 'completed')
  expect(done.order).toEqual({ id: order, permalink_url: expect.stringContaining(order) })
  expect(await buying.moneyOf(order)).toEqual(['authorize 5900 approved', 'capture 5900 approved'])
})

test('what the merchant rejects is canceled, and nothing is charged', async () => {
  const made = await create()
  await ask(`/checkout-sessions/${made.id}/complete`, { body: paid() })
  const order = await orderOf(made.id)
  await answerOrder(order, 'rejected')
  const ended = await becomes(made.id, 'canceled')
  expect(ended.messages).toMatchObject([{ type: 'error', code: 'order_not_accepted' }])
  expect(await buying.moneyOf(order)).toEqual(['authorize 2700 approved', 'void 2700 voided'])
})

test('after a declined card another one can be tried', async () => {
  const made = await create()
  const declined = await ask(`/checkout-sessions/${made.id}/complete`, {
    body: paid('visa_insufficient_funds'),
  })
  expect(declined.body).toMatchObject({
    status: 'ready_for_complete',
    messages: [{ code: 'payment_failed', severity: 'recoverable', path: '$.payment.instruments[0]' }],
  })
  const first = await orderOf(made.id)
  const again = await ask(`/checkout-sessions/${made.id}/complete`, { body: paid() })
  expect(again.body.status).toBe('complete_in_progress')
  const second = await orderOf(made.id)
  expect(second).not.toBe(first)
  await answerOrder(second, 'confirmed')
  await becomes(made.id, 'completed')
  expect(await buying.moneyOf(first)).toEqual(['authorize 2700 declined:insufficient_funds'])
})

test('the same key never pays twice, and another body under it is refused', async () => {
  const made = await create()
  const sent = { body: paid(), headers: { 'idempotency-key': `once-${made.id}` } }
  const path = `/checkout-sessions/${made.id}/complete`
  const both = await Promise.all([ask(path, sent), ask(path, sent)])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  const third = await ask(path, { ...sent, body: paid('mastercard_auto_approved') })
  expect(third.status).toBe(409)
  const other = await ask(path, { body: paid() })
  expect([other.status, other.body.code]).toEqual([409, 'checkout_not_open'])
  const order = await orderOf(made.id)
  await answerOrder(order, 'confirmed')
  await becomes(made.id, 'completed')
  expect(await buying.moneyOf(order)).toEqual(['authorize 2700 approved', 'capture 2700 approved'])
})

describe('what is missing is said, with the field', () => {
  test.each([
    ['no e-mail address', { buyer: { first_name: 'Ada' } }, 'buyer_email_required', '$.buyer.email'],
    [
      'no destination',
      { fulfillment: undefined },
      'fulfillment_destination_required',
      '$.fulfillment.methods[0].destinations',
    ],
    [
      'an option that is not offered',
      { fulfillment: shipping({ groups: [{ selected_option_id: 'rc_none' }] }) },
      'fulfillment_option_unavailable',
      '$.fulfillment.methods[0].groups[0].selected_option_id',
    ],
  ])('%s', async (_what, body, code, path) => {
    const made = await create(body)
    expect(made.status).toBe('incomplete')
    expect(made.messages).toMatchObject([{ type: 'error', code, path, severity: 'recoverable' }])
    const tried = await ask(`/checkout-sessions/${made.id}/complete`, { body: paid() })
    expect(tried.body.status).toBe('incomplete')
    expect(await orderOf(made.id)).toBeFalsy()
  })

  test.each([
    [
      'an unknown item',
      () => ({ line_items: [{ item: { id: 'var_none' }, quantity: 1 }] }),
      'item_unavailable',
    ],
    ['too many units', () => ({ line_items: mugs(600) }), 'out_of_stock'],
  ])('%s makes no checkout', async (_what, body, code) => {
    const refused = await ask('/checkout-sessions', {
      body: { buyer, fulfillment: shipping(), ...body() },
    })
    expect(refused.status).toBe(200)
    expect(refused.body.ucp.status).toBe('error')
    expect(refused.body.messages).toMatchObject([{ type: 'error', code }])
  })

  test('goods without a way to go need no destination', async () => {
    const made = await create({
      line_items: [{ item: { id: variants.FONT }, quantity: 1 }],
      fulfillment: undefined,
    })
    expect([made.status, total(made), made.fulfillment]).toEqual(['ready_for_complete', 990, undefined])
  })
})

test('a checkout belongs to the platform that made it', async () => {
  const made = await create()
  const tries = await Promise.all([
    ask(`/checkout-sessions/${made.id}`, { method: 'GET', by: stranger }),
    ask(`/checkout-sessions/${made.id}`, { method: 'PUT', by: stranger, body: { line_items: mugs() } }),
    ask(`/checkout-sessions/${made.id}/complete`, { by: stranger, body: paid() }),
    ask(`/checkout-sessions/${made.id}/cancel`, { by: stranger }),
  ])
  const unknown = await ask('/checkout-sessions/cko_none', { method: 'GET' })
  for (const { status, body } of tries) {
    expect(status).toBe(200)
    expect(body.messages).toEqual(unknown.body.messages)
    expect(body.messages).toMatchObject([{ code: 'not_found', severity: 'unrecoverable' }])
  }
  expect((await ask(`/checkout-sessions/${made.id}`, { method: 'GET' })).body.status).toBe(
    'ready_for_complete',
  )
})

test('what was opened by a signed request is read and changed by signed ones alone', async () => {
  const made = await create()
  const path = `/checkout-sessions/${made.id}`
  const none = await ask('/checkout-sessions/cko_none', { method: 'GET' })
  const tries = [
    await ask(path, { method: 'GET', signed: false }),
    await ask(path, { method: 'PUT', signed: false, body: { line_items: mugs(2) } }),
  ]
  for (const { body } of tries) expect(body.messages).toEqual(none.body.messages)
  const open = await create({}, { signed: false })
  const read = await ask(`/checkout-sessions/${open.id}`, { method: 'GET', signed: false })
  expect(read.body.id).toBe(open.id)
})

test('it is open for six hours, and not a moment longer', async () => {
  const made = await create({}, { signed: false })
  const left = Date.parse(made.expires_at) - (await databaseNow())
  expect(left).toBeGreaterThan(6 * 3_600_000 - 60_000)
  expect(left).toBeLessThanOrEqual(6 * 3_600_000)
  const read = () => ask(`/checkout-sessions/${made.id}`, { method: 'GET', signed: false })
  await advanceTestClock(buying.app.databaseUrl, left / 1000 - 10)
  expect((await read()).body.status).toBe('ready_for_complete')
  await advanceTestClock(buying.app.databaseUrl, 10)
  expect((await read()).body).toMatchObject({
    status: 'canceled',
    messages: [{ type: 'info', code: 'expired' }],
  })
})

test('what nobody began to pay is removed a week after it expired, and nothing else', async () => {
  const left = await create()
  const bought = await create()
  await ask(`/checkout-sessions/${bought.id}/complete`, { body: paid() })
  await answerOrder(await orderOf(bought.id), 'confirmed')
  await becomes(bought.id, 'completed')
  const sweep = () =>
    runSweep({ ...buying.app.parts, log: silentLog(), retention: defaultRetention }, sweepCheckouts)
  const ids = () =>
    buying
      .sql<{ id: string }>('select id from checkouts order by id')
      .then((rows) => rows.map(({ id }) => id))
  const over = (Date.parse(left.expires_at) - (await databaseNow())) / 1000 + 7 * 86_400
  await advanceTestClock(buying.app.databaseUrl, over - 60)
  await sweep()
  expect(await ids()).toContain(left.id)
  await advanceTestClock(buying.app.databaseUrl, 61)
  await sweep()
  expect(await ids()).not.toContain(left.id)
  expect(await ids()).toContain(bought.id)
  expect((await ask(`/checkout-sessions/${left.id}`, { method: 'GET' })).body).toMatchObject({
    messages: [{ type: 'error', code: 'not_found' }],
  })
})

async function databaseNow(): Promise<number> {
  const [row] = await buying.sql<{ now: Date }>('select prokura_now() as now')
  return row?.now.getTime() ?? 0
}

test('it is completed and canceled only by a signed request', async () => {
  const made = await create()
  const path = `/checkout-sessions/${made.id}`
  for (const end of ['/complete', '/cancel']) {
    const unsigned = await ask(path + end, { signed: false, body: paid() })
    expect([unsigned.status, unsigned.body.code]).toEqual([401, 'signature_missing'])
  }
  expect((await ask(`${path}/cancel`)).body.status).toBe('canceled')
  const late = await ask(`${path}/complete`, { body: paid() })
  expect([late.status, late.body.code]).toEqual([409, 'checkout_not_open'])
})

test('an instrument of no handler of the checkout pays nothing', async () => {
  const made = await create()
  const instrument = { id: 'x', handler_id: 'test_card', type: 'card' }
  const wrong = [
    [{ ...instrument, handler_id: 'google_pay', credential: { type: 'token', token: 'x' } }],
    [instrument],
    [{ ...instrument, credential: { type: 'test_card', token: '4242424242424242' } }],
    [instrument, instrument],
  ]
  for (const instruments of wrong) {
    const tried = await ask(`/checkout-sessions/${made.id}/complete`, { body: { payment: { instruments } } })
    expect(tried.body.messages).toMatchObject([{ code: 'payment_failed' }])
    expect(JSON.stringify(tried.body)).not.toContain('4242')
  }
  expect(await orderOf(made.id)).toBeFalsy()
})

test('a price that changed is shown before it is paid', async () => {
  const made = await create()
  await buying.sql(`update merchants set tax_basis_points = 2000 where slug = 'rose'`)
  const first = await ask(`/checkout-sessions/${made.id}/complete`, { body: paid() })
  expect(first.body).toMatchObject({ status: 'ready_for_complete', messages: [{ code: 'price_changed' }] })
  expect(total(first.body)).toBe(2900)
  expect(await orderOf(made.id)).toBeFalsy()
  const second = await ask(`/checkout-sessions/${made.id}/complete`, { body: paid() })
  expect(second.body.status).toBe('complete_in_progress')
  await buying.sql(`update merchants set tax_basis_points = 1000 where slug = 'rose'`)
  await answerOrder(await orderOf(made.id), 'rejected')
  await becomes(made.id, 'canceled')
})

test.each<Release>(['2026-08-25', '2026-04-08', '2026-01-23'])(
  'answers of %s have the form of its schemas',
  async (release) => {
    const named = release === '2026-08-25' ? {} : { release }
    const check = ucpSchemas(release)
    const schema = 'schemas/shopping/checkout.json'
    const made = await create({}, named)
    const seen = [
      made,
      await create({ buyer: undefined, fulfillment: undefined }, named),
      (await ask(`/checkout-sessions/${made.id}/complete`, { body: paid(), ...named })).body,
    ]
    await answerOrder(await orderOf(made.id), 'confirmed')
    await becomes(made.id, 'completed', named)
    seen.push((await ask(`/checkout-sessions/${made.id}`, { method: 'GET', ...named })).body)
    for (const body of seen) {
      expect(body.ucp.version).toBe(release)
      expect(check(schema, body), JSON.stringify(body, null, 1)).toBeNull()
    }
  },
)

test('every invariant holds of all of them', () => buying.audit())
