import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { brokenInvariants } from '../../../../test/harness/broken-invariants.ts'
import { openShop, placeOrder, type TestShop } from '../../../../test/harness/orders.ts'
import { runAs } from '../../../platform/calls/run-as.ts'
import { orderInvariants } from './invariants.sql.ts'
import type { Settlement } from './machine.ts'
import type { OrderRow } from './order.ts'
import { cancelOrderInTx, markOrderPaid } from './public.ts'

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
  type: string
  sequence: number
  account_id: string
  envelope: string
  recipient_account_id: string
}

async function eventsOf(order: OrderRow): Promise<EventRow[]> {
  return app.parts.pools.read<EventRow>({
    name: '',
    text: `select type, sequence, account_id, envelope, recipient_account_id from events
      where account_id = $1 and mode = $2 and aggregate_id = $3 order by sequence`,
    values: [order.account_id, order.mode, order.id],
  })
}

function asBuyer<T>(order: OrderRow, work: Parameters<typeof runAs<T>>[2]): Promise<T> {
  const tenant = { accountId: order.account_id, mode: order.mode }
  return runAs(app.parts, { tenant, actor: { type: 'system', id: 'carts' } }, work)
}

function settle(order: OrderRow, settlement: Settlement): Promise<OrderRow> {
  return asBuyer(order, (ctx) => markOrderPaid(ctx, order.id, settlement))
}

function answer(order: OrderRow, body: object) {
  return app.post(`/v1/merchant/orders/${order.id}/responses`, body, { key: shop.key })
}

test('buyer and merchant see the same order; the intent is the own business of the buyer', async () => {
  const order = await placeOrder(app, app.account, shop)
  const { body: bought } = await app.get(`/v1/orders/${order.id}`)
  const { body: sold } = await app.get(`/v1/merchant/orders/${order.id}`, { key: shop.key })
  expect(bought).toMatchObject({
    object: 'order',
    status: 'awaiting_confirmation',
    payment_status: 'authorized',
    total_amount: 2680,
    currency: 'EUR',
    totals: [
      { type: 'subtotal', amount: 2000 },
      { type: 'fulfillment', amount: 300 },
      { type: 'tax', amount: 380 },
      { type: 'total', amount: 2680 },
    ],
    customer: { name: 'Ada Lovelace', email: 'ada@example.com' },
    purchase_intent_id: order.purchase_intent_id,
  })
  expect(Date.parse(bought.expires_at) - Date.parse(bought.created_at)).toBe(24 * 3_600_000)
  expect(sold).toEqual({ ...bought, purchase_intent_id: null })
})

test('placing an order asks the merchant first and then says that the money is authorized', async () => {
  const order = await placeOrder(app, app.account, shop)
  const events = await eventsOf(order)
  expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
    ['order.requested', 1],
    ['payment.authorized', 2],
  ])
  for (const event of events) expect(event.recipient_account_id).toBe(shop.seller.accountId)
  const [requested, authorized] = events.map(({ envelope }) => JSON.parse(envelope))
  const { body: sold } = await app.get(`/v1/merchant/orders/${order.id}`, { key: shop.key })
  expect(requested.data).toEqual({ order: sold })
  expect(authorized.data).toEqual({
    payment: { order_id: order.id, amount: 2680, currency: 'EUR', status: 'authorized' },
  })
})

test('only its buyer and its merchant see an order, each on their own side', async () => {
  const order = await placeOrder(app, app.account, shop)
  const stranger = app.stranger.keys.secret_test
  const answers = [
    await app.get(`/v1/orders/${order.id}`, { key: stranger }),
    await app.get(`/v1/orders/${order.id}`, { key: shop.key }),
    await app.get(`/v1/orders/${order.id}`, { key: app.account.keys.secret_live }),
    await app.get(`/v1/merchant/orders/${order.id}`, { key: stranger }),
    await app.get(`/v1/merchant/orders/${order.id}`),
    await app.get(`/v1/merchant/orders/${order.id}`, { key: shop.seller.keys.secret_live }),
    await app.post(`/v1/orders/${order.id}/cancel`, undefined, { key: stranger }),
    await app.post(`/v1/orders/${order.id}/cancel`, undefined, { key: shop.key }),
    await app.post(`/v1/orders/${order.id}/cancel`, undefined, { key: app.account.keys.secret_live }),
    await app.post(`/v1/merchant/orders/${order.id}/responses`, { outcome: 'rejected' }, { key: stranger }),
    await app.post(`/v1/merchant/orders/${order.id}/responses`, { outcome: 'rejected' }),
  ]
  for (const { status, body } of answers) {
    expect([status, body.detail.code, body.detail.param]).toEqual([404, 'not_found', 'order_id'])
  }
  for (const [path, key] of [
    ['/v1/orders', stranger],
    ['/v1/orders', app.account.keys.secret_live],
    ['/v1/merchant/orders', stranger],
    ['/v1/merchant/orders', shop.seller.keys.secret_live],
  ] as const) {
    expect((await app.get(path, { key })).body).toMatchObject({ data: [], total: 0 })
  }
  expect((await eventsOf(order)).length).toBe(2)
})

test('needs a key with the right scope', async () => {
  const order = await placeOrder(app, app.account, shop)
  expect((await app.get('/v1/orders', { key: null })).status).toBe(401)
  const unsigned = await app.post(`/v1/merchant/orders/${order.id}/responses`, {}, { key: null })
  expect(unsigned.status).toBe(401)
  const agent = await app.newKey(app.account, 'test', 'buyer_agent')
  expect((await app.get(`/v1/orders/${order.id}`, { key: agent.token })).status).toBe(200)
  for (const path of [`/v1/orders/${order.id}/cancel`, `/v1/merchant/orders/${order.id}/responses`]) {
    const { status, body } = await app.post(path, { outcome: 'rejected' }, { key: agent.token })
    expect([status, body.detail.code]).toEqual([403, 'insufficient_scope'])
  }
})

