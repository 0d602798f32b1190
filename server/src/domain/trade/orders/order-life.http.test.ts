import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { brokenInvariants } from '../../../../test/harness/broken-invariants.ts'
import { openShop, payOrder, placeOrder, type TestShop } from '../../../../test/harness/orders.ts'
import { orderInvariants } from './invariants.sql.ts'
import type { OrderRow } from './order.ts'

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

let confirmations = 0

function asMerchant(order: { id: string }, path: string, body?: object, headers = {}) {
  return app.post(`/v1/merchant/orders/${order.id}/${path}`, body, { key: shop.key, headers })
}

function confirm(order: { id: string }) {
  return asMerchant(order, 'responses', {
    outcome: 'confirmed',
    confirmation_reference: `LIFE-${++confirmations}`,
  })
}

/** Two units of 1000 with 300 of fulfilment and 19 % of tax: 2680. */
async function paidOrder(changes: Parameters<typeof placeOrder>[3] = {}): Promise<OrderRow> {
  const order = await placeOrder(app, app.account, shop, changes)
  expect((await confirm(order)).status).toBe(200)
  await payOrder(app, order)
  return order
}

async function bought(order: { id: string }) {
  return (await app.get(`/v1/orders/${order.id}`)).body
}

async function typesOf(order: OrderRow): Promise<string[]> {
  const rows = await app.parts.pools.read<{ type: string }>({
    name: '',
    text: `select type from events where account_id = $1 and mode = $2 and aggregate_id = $3 order by sequence`,
    values: [order.account_id, order.mode, order.id],
  })
  return rows.map(({ type }) => type)
}

type Answered = { status: number; body: { detail?: { code?: string; param?: string } } }
const codeOf = ({ status, body }: Answered) => [status, body.detail?.code]

test('a lower price lowers its tax, is one adjustment, and sends events to both sides', async () => {
  const order = await placeOrder(app, app.account, shop)
  const lower = await asMerchant(order, 'reprice', { subtotal_amount_cents: 1505, reason: 'A scratch' })
  expect(lower.status).toBe(200)
  expect(lower.body).toMatchObject({
    status: 'awaiting_confirmation',
    total_amount: 2091,
    authorized_amount: 2680,
    totals: [
      { type: 'subtotal', amount: 1505 },
      { type: 'fulfillment', amount: 300 },
      { type: 'tax', amount: 286 },
      { type: 'total', amount: 2091 },
    ],
    adjustments: [{ type: 'reprice', amount: 495, reason: 'A scratch' }],
  })
  expect(lower.body.line_items[0].amount).toBe(2000)
  expect(await bought(order)).toEqual({ ...lower.body, purchase_intent_id: order.purchase_intent_id })
  const again = await asMerchant(order, 'reprice', { subtotal_amount_cents: 1505 })
  expect(again.body).toEqual(lower.body)
  const back = await asMerchant(order, 'reprice', { subtotal_amount_cents: 2000 })
  expect(back.body).toMatchObject({ total_amount: 2680, adjustments: [] })
  expect((await typesOf(order)).slice(2)).toEqual(['order.repriced', 'order.repriced'])
})

test('no price goes above the authorization, however often it was lowered before', async () => {
  const order = await placeOrder(app, app.account, shop)
  await asMerchant(order, 'reprice', { subtotal_amount_cents: 1000 })
  const above = await asMerchant(order, 'reprice', { subtotal_amount_cents: 2001 })
  expect(codeOf(above)).toEqual([409, 'reprice_above_authorization'])
  expect(above.body.detail).toMatchObject({ param: 'subtotal_amount_cents', authorized_amount: 2680 })
  const other = await asMerchant(order, 'reprice', { subtotal_amount_cents: 900, currency: 'USD' })
  expect([other.status, other.body.detail[0].type]).toEqual([422, 'extra_forbidden'])
  expect((await asMerchant(order, 'reprice', { subtotal_amount_cents: 0 })).status).toBe(422)
  expect((await bought(order)).total_amount).toBe(1490)
})

