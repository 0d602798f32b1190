import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { startConformanceShop } from '../harness/conformance-shop.ts'
import { ucpSchemas } from '../harness/ucp-schemas.ts'

const shop = await startConformanceShop()
const { buying, platform, account, send, shipping, buy, create, complete, placed, simulationSecret } = shop
afterEach(() => buying.audit())
afterAll(() => shop.stop())

const schema = ucpSchemas('2026-01-11')
const read = async (order: string) => (await send('GET', `/orders/${order}`)).body
const secret = { headers: { 'simulation-secret': simulationSecret } }

test('an order can be read by who placed it, in the shape of the release', async () => {
  const { checkout, order } = await buy()
  const body = await read(order)
  expect(schema('schemas/shopping/order.json', body)).toBeNull()
  expect(body).toMatchObject({
    id: order,
    checkout_id: checkout,
    line_items: [{ item: { id: 'bouquet_roses' } }],
  })
  expect(body.fulfillment.expectations).toMatchObject([
    { description: 'Standard Shipping (Free)', destination: { address_country: 'US' } },
  ])
  expect((await send('GET', `/orders/${order}`, undefined, { agent: 'profile="other"' })).status).toBe(404)
})

test('a shipment and a refund that a platform reports are those of the order', async () => {
  const { order } = await buy()
  const body = await read(order)
  const shipped = {
    id: 'evt_1',
    occurred_at: new Date().toISOString(),
    type: 'shipped',
    line_items: [{ id: body.line_items[0].id, quantity: 1 }],
    tracking_number: 'TRACK123',
    tracking_url: 'http://track.me/123',
  }
  const refund = {
    id: 'adj_1',
    type: 'refund',
    occurred_at: shipped.occurred_at,
    status: 'pending',
    amount: 500,
  }
  body.fulfillment.events.push(shipped)
  body.adjustments.push({ ...refund, description: 'Customer refund request' })
  const { status, body: after } = await send('PUT', `/orders/${order}`, body)
  expect([status, schema('schemas/shopping/order.json', after)]).toEqual([200, null])
  expect(after.fulfillment.events).toMatchObject([{ type: 'shipped', tracking_number: 'TRACK123' }])
  expect(after.adjustments).toMatchObject([{ type: 'refund', amount: 500, status: 'pending' }])
  await expect.poll(() => buying.moneyOf(order)).toContainEqual(expect.stringMatching(/^refund 500 /))
  // What was read can be sent back, and nothing happens twice.
  expect((await send('PUT', `/orders/${order}`, await read(order))).body.adjustments).toHaveLength(1)
  const key = account.keys.secret_test
  const sold = await buying.app.get(`/v1/merchant/orders/${order}`, { key })
  expect(sold.body).toMatchObject({ status: 'fulfilling', fulfillments: [{ tracking_number: 'TRACK123' }] })
})

describe('a report that cannot be is refused with 422', () => {
  test.each([
    [
      'a status that is none',
      { adjustments: [{ id: 'a', type: 'refund', status: 'INVALID_STATUS', amount: 500 }] },
    ],
    ['no list', { adjustments: { id: 'a', amount: 100 } }],
    [
      'another kind of adjustment',
      { adjustments: [{ id: 'a', type: 'gift', status: 'pending', amount: 1 }] },
    ],
    ['an event that is none', { fulfillment: { events: [{ id: 'e', type: 'teleported' }] } }],
    [
      'a line of nobody',
      { fulfillment: { events: [{ id: 'e', type: 'shipped', line_items: [{ id: 'x', quantity: 1 }] }] } },
    ],
  ])('%s', async (_what, change) => {
    const { order } = await buy()
    const answer = await send('PUT', `/orders/${order}`, { ...(await read(order)), ...change })
    expect([answer.status, typeof answer.body.detail]).toEqual([422, 'string'])
    expect(await read(order)).toMatchObject({ adjustments: [], fulfillment: { events: [] } })
  })
})

test('more than was paid is not given back', async () => {
  const { order } = await buy()
  const adjustments = [{ id: 'a', type: 'refund', status: 'pending', amount: 3501 }]
  expect((await send('PUT', `/orders/${order}`, { adjustments })).status).toBe(409)
})

test('only the secret of the seed simulates shipping', async () => {
  const { order } = await buy()
  const path = `/testing/simulate-shipping/${order}`
  expect((await send('POST', path)).status).toBe(403)
  expect((await send('POST', path, undefined, { headers: { 'simulation-secret': 'another' } })).status).toBe(
    403,
  )
  expect((await send('POST', path, undefined, secret)).status).toBe(200)
})

test('the platform is told of the order, and of its shipping, each by its name', async () => {
  const street = {
    id: 'dest_new',
    address_country: 'CA',
    postal_code: 'M5V 2H1',
    street_address: 'Webhook St',
  }
  const more = shipping({ destinations: [street], selected_destination_id: 'dest_new' })
  const { checkout, order } = await buy(more)
  await send('POST', `/testing/simulate-shipping/${order}`, undefined, secret)
  const ofOrder = () => platform.told.filter((one) => one.order?.id === order)
  await expect
    .poll(() => ofOrder().map(({ event_type }) => event_type))
    .toEqual(expect.arrayContaining(['order_placed', 'order_shipped']))
  for (const { checkout_id, order: told } of ofOrder()) {
    expect([checkout_id, schema('schemas/shopping/order.json', told)]).toEqual([checkout, null])
    expect(told.fulfillment.expectations[0].destination).toMatchObject({ street_address: 'Webhook St' })
  }
  const last = ofOrder().at(-1)
  expect(last.order.fulfillment.events).toMatchObject([{ type: 'shipped' }])
})

test('a merchant that was not made for the suite has no such address, and its orders await it', async () => {
  const other = await buying.app.newAccount('Other')
  const key = other.keys.secret_test
  await buying.app.post('/v1/merchant', { slug: 'other-shop', name: 'Other', currency: 'USD' }, { key })
  const at = `${buying.app.url}/ucp/compat/2026-01-11/other-shop`
  const agent = { 'ucp-agent': 'profile="..."' }
  const paths = ['/.well-known/ucp', '/documents/checkout.json', '/checkout-sessions/cko_1', '/orders/ord_1']
  for (const path of paths) expect((await fetch(`${at}${path}`, { headers: agent })).status).toBe(404)
  expect(
    (
      await fetch(`${at}/checkout-sessions`, {
        method: 'POST',
        headers: { ...agent, 'content-type': 'application/json' },
        body: '{}',
      })
    ).status,
  ).toBe(404)
})

test('the seed may run again: names, prices and stock are those of the data, and ids stay', async () => {
  const before = await buying.sql('select names from conformance_shops')
  const { id } = await create(placed, 1, 'pot_ceramic')
  await shop.seed()
  expect(await buying.sql('select names from conformance_shops')).toEqual(before)
  expect((await complete(id)).body.status).toBe('completed')
  const { body } = await buying.app.get('/v1/promotions?status=active', { key: account.keys.secret_test })
  expect(body.data.map(({ code }: { code: string }) => code).toSorted()).toEqual([
    '10OFF',
    'FIXED500',
    'WELCOME20',
  ])
})
