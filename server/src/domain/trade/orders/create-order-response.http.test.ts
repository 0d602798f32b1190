import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { brokenInvariants } from '../../../../test/harness/broken-invariants.ts'
import { openShop, placeOrder, type TestShop } from '../../../../test/harness/orders.ts'
import { createFaults } from '../../../platform/faults/faults.ts'
import { silentLog } from '../../../platform/logs/logs.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import { createWorker } from '../../../platform/work/worker.ts'
import { orderInvariants } from './invariants.sql.ts'
import type { OrderRow } from './order.ts'
import { orderWork } from './work.ts'

let app: TestApp
let shop: TestShop
beforeAll(async () => {
  app = await startTestApp()
  shop = await openShop(app, await app.newAccount('Seller'))
})
afterAll(async () => {
  expect(await brokenInvariants(app, orderInvariants)).toEqual([])
  await app.stop()
})

type EventRow = {
  id: string
  type: string
  account_id: string
  actor_type: string
  actor_id: string
  object: string
}

async function eventsOf(order: OrderRow): Promise<EventRow[]> {
  return app.parts.pools.read<EventRow>({
    name: '',
    text: `select id, type, account_id, actor_type, actor_id, object from events where aggregate_id = $1 order by sequence`,
    values: [order.id],
  })
}

function answer(order: { id: string }, body: unknown, key: string = shop.key) {
  return app.post(`/v1/merchant/orders/${order.id}/responses`, body, { key })
}

async function stock(of: TestShop): Promise<number> {
  const { body } = await app.get(`/v1/merchant/catalog_items/${of.itemId}`, { key: of.key })
  return body.variants[0].quantity
}

function confirmation(reference: string) {
  return {
    outcome: 'confirmed',
    confirmation_reference: reference,
    reservation_reference: 'SHELF-7',
    note: 'Thanks',
  }
}

test('confirming answers with the view of the merchant and writes one event in the account of the buyer', async () => {
  const order = await placeOrder(app, app.account, shop)
  const { status, body } = await answer(order, confirmation('C-1'))
  expect(status).toBe(200)
  expect(body).toMatchObject({
    id: order.id,
    status: 'confirmed',
    payment_status: 'authorized',
    confirmation_reference: 'C-1',
    reservation_reference: 'SHELF-7',
    note: 'Thanks',
    purchase_intent_id: null,
  })
  expect((await app.get(`/v1/merchant/orders/${order.id}`, { key: shop.key })).body).toEqual(body)
  const [, , confirmed, ...more] = await eventsOf(order)
  expect(more).toEqual([])
  expect(confirmed).toMatchObject({
    type: 'order.confirmed',
    account_id: app.account.accountId,
    actor_type: 'api_key',
  })
  expect(JSON.parse(confirmed?.object ?? '')).toEqual((await app.get(`/v1/orders/${order.id}`)).body)
})

test('confirmed units leave the stock, never below zero; rejected ones stay', async () => {
  const own = await openShop(app, await app.newAccount('Stocked'))
  const orderOf = (quantity: number) =>
    placeOrder(app, app.account, own, { lineItems: [lineOf(own, quantity)] })
  await answer(await orderOf(3), confirmation('S-1'), own.key)
  expect(await stock(own)).toBe(7)
  await answer(await orderOf(3), { outcome: 'rejected', note: 'Broken' }, own.key)
  expect(await stock(own)).toBe(7)
  const confirmed = await answer(await orderOf(8), confirmation('S-2'), own.key)
  expect(confirmed.status).toBe(200)
  expect(await stock(own)).toBe(0)
})

test('a rejection needs nothing, keeps its note and takes no confirmation reference', async () => {
  const order = await placeOrder(app, app.account, shop)
  const odd = await answer(order, { outcome: 'rejected', confirmation_reference: 'R-1' })
  expect([odd.status, odd.body.detail[0].loc]).toEqual([422, ['body', 'confirmation_reference']])
  const { status, body } = await answer(order, { outcome: 'rejected', note: 'Sold out' })
  expect([status, body.status, body.note]).toEqual([200, 'rejected', 'Sold out'])
})

test('the same bytes again answer with the order as it is; any other body is a conflict', async () => {
  const order = await placeOrder(app, app.account, shop)
  const raw = JSON.stringify(confirmation('E-1'))
  const path = `/v1/merchant/orders/${order.id}/responses`
  const first = await app.request('POST', path, { key: shop.key, raw })
  const again = await app.request('POST', path, { key: shop.key, raw })
  expect([again.status, again.body]).toEqual([200, first.body])
  for (const other of [` ${raw}`, JSON.stringify(confirmation('E-2')), '{"outcome":"rejected"}']) {
    const refused = await app.request('POST', path, { key: shop.key, raw: other })
    expect([refused.status, refused.body.detail.code]).toEqual([409, 'response_conflict'])
  }
  expect((await eventsOf(order)).length).toBe(3)
})

test('the facts about the order in the body must be true', async () => {
  const order = await placeOrder(app, app.account, shop)
  const other = await placeOrder(app, app.account, shop)
  const eventId = (await eventsOf(order))[0]?.id
  const wrong = [
    [{ ...confirmation('W-1'), order_id: other.id }, 'order_id'],
    [{ ...confirmation('W-1'), event_id: (await eventsOf(other))[0]?.id }, 'event_id'],
    [{ ...confirmation('W-1'), event_type: 'quote.requested' }, 'event_type'],
    [{ outcome: 'confirmed' }, 'confirmation_reference'],
    [{ outcome: 'confirmed', confirmation_reference: null }, 'confirmation_reference'],
    [{ outcome: 'maybe' }, 'outcome'],
    [{ ...confirmation('W-1'), offers: [] }, 'offers'],
  ] as const
  for (const [body, field] of wrong) {
    const refused = await answer(order, body)
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['body', field]])
  }
  const ids = { order_id: order.id, event_id: eventId, event_type: 'order.requested' }
  expect((await answer(order, { ...confirmation('W-1'), ...ids })).status).toBe(200)
})