test('a price that a discount eats up is refused', async () => {
  const amounts = { subtotal: 2000n, fulfillment: 0n, tax: 0n, discount: 500n }
  const order = await placeOrder(app, app.account, shop, { amounts, taxBasisPoints: null })
  const nothing = await asMerchant(order, 'reprice', { subtotal_amount_cents: 500 })
  expect([nothing.status, nothing.body.detail[0].loc]).toEqual([422, ['body', 'subtotal_amount_cents']])
  const some = await asMerchant(order, 'reprice', { subtotal_amount_cents: 501 })
  expect(some.body).toMatchObject({ total_amount: 1 })
})

test('once the order is decided its price stays', async () => {
  const [confirmed, cancelled] = [
    await placeOrder(app, app.account, shop),
    await placeOrder(app, app.account, shop),
  ]
  await confirm(confirmed)
  await app.post(`/v1/orders/${cancelled.id}/cancel`)
  for (const order of [confirmed, cancelled]) {
    const late = await asMerchant(order, 'reprice', { subtotal_amount_cents: 1000 })
    expect(codeOf(late)).toEqual([409, 'order_not_awaiting'])
  }
})

test('when a new price, an answer and a cancel meet, the price counts only if it came first', async () => {
  for (let round = 0; round < 6; round++) {
    const order = await placeOrder(app, app.account, shop)
    const [repriced, ...decided] = await Promise.all([
      asMerchant(order, 'reprice', { subtotal_amount_cents: 1000 }),
      confirm(order),
      app.post(`/v1/orders/${order.id}/cancel`),
    ])
    expect(decided.filter(({ status }) => status === 200)).toHaveLength(1)
    const types = (await typesOf(order)).slice(2)
    const isFirst = repriced?.status === 200
    expect(types[0] === 'order.repriced').toBe(isFirst)
    expect(types).toHaveLength(isFirst ? 2 : 1)
    expect((await bought(order)).total_amount).toBe(isFirst ? 1490 : 2680)
  }
})

test('the first shipment begins the fulfilment, the last delivery completes it, and the buyer follows', async () => {
  const order = await paidOrder()
  const parcel = { carrier: 'DHL', tracking_number: 'T-1', tracking_url: 'https://dhl.example/T-1' }
  const first = await asMerchant(order, 'fulfillments', {
    ...parcel,
    line_items: [{ index: 0, quantity: 1 }],
  })
  expect([first.status, first.body.status]).toEqual([201, 'fulfilling'])
  const shown = { ...parcel, status: 'shipped', line_items: [{ index: 0, quantity: 1 }] }
  expect((await bought(order)).fulfillments).toMatchObject([shown])
  const second = await asMerchant(order, 'fulfillments', { tracking_number: 'T-2', status: 'in_transit' })
  expect(second.status).toBe(201)
  expect(second.body.fulfillments[1]).toMatchObject({
    tracking_number: 'T-2',
    line_items: [{ index: 0, quantity: 1 }],
  })
  const moved = await asMerchant(order, 'fulfillments', { tracking_number: 'T-1', status: 'delivered' })
  expect([moved.status, moved.body.status]).toEqual([200, 'fulfilling'])
  expect(moved.body.fulfillments[0]).toMatchObject({ ...parcel, status: 'delivered' })
  const repeated = await asMerchant(order, 'fulfillments', { tracking_number: 'T-1', status: 'delivered' })
  expect(repeated.body).toEqual(moved.body)
  const last = await asMerchant(order, 'fulfillments', {
    fulfillment_id: second.body.fulfillments[1].id,
    status: 'delivered',
  })
  expect(last.body.status).toBe('completed')
  expect((await typesOf(order)).slice(4)).toEqual([
    'order.fulfillment_updated',
    'order.fulfillment_updated',
    'order.fulfillment_updated',
    'order.fulfillment_updated',
    'order.completed',
  ])
  const after = await asMerchant(order, 'fulfillments', { tracking_number: 'T-1', status: 'failed' })
  expect(codeOf(after)).toEqual([409, 'order_not_fulfillable'])
})

