import { afterAll, describe, expect, test } from 'vitest'
import { advanceTestClock } from '../../src/platform/clock/test-clock.ts'
import type { Release } from '../../src/protocols/ucp/releases.ts'
import { ucpSchemas } from '../harness/ucp-schemas.ts'
import { paid, startUcpShop, total } from '../harness/ucp-shop.ts'

/** What the protocol's own pages say, as they write it: other people's programs are written after them. */
const shop = await startUcpShop()
const { buying, platform, variants, ask, mugs, buyer, home, shipping, create, orderOf, answerOrder } = shop
afterAll(() => shop.stop())

const font = { item: { id: variants.FONT }, quantity: 1 }
const unknown = { item: { id: 'var_none' }, quantity: 1 }
const agentOf = (release: Release) => ({
  'ucp-agent': `profile="${platform.profileUrl.replace(/ucp$/, `ucp/${release}`)}"`,
})

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
async function tool(name: string, args: object, release: Release = '2026-08-25'): Promise<any> {
  const profile = platform.profileUrl.replace(/ucp$/, `ucp/${release}`)
  const meta = { 'ucp-agent': { profile } }
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: { meta, ...args } } }
  return (await ask('/mcp', { body, headers: { 'ucp-agent': '' }, signed: false })).body
}

describe.each(['2026-08-25', '2026-04-08'] as const)('%s', (release) => {
  const headers = agentOf(release)
  const faultOf = (checkout: object) => ucpSchemas(release)('schemas/shopping/checkout.json', checkout)

  test.each([
    ['with an empty list of goods', { line_items: [] }],
    ['without goods', {}],
  ])('a cart becomes a checkout %s, over REST and over tools', async (_, goods) => {
    const cart = (await ask('/carts', { body: { line_items: mugs(2), buyer }, headers })).body
    const made = await ask('/checkout-sessions', { body: { cart_id: cart.id, ...goods }, headers })
    expect([made.status, made.body.line_items]).toMatchObject([201, [{ quantity: 2 }]])
    expect(faultOf(made.body)).toBeNull()
    const again = await ask('/checkout-sessions', { body: { cart_id: cart.id, ...goods }, headers })
    expect([again.status, again.body.id]).toEqual([200, made.body.id])
    const other = await tool('create_cart', { cart: { line_items: mugs(3), buyer } }, release)
    const checkout = { cart_id: other.result.structuredContent.id, ...goods }
    const said = await tool('create_checkout', { checkout }, release)
    expect(said.result.structuredContent.line_items).toMatchObject([{ quantity: 3 }])
  })

  test('of goods of which one is sold out a checkout is made, and it says which', async () => {
    const made = await create({ line_items: [font, ...mugs(600)] }, { headers })
    expect(made).toMatchObject({
      status: 'incomplete',
      line_items: [{ item: { id: variants.FONT } }, { item: { id: variants.MUG }, quantity: 600 }],
      messages: [{ type: 'error', code: 'out_of_stock', severity: 'recoverable', path: '$.line_items[1]' }],
    })
    expect(faultOf(made)).toBeNull()
    const tried = await ask(`/checkout-sessions/${made.id}/complete`, { body: paid(), headers })
    expect([tried.body.status, await orderOf(made.id)]).toEqual(['incomplete', ''])
    const body = { line_items: [font, ...mugs(1)], buyer, fulfillment: shipping() }
    const mended = await ask(`/checkout-sessions/${made.id}`, { method: 'PUT', body, headers })
    expect([mended.body.status, mended.body.messages]).toEqual(['ready_for_complete', []])
    const spoiled = await ask(`/checkout-sessions/${made.id}`, {
      method: 'PUT',
      body: { ...body, line_items: [unknown, ...mugs(1)] },
      headers,
    })
    expect(spoiled.body).toMatchObject({
      status: 'incomplete',
      line_items: [{ item: { id: variants.MUG } }],
      messages: [{ code: 'item_unavailable', content: expect.stringContaining('"var_none" was left out') }],
    })
    expect([spoiled.body.messages[0].path, faultOf(spoiled.body)]).toEqual([undefined, null])
  })

  test('of a cart too, and where nothing can be had there is neither', async () => {
    const cart = await ask('/carts', { body: { line_items: [...mugs(600), font] }, headers })
    expect([cart.status, cart.body.messages]).toMatchObject([
      201,
      [{ code: 'out_of_stock', path: '$.line_items[0]' }],
    ])
    for (const path of ['/carts', '/checkout-sessions']) {
      const none = await ask(path, { body: { line_items: [...mugs(600), unknown] }, headers })
      expect([none.status, none.body.ucp.status, none.body.id]).toEqual([200, 'error', undefined])
      expect(none.body.messages).toMatchObject([{ code: 'out_of_stock' }, { code: 'item_unavailable' }])
      expect(ucpSchemas(release)(errorSchema[release], none.body)).toBeNull()
    }
  })

  test('a place that is not delivered to is an error of the checkout, and another place mends it', async () => {
    const body = { fulfillment: shipping({ destinations: [{ ...home, address_country: 'NO' }] }) }
    const made = await create(body, { headers })
    expect(made).toMatchObject({
      status: 'incomplete',
      messages: [{ code: 'address_undeliverable', severity: 'recoverable' }],
      fulfillment: { methods: [{ groups: [{ options: [] }] }] },
    })
    const sent = { line_items: mugs(), buyer, fulfillment: shipping() }
    const mended = await ask(`/checkout-sessions/${made.id}`, { method: 'PUT', body: sent, headers })
    expect([mended.body.status, total(mended.body)]).toEqual(['ready_for_complete', 2700])
  })

  test('line items that are named by their products are told, and nothing of the way is dropped', async () => {
    const made = await create({}, { headers })
    const [{ id: line }] = made.line_items
    const fulfillment = shipping({
      line_item_ids: [line, variants.MUG],
      groups: [{ id: 'package', line_item_ids: ['bouquet_roses'] }],
    })
    const body = { line_items: [{ id: line, ...mugs()[0] }], buyer, fulfillment }
    const path = `/checkout-sessions/${made.id}`
    const told = await ask(path, { method: 'PUT', body, headers })
    const error = { type: 'error', code: 'line_item_not_found', severity: 'recoverable' }
    expect([told.status, told.body.messages]).toMatchObject([
      200,
      [
        { ...error, content: expect.stringContaining(`"${variants.MUG}"`) },
        { ...error, path: '$.fulfillment.methods[0].groups[0].line_item_ids[0]' },
      ],
    ])
    expect(told.body.fulfillment.methods[0]).toMatchObject({ line_item_ids: [line], destinations: [{}] })
    const named = shipping({ line_item_ids: [line], groups: [{ id: 'package', line_item_ids: [line] }] })
    const mended = await ask(path, { method: 'PUT', body: { ...body, fulfillment: named }, headers })
    expect([mended.body.status, mended.body.messages]).toEqual(['ready_for_complete', []])
    const two = { methods: [...named.methods, { type: 'pickup' }] }
    const more = await ask(path, { method: 'PUT', body: { ...body, fulfillment: two }, headers })
    expect(more.body.messages).toMatchObject([
      { type: 'warning', code: 'fulfillment_method_not_used', path: '$.fulfillment.methods[1]' },
    ])
  })
})