test('both sides list newest first, filtered, paged and searched', async () => {
  const buyer = await app.newAccount('Lister')
  const key = buyer.keys.secret_test
  const customer = { name: 'Grace 50%_Hopper', email: 'grace@example.com', phone: null }
  const first = await placeOrder(app, buyer, shop)
  const second = await placeOrder(app, buyer, shop, { customer })
  await answer(first, { outcome: 'confirmed', confirmation_reference: 'LISTED-1' })
  const ids = async (path: string, as: string) =>
    (await app.get(path, { key: as })).body.data.map(({ id }: { id: string }) => id)
  expect(await ids('/v1/orders', key)).toEqual([second.id, first.id])
  expect(await ids('/v1/orders?status=confirmed', key)).toEqual([first.id])
  expect(await ids('/v1/orders?payment_status=captured', key)).toEqual([])
  expect(await ids('/v1/orders?limit=1&offset=1', key)).toEqual([first.id])
  expect(await ids('/v1/orders?q=listed-1', key)).toEqual([first.id])
  expect(await ids('/v1/orders?q=50%25_hopper', key)).toEqual([second.id])
  expect(await ids(`/v1/orders?created_before=2020-01-01T00:00:00Z`, key)).toEqual([])
  expect(await ids(`/v1/orders?created_before=2020-01-01T00:00:00%2B23:59`, key)).toEqual([])
  expect(await ids('/v1/merchant/orders?q=GRACE%40example', shop.key)).toEqual([second.id])
  expect(await ids(`/v1/merchant/orders?q=${first.purchase_intent_id}`, shop.key)).toEqual([])
  const page = (await app.get('/v1/merchant/orders?limit=1', { key: shop.key })).body
  expect(page).toMatchObject({ limit: 1, offset: 0, has_more: true })
  expect(page.data[0].id).toBe(second.id)
  expect((await app.get('/v1/orders?status=lost', { key })).status).toBe(422)
})

test('a buyer cancels an order that awaits the merchant, and a later answer changes nothing', async () => {
  const order = await placeOrder(app, app.account, shop)
  const headers = { 'idempotency-key': 'cancel-1' }
  const cancel = () => app.post(`/v1/orders/${order.id}/cancel`, { reason: 'Changed my mind' }, { headers })
  const cancelled = await cancel()
  expect(cancelled.status).toBe(200)
  expect(cancelled.body).toMatchObject({ status: 'cancelled', cancel_reason: 'Changed my mind' })
  expect((await cancel()).body).toEqual(cancelled.body)
  const late = await answer(order, { outcome: 'confirmed', confirmation_reference: 'LATE-1' })
  expect([late.status, late.body.detail.code]).toEqual([409, 'order_not_awaiting'])
  const again = await app.post(`/v1/orders/${order.id}/cancel`)
  expect([again.status, again.body.detail.code]).toEqual([409, 'order_not_cancellable'])
  // The purchase it belongs to may be cancelled after its order was.
  expect(await asBuyer(order, (ctx) => cancelOrderInTx(ctx, order.id))).toMatchObject({ ok: true })
  expect((await eventsOf(order)).map(({ type }) => type).slice(2)).toEqual(['order.cancelled'])
  await settle(order, 'voided')
  expect((await app.get(`/v1/orders/${order.id}`)).body.payment_status).toBe('voided')
})

test('a confirmed order cannot be cancelled', async () => {
  const order = await placeOrder(app, app.account, shop)
  await answer(order, { outcome: 'confirmed', confirmation_reference: 'KEPT-1' })
  const refused = await app.post(`/v1/orders/${order.id}/cancel`)
  expect([refused.status, refused.body.detail.code]).toEqual([409, 'order_not_cancellable'])
  const inTx = await asBuyer(order, (ctx) => cancelOrderInTx(ctx, order.id))
  expect(inTx).toEqual({ ok: false, refusal: 'order_not_cancellable' })
})

test('a payment settles once and tells the merchant', async () => {
  const order = await placeOrder(app, app.account, shop)
  await answer(order, { outcome: 'confirmed', confirmation_reference: 'PAID-1' })
  await settle(order, 'captured')
  await settle(order, 'captured')
  await expect(settle(order, 'voided')).rejects.toThrow('captured to voided')
  const events = await eventsOf(order)
  expect(events.map(({ type }) => type).slice(2)).toEqual(['order.confirmed', 'payment.captured'])
  expect(JSON.parse(events[3]?.envelope ?? '').data.payment.status).toBe('captured')
  const { body } = await app.get(`/v1/orders/${order.id}`)
  expect(body).toMatchObject({ status: 'confirmed', payment_status: 'captured' })
})

test('an order whose capture fails is cancelled: never confirmed and unpaid', async () => {
  const order = await placeOrder(app, app.account, shop)
  const response = { outcome: 'confirmed', confirmation_reference: 'UNPAID-1' }
  await answer(order, response)
  await settle(order, 'failed')
  const types = (await eventsOf(order)).map(({ type }) => type)
  expect(types.slice(2)).toEqual(['order.confirmed', 'payment.failed', 'order.cancelled'])
  const retried = await answer(order, response)
  expect([retried.status, retried.body]).toMatchObject([
    200,
    { status: 'cancelled', payment_status: 'failed' },
  ])
})