test('a wrong body is refused before the state of the order is read', async () => {
  const order = await placeOrder(app, app.account, shop)
  await answer(order, { outcome: 'rejected' })
  expect((await answer(order, { outcome: 'confirmed' })).status).toBe(422)
  expect((await answer(order, { outcome: 'rejected', order_id: 'ord_other' })).status).toBe(422)
})

test('a confirmation reference names one order of a merchant, and the refused answer leaves no trace', async () => {
  const [first, second] = [await placeOrder(app, app.account, shop), await placeOrder(app, app.account, shop)]
  await answer(first, confirmation('U-1'))
  const before = await stock(shop)
  const refused = await answer(second, confirmation('U-1'))
  expect([refused.status, refused.body.detail.code]).toEqual([409, 'confirmation_reference_in_use'])
  expect(await stock(shop)).toBe(before)
  expect((await app.get(`/v1/orders/${second.id}`)).body.status).toBe('awaiting_confirmation')
  expect((await answer(second, confirmation('U-2'))).status).toBe(200)
  const elsewhere = await openShop(app, await app.newAccount('Elsewhere'))
  const theirs = await placeOrder(app, app.account, elsewhere)
  expect((await answer(theirs, confirmation('U-1'), elsewhere.key)).status).toBe(200)
})

test('of many answers at once exactly one decides, also against the buyer at the same moment', async () => {
  for (let round = 0; round < 5; round++) {
    const order = await placeOrder(app, app.account, shop)
    const answers = await Promise.all([
      answer(order, confirmation(`race-${round}-a`)),
      answer(order, confirmation(`race-${round}-b`)),
      answer(order, { outcome: 'rejected' }),
      app.post(`/v1/orders/${order.id}/cancel`),
      answer(order, { outcome: 'rejected', note: 'No' }),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(4)
    expect((await eventsOf(order)).length).toBe(3)
  }
})

test('two orders over the same items, confirmed at once, both leave the stock', async () => {
  const own = await openShop(app, await app.newAccount('Busy'))
  const orders = await Promise.all(
    [1, 2, 3, 4].map(() => placeOrder(app, app.account, own, { lineItems: [lineOf(own, 2)] })),
  )
  const answers = await Promise.all(
    orders.map((order, at) => answer(order, confirmation(`B-${at}`), own.key)),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(await stock(own)).toBe(2)
})

test('an order without an answer expires after a day and sends events to both sides, and before that it is left alone', async () => {
  const worker = createWorker({
    ...app.parts,
    log: silentLog(),
    metrics: createMetrics(),
    faults: createFaults({ enabled: false, crashAt: null, pauseAt: null, pauseFile: null }),
    kinds: [orderWork],
  })
  const [late, young] = [await placeOrder(app, app.account, shop), await placeOrder(app, app.account, shop)]
  expect(await worker.runOnce('orders')).toBe(0)
  await app.parts.pools.single({
    name: '',
    text: `update orders set expires_at = prokura_now() - interval '1 second', due_at = prokura_now() - interval '1 second'
      where id = $1`,
    values: [late.id],
  })
  const refused = await answer(late, confirmation('T-1'))
  expect([refused.status, refused.body.detail.code]).toEqual([409, 'order_not_awaiting'])
  expect(await worker.runOnce('orders')).toBe(1)
  expect(await worker.runOnce('orders')).toBe(0)
  expect((await app.get(`/v1/orders/${late.id}`)).body.status).toBe('expired')
  expect((await eventsOf(late)).map(({ type, actor_type }) => [type, actor_type]).slice(2)).toEqual([
    ['order.expired', 'system'],
  ])
  expect((await app.get(`/v1/orders/${young.id}`)).body.status).toBe('awaiting_confirmation')
})

test('a key of the other mode does not reach the order of its own merchant', async () => {
  const order = await placeOrder(app, app.account, shop)
  const { status } = await answer(order, { outcome: 'rejected' }, shop.seller.keys.secret_live)
  expect(status).toBe(404)
})

function lineOf(of: TestShop, quantity: number) {
  return {
    catalog_item_id: of.itemId,
    catalog_variant_id: of.variantId,
    sku: 'ONE',
    title: 'One thing',
    url: null,
    quantity,
    unit_amount: 1000,
    amount: 1000 * quantity,
  }
}

test('a merchant that answers with its key may repeat the answer by its idempotency key', async () => {
  const order = await placeOrder(app, app.account, shop)
  const send = (body: unknown) =>
    app.post(`/v1/merchant/orders/${order.id}/responses`, body, {
      key: shop.key,
      headers: { 'idempotency-key': `answer-${order.id}` },
    })
  const first = await send(confirmation(`K-${order.id}`))
  const again = await send(confirmation(`K-${order.id}`))
  expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 200, 'true'])
  expect(again.body).toEqual(first.body)
  const other = await send({ outcome: 'rejected' })
  expect([other.status, other.body.detail.code]).toEqual([409, 'idempotency_key_conflict'])
})