test('no unit is sent twice; one that failed on its way can be sent again', async () => {
  const order = await paidOrder()
  await asMerchant(order, 'fulfillments', { tracking_number: 'A', line_items: [{ index: 0, quantity: 2 }] })
  expect(codeOf(await asMerchant(order, 'fulfillments', { tracking_number: 'B' }))).toEqual([
    409,
    'order_not_fulfillable',
  ])
  await asMerchant(order, 'fulfillments', { tracking_number: 'A', status: 'failed' })
  expect((await asMerchant(order, 'fulfillments', { tracking_number: 'B' })).status).toBe(201)
  const revived = await asMerchant(order, 'fulfillments', { tracking_number: 'A', status: 'in_transit' })
  expect(codeOf(revived)).toEqual([409, 'order_not_fulfillable'])
})

test('digital goods are delivered at once, and a merchant may complete what it sends no more of', async () => {
  const digital = await paidOrder()
  const delivered = await asMerchant(digital, 'fulfillments', { status: 'delivered' })
  expect(delivered.body.status).toBe('completed')
  const partly = await paidOrder()
  const lines = [{ index: 0, quantity: 1 }]
  const last = await asMerchant(partly, 'fulfillments', { line_items: lines, complete: true })
  expect(last.body.status).toBe('completed')
})

test('a parcel that is under way when the order is completed still arrives, once, and no other can be sent', async () => {
  const order = await paidOrder()
  const lines = [{ index: 0, quantity: 1 }]
  const parcel = { tracking_number: 'A', line_items: lines }
  await asMerchant(order, 'fulfillments', { ...parcel, complete: true })
  const more = await asMerchant(order, 'fulfillments', { tracking_number: 'B', line_items: lines })
  expect(codeOf(more)).toEqual([409, 'order_not_fulfillable'])
  const larger = [{ index: 0, quantity: 3 }]
  const grown = await asMerchant(order, 'fulfillments', { tracking_number: 'A', line_items: larger })
  expect(codeOf(grown)).toEqual([409, 'order_not_fulfillable'])
  const there = await asMerchant(order, 'fulfillments', { tracking_number: 'A', status: 'delivered' })
  expect([there.status, there.body.status]).toEqual([200, 'completed'])
  expect(there.body.fulfillments).toMatchObject([{ ...parcel, status: 'delivered' }])
  const back = await asMerchant(order, 'fulfillments', { tracking_number: 'A', status: 'in_transit' })
  expect(codeOf(back)).toEqual([409, 'order_not_fulfillable'])
  expect((await typesOf(order)).slice(4)).toEqual([
    'order.fulfillment_updated',
    'order.completed',
    'order.fulfillment_updated',
  ])
})

test('only confirmed and paid orders are fulfilled, and only lines that exist', async () => {
  const waiting = await placeOrder(app, app.account, shop)
  expect(codeOf(await asMerchant(waiting, 'fulfillments', {}))).toEqual([409, 'order_not_fulfillable'])
  await confirm(waiting)
  expect(codeOf(await asMerchant(waiting, 'fulfillments', {}))).toEqual([409, 'order_not_fulfillable'])
  const order = await paidOrder()
  const wrong = [
    [{ line_items: [{ index: 1, quantity: 1 }] }, ['body', 'line_items', 0, 'index']],
    [
      {
        line_items: [
          { index: 0, quantity: 1 },
          { index: 0, quantity: 1 },
        ],
      },
      ['body', 'line_items', 1, 'index'],
    ],
    [{ tracking_url: 'http://dhl.example/' }, ['body', 'tracking_url']],
    [{ status: 'lost' }, ['body', 'status']],
    [{ line_items: [] }, ['body', 'line_items']],
  ] as const
  for (const [body, loc] of wrong) {
    const refused = await asMerchant(order, 'fulfillments', body)
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, loc])
  }
  const unknown = await asMerchant(order, 'fulfillments', { fulfillment_id: 'ful_none' })
  expect([...codeOf(unknown), unknown.body.detail.param]).toEqual([404, 'not_found', 'fulfillment_id'])
})