const errorSchema = {
  '2026-08-25': 'schemas/common/types/error_response.json',
  '2026-04-08': 'schemas/shopping/types/error_response.json',
}

test('without goods and without a cart there is nothing to check out', async () => {
  for (const body of [{}, { line_items: [] }]) {
    const refused = await ask('/checkout-sessions', { body: { ...body, buyer } })
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request'])
  }
})

describe('2026-01-23', () => {
  const headers = agentOf('2026-01-23')
  const error = { type: 'error', severity: 'requires_buyer_input' }

  test('what does not exist is 404, and what cannot be served is 400, in its own words', async () => {
    const none = await ask('/checkout-sessions/cko_none', { method: 'GET', headers })
    expect([none.status, none.body]).toMatchObject([
      404,
      { status: 'requires_escalation', messages: [{ ...error, code: 'not_found' }] },
    ])
    const order = await ask('/orders/ord_none', { method: 'GET', headers })
    expect([order.status, order.body.messages]).toMatchObject([404, [{ code: 'not_found' }]])
    const soldOut = await ask('/checkout-sessions', { body: { line_items: mugs(600) }, headers })
    expect([soldOut.status, soldOut.body.messages]).toMatchObject([400, [{ ...error, code: 'out_of_stock' }]])
    const wrong = await ask('/checkout-sessions', { body: { line_items: 'x' }, headers })
    expect([wrong.status, wrong.body.messages]).toMatchObject([400, [{ code: 'invalid_request' }]])
    const schema = ucpSchemas('2026-01-23')
    for (const { body } of [none, order, soldOut, wrong]) {
      expect(Object.keys(body)).toEqual(['status', 'messages'])
      for (const message of body.messages)
        expect(schema('schemas/shopping/types/message_error.json', message)).toBeNull()
    }
  })

  test('over tools it is an error with its list of errors', async () => {
    const said = await tool('get_checkout', { id: 'cko_none' }, '2026-01-23')
    expect(said.error).toMatchObject({
      message: 'There is no such checkout.',
      data: { status: 'error', errors: [{ code: 'not_found', severity: 'requires_buyer_input' }] },
    })
  })

  test('in a checkout nothing is beyond repair, and the rest of an order is offered', async () => {
    const made = await create({ line_items: [font, ...mugs(600)] }, { headers })
    expect(made.messages).toMatchObject([{ code: 'out_of_stock', severity: 'recoverable' }])
    expect(ucpSchemas('2026-01-23')('schemas/shopping/checkout.json', made)).toBeNull()
  })
})

