import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { openFront, startSuiteShop } from '../harness/suite-shop.ts'
import { ucpSchemas } from '../harness/ucp-schemas.ts'

const shop = await startSuiteShop()
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
  expect(after.adjustments).toMatchObject([
    { type: 'refund', amount: 500, status: expect.stringMatching(/^(pending|completed)$/) },
  ])
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

test('a report that is sent again does nothing twice, and is no other one', async () => {
  const { order } = await buy()
  const event = { id: 'evt_1', type: 'shipped', tracking_number: 'TRACK1' }
  const report = (one: object) =>
    send('PUT', `/orders/${order}`, { fulfillment: { events: [one] } }, { key: `report ${order}` })
  const [first, again] = [await report(event), await report(event)]
  expect([first.status, again.status]).toEqual([200, 200])
  expect(again.body.fulfillment.events).toMatchObject([{ tracking_number: 'TRACK1' }])
  expect((await report({ ...event, tracking_number: 'TRACK2' })).status).toBe(409)
})

test('only the secret that it was started with simulates shipping', async () => {
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

test("another merchant is not made the suite's shop, and no key of live mode is taken", async () => {
  const other = await buying.app.newAccount('Other')
  const { secret_test: key, secret_live: live } = other.keys
  await buying.app.post('/v1/merchant', { slug: 'other-shop', name: 'Other', currency: 'USD' }, { key })
  await expect(openFront(buying.app.url, key)).rejects.toThrow('is the merchant other-shop')
  await expect(openFront(buying.app.url, live)).rejects.toThrow('must be a secret key of test mode')
  const { body } = await buying.app.get('/v1/merchant', { key })
  expect(body).toMatchObject({ slug: 'other-shop', name: 'Other' })
})

test('it may start again: names, prices and stock are those of the data, and ids stay', async () => {
  const key = account.keys.secret_test
  const idsAt = async (path: string) =>
    (await buying.app.get(path, { key })).body.data.map(({ id }: { id: string }) => id)
  const lists = ['/v1/merchant/catalog_items', '/v1/rate_cards', '/v1/promotions?status=active']
  const before = await Promise.all(lists.map(idsAt))
  expect(before.map(({ length }) => length)).toEqual([6, 3, 3])
  const { id } = await create(placed, 1, 'pot_ceramic')
  const again = await openFront(buying.app.url, key)
  expect(await Promise.all(lists.map(idsAt))).toEqual(before)
  expect((await complete(id)).body.status).toBe('completed')
  const make = async ({ url: at }: { url: string }) =>
    (await send('POST', '/checkout-sessions', shop.roses(placed), { at })).status
  expect(await make(again)).toBe(201)
  await again.stop()
  // The service has kept the profile that it found at this address, with a key that is gone.
  const third = await openFront(buying.app.url, key, new URL(again.url).port)
  expect(await make(third)).toBe(201)
  await third.stop()
})