test('a buyer asks to send things back, no unit twice, and the merchant declines with a word', async () => {
  const order = await paidOrder()
  const path = `/v1/orders/${order.id}/returns`
  const one = { line_items: [{ index: 0, quantity: 1 }] }
  const asked = await app.post(path, { ...one, reason: 'damaged', note: 'The lid' })
  expect(asked.status).toBe(201)
  expect(asked.body.returns).toMatchObject([
    { status: 'requested', reason: 'damaged', note: 'The lid', merchant_note: null, ...one },
  ])
  const rest = await app.post(path)
  expect(rest.body.returns[1]).toMatchObject({ reason: 'other', ...one })
  expect(codeOf(await app.post(path))).toEqual([409, 'order_not_returnable'])
  const [first] = rest.body.returns
  const declined = await asMerchant(order, `returns/${first.id}/decline`, { note: 'Too late' })
  expect(declined.body.returns[0]).toMatchObject({ status: 'declined', merchant_note: 'Too late' })
  expect(codeOf(await asMerchant(order, `returns/${first.id}/decline`))).toEqual([409, 'return_not_open'])
  const refund = await asMerchant(order, 'refunds', { return_id: first.id })
  expect(codeOf(refund)).toEqual([409, 'return_not_open'])
  expect((await app.post(path, one)).status).toBe(201)
  expect((await typesOf(order)).slice(4)).toEqual([
    'order.return_requested',
    'order.return_requested',
    'order.return_declined',
    'order.return_requested',
  ])
})

test('only paid money can be refunded', async () => {
  const order = await placeOrder(app, app.account, shop)
  expect(codeOf(await app.post(`/v1/orders/${order.id}/returns`))).toEqual([409, 'order_not_returnable'])
  expect(codeOf(await asMerchant(order, 'refunds', { amount: 1 }))).toEqual([409, 'order_not_refundable'])
})

test('parallel refunds never come to more than was captured, and a repeated one is one', async () => {
  const order = await paidOrder()
  const headers = { 'idempotency-key': `refund-${order.id}` }
  const ask = () => asMerchant(order, 'refunds', { amount: 680 }, headers)
  const answers = await Promise.all([
    ...[1, 2, 3, 4, 5].map(() => asMerchant(order, 'refunds', { amount: 900 })),
    ask(),
    ask(),
  ])
  const taken = answers.filter(({ status }) => status === 201)
  const { refunds } = await bought(order)
  const sum = refunds.reduce((total: number, { amount }: { amount: number }) => total + amount, 0)
  expect(sum).toBeLessThanOrEqual(2680)
  expect(sum).toBeGreaterThan(2680 - 900)
  expect(taken.length).toBeGreaterThanOrEqual(refunds.length)
  for (const refused of answers.filter(({ status }) => status !== 201))
    expect(['refund_exceeds_captured', 'idempotency_key_in_use']).toContain(refused.body.detail.code)
  // Nobody moves money here: they wait, and count.
  expect(new Set(refunds.map(({ status }: { status: string }) => status))).toEqual(new Set(['pending']))
  const over = await asMerchant(order, 'refunds', { amount: 2680 })
  expect(codeOf(over)).toEqual([409, 'refund_exceeds_captured'])
  expect(over.body.detail).toMatchObject({ refundable_amount: 2680 - sum })
})