test('the address of an order is a page for a person, which says how it stands and nothing about who bought what', async () => {
  const made = await create()
  await ask(`/checkout-sessions/${made.id}/complete`, { body: paid() })
  const order = await orderOf(made.id)
  await answerOrder(order, 'confirmed')
  const done = await shop.becomes(made.id, 'completed')
  const { pathname } = new URL(done.order.permalink_url)
  const open = (path: string, more: RequestInit = {}) =>
    fetch(`${buying.app.url}${path}`, { headers: { accept: 'text/html,application/xhtml+xml' }, ...more })
  const page = await open(pathname)
  expect([page.status, page.headers.get('content-type'), page.headers.get('x-robots-tag')]).toEqual([
    200,
    'text/html; charset=utf-8',
    'noindex, nofollow',
  ])
  const text = await page.text()
  expect(text).toContain('Your order at Rose')
  expect(text).toContain('The merchant has taken your order.')
  for (const secret of ['Ada', 'ada@example.com', 'Oak Rd', 'Mug', '2700', '27.00'])
    expect(text).not.toContain(secret)
  expect((await open(pathname, { method: 'HEAD' })).status).toBe(200)
  const none = await open(pathname.replace(order, 'ord_none'))
  expect([none.status, none.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  // A program that names no profile is told so, and one that does reads the order.
  const program = await open(pathname, { headers: { accept: 'application/json' } })
  expect([program.status, await program.json()]).toMatchObject([400, { code: 'invalid_profile_url' }])
  expect((await ask(`/orders/${order}`, { method: 'GET' })).body.id).toBe(order)
})

test('a completion whose answer a proxy has lost is one order, also when it is repeated after the checkout would be too old', async () => {
  const made = await create()
  const path = `/checkout-sessions/${made.id}`
  const sent = { body: paid(), headers: { 'idempotency-key': `lost-${made.id}` } }
  await ask(`${path}/complete`, sent)
  const order = await orderOf(made.id)
  await answerOrder(order, 'confirmed')
  await shop.becomes(made.id, 'completed')
  await advanceTestClock(buying.app.databaseUrl, 7 * 3600)
  const again = await ask(`${path}/complete`, sent)
  expect([again.status, again.body]).toMatchObject([200, { id: made.id, status: 'complete_in_progress' }])
  const read = await ask(path, { method: 'GET' })
  expect(read.body).toMatchObject({ status: 'completed', order: { id: order } })
  expect(await buying.moneyOf(order)).toEqual(['authorize 2700 approved', 'capture 2700 approved'])
  // With a new key it is told, and nothing is bought.
  const other = await ask(`${path}/complete`, { body: paid() })
  expect([other.status, other.body]).toMatchObject([409, { code: 'checkout_not_open' }])
  expect(other.body.content).toContain('completed')
})

test('of two updates at once each is answered as a whole, and the last one holds as a whole', async () => {
  const made = await create()
  const path = `/checkout-sessions/${made.id}`
  const moved = { ...home, street_address: '7 Elm Rd' }
  const change = (body: object) => ask(path, { method: 'PUT', body: { buyer, ...body } })
  const [more, elsewhere] = await Promise.all([
    change({ line_items: mugs(2), fulfillment: shipping() }),
    change({ line_items: mugs(), fulfillment: shipping({ destinations: [moved] }) }),
  ])
  const told = ({ line_items, fulfillment }: typeof more.body) => [
    line_items[0].quantity,
    fulfillment.methods[0].destinations.map((one: { street_address: string }) => one.street_address),
  ]
  expect(told(more.body)).toEqual([2, ['5 Oak Rd']])
  expect(told(elsewhere.body)).toEqual([1, ['7 Elm Rd']])
  const read = (await ask(path, { method: 'GET' })).body
  expect([told(more.body), told(elsewhere.body)]).toContainEqual(told(read))
  expect([more.body, elsewhere.body].map((one) => total(one))).toContain(total(read))
})

test('every invariant holds of all of them', () => buying.audit())