test('the quoted price of three units is refunded for three units, to the last cent', async () => {
  const quoted = {
    catalog_item_id: null,
    catalog_variant_id: null,
    sku: null,
    title: 'Three things',
    url: null,
    quantity: 3,
    unit_amount: 333,
    amount: 1000,
  }
  const amounts = { subtotal: 1000n, fulfillment: 0n, tax: 0n, discount: 0n }
  const changes = { lineItems: [quoted], amounts, taxBasisPoints: null }
  const whole = await asMerchant(await paidOrder(changes), 'refunds', {
    line_items: [{ index: 0, quantity: 3 }],
  })
  expect(whole.body.refunds).toMatchObject([{ amount: 1000 }])
  const two = await asMerchant(await paidOrder(changes), 'refunds', {
    line_items: [{ index: 0, quantity: 2 }],
  })
  expect(two.body.refunds).toMatchObject([{ amount: 666 }])
})

test('without an amount it is the share of the lines or of the return, else all that is left', async () => {
  const order = await paidOrder()
  const lines = await asMerchant(order, 'refunds', { line_items: [{ index: 0, quantity: 1 }] })
  expect(lines.body.refunds[0]).toMatchObject({ amount: 1190, status: 'pending', return_id: null })
  const { body } = await app.post(`/v1/orders/${order.id}/returns`, {
    line_items: [{ index: 0, quantity: 1 }],
  })
  const [asked] = body.returns
  const settled = await asMerchant(order, 'refunds', { return_id: asked.id })
  expect(settled.body.refunds[1]).toMatchObject({ amount: 1190, return_id: asked.id })
  // A refund is on its way for it.
  expect(codeOf(await asMerchant(order, 'refunds', { return_id: asked.id, amount: 1 }))).toEqual([
    409,
    'return_not_open',
  ])
  expect(codeOf(await asMerchant(order, `returns/${asked.id}/decline`))).toEqual([409, 'return_not_open'])
  const thrice = await asMerchant(order, 'refunds', { line_items: [{ index: 0, quantity: 1 }], amount: 1 })
  expect(codeOf(thrice)).toEqual([409, 'refund_exceeds_captured'])
  const rest = await asMerchant(order, 'refunds')
  expect(rest.body.refunds[2]).toMatchObject({ amount: 300, line_items: [] })
  expect(codeOf(await asMerchant(order, 'refunds'))).toEqual([409, 'refund_exceeds_captured'])
  const unknown = await asMerchant(order, 'refunds', { return_id: 'ret_none' })
  expect([...codeOf(unknown), unknown.body.detail.param]).toEqual([404, 'not_found', 'return_id'])
})

test('only its merchant and its buyer can change an order, each on their own side', async () => {
  const order = await paidOrder()
  const { body } = await app.post(`/v1/orders/${order.id}/returns`)
  const ofMerchant = [
    ['reprice', { subtotal_amount_cents: 1 }],
    ['fulfillments', {}],
    ['refunds', {}],
    [`returns/${body.returns[0].id}/decline`, {}],
  ] as const
  for (const key of [
    app.account.keys.secret_test,
    app.stranger.keys.secret_test,
    shop.seller.keys.secret_live,
  ]) {
    for (const [path, sent] of ofMerchant) {
      const refused = await app.post(`/v1/merchant/orders/${order.id}/${path}`, sent, { key })
      expect([...codeOf(refused), refused.body.detail.param]).toEqual([404, 'not_found', 'order_id'])
    }
  }
  for (const key of [shop.key, app.stranger.keys.secret_test, app.account.keys.secret_live]) {
    expect(codeOf(await app.post(`/v1/orders/${order.id}/returns`, {}, { key }))).toEqual([404, 'not_found'])
  }
  const agent = await app.newKey(app.account, 'test', 'buyer_agent')
  const returned = await app.post(`/v1/orders/${order.id}/returns`, {}, { key: agent.token })
  expect(codeOf(returned)).toEqual([403, 'insufficient_scope'])
})
