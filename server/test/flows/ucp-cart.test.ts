import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { advanceTestClock } from '../../src/platform/clock/test-clock.ts'
import { ucpSchemas } from '../harness/ucp-schemas.ts'
import { paid, startUcpShop, total } from '../harness/ucp-shop.ts'

const shop = await startUcpShop()
const { buying, platform, stranger, ask, mugs, buyer, shipping, post, orderOf, answerOrder, becomes } = shop
afterEach(() => buying.audit())
afterAll(() => shop.stop())

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
async function fill(more: object = {}, sent: object = {}): Promise<any> {
  const answer = await ask('/carts', { body: { line_items: mugs(2), buyer, ...more }, ...sent })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}
const isGone = (answer: { status: number; body: { messages: object[] } }) =>
  expect([answer.status, answer.body.messages]).toMatchObject([200, [{ code: 'not_found' }]])

const { body: code } = await post('/v1/promotions', {
  name: 'A tenth off',
  code: '10OFF',
  currency: 'USD',
  arms: [{ kind: 'percent', value: 1000, ttl_minutes: 60 }],
})
await post(`/v1/promotions/${code.id}/publish`)

describe.each(['2026-08-25', '2026-04-08'] as const)('%s', (release) => {
  const schema = ucpSchemas(release)
  const faultOf = (cart: object) => schema('schemas/shopping/cart.json', cart)
  const headers = { 'ucp-agent': `profile="${platform.profileUrl.replace(/ucp$/, `ucp/${release}`)}"` }

  test('a cart is made, read, changed and canceled', async () => {
    const made = await fill({ discounts: { codes: ['10OFF', 'NOTHING'] } }, { headers })
    expect(faultOf(made)).toBeNull()
    expect(made.ucp.capabilities).toHaveProperty(['dev.ucp.shopping.cart'])
    expect(made.ucp.capabilities).toHaveProperty(['dev.ucp.shopping.discount'])
    expect([total(made, 'subtotal'), total(made, 'discount'), total(made)]).toEqual([4000, -400, 3960])
    expect(made.messages).toMatchObject([{ type: 'warning', code: 'discount_code_invalid' }])
    const path = `/carts/${made.id}`
    const read = await ask(path, { method: 'GET', headers })
    expect(read.body).toEqual(made)
    const changed = await ask(path, { method: 'PUT', body: { line_items: mugs(1) }, headers })
    expect([faultOf(changed.body), total(changed.body), changed.body.discounts.codes]).toEqual([
      null,
      2200,
      [],
    ])
    expect((await ask(`${path}/cancel`, { method: 'POST', headers })).body.id).toBe(made.id)
    isGone(await ask(path, { method: 'GET', headers }))
    isGone(await ask(path, { method: 'PUT', body: { line_items: mugs() }, headers }))
  })
})

test('the business declares carts, and discounts extend them', async () => {
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
  const profile: any = await (await fetch(`${buying.app.url}${shop.base}/.well-known/ucp`)).json()
  const { capabilities } = profile.ucp
  expect(capabilities['dev.ucp.shopping.cart']).toMatchObject([{ version: '2026-08-25' }])
  expect(capabilities['dev.ucp.shopping.discount'][0].extends).toEqual([
    'dev.ucp.shopping.checkout',
    'dev.ucp.shopping.cart',
  ])
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
  const old: any = await (await fetch(`${buying.app.url}${shop.base}/.well-known/ucp/2026-01-23`)).json()
  expect(old.ucp.capabilities).not.toHaveProperty(['dev.ucp.shopping.cart'])
  expect(old.ucp.capabilities['dev.ucp.shopping.discount'][0].extends).toBe('dev.ucp.shopping.checkout')
})

test('a cart becomes a checkout with its goods, buyer and codes, and while that is open the same one', async () => {
  const cart = await fill({ discounts: { codes: ['10OFF'] }, attribution: { campaign: 'spring' } })
  const body = { cart_id: cart.id, line_items: mugs(9), fulfillment: shipping() }
  const made = await ask('/checkout-sessions', { body })
  expect([made.status, made.body.status]).toEqual([201, 'ready_for_complete'])
  expect(made.body.line_items).toMatchObject([{ quantity: 2 }])
  expect(made.body.buyer).toEqual(buyer)
  expect([total(made.body, 'discount'), total(made.body)]).toEqual([-400, 4460])
  const again = await ask('/checkout-sessions', { body })
  expect([again.status, again.body.id]).toEqual([200, made.body.id])
  await ask(`/checkout-sessions/${made.body.id}/complete`, { body: paid() })
  const order = await orderOf(made.body.id)
  await answerOrder(order, 'confirmed')
  await becomes(made.body.id, 'completed')
  expect((await ask(`/orders/${order}`, { method: 'GET' })).body.attribution).toEqual({ campaign: 'spring' })
  const next = await ask('/checkout-sessions', { body })
  expect([next.status, next.body.id === made.body.id]).toEqual([201, false])
})

test('the token of a search stays with a checkout, and is on the order beside what the platform says', async () => {
  const found = { 'service-attribution-id': 'attr_abc' }
  const body = { line_items: mugs(), buyer, fulfillment: shipping(), attribution: { campaign: 'spring' } }
  const made = await ask('/checkout-sessions', { body, headers: found })
  const path = `/checkout-sessions/${made.body.id}`
  await ask(path, { method: 'PUT', body: { ...body, attribution: { campaign: 'summer' } } })
  await ask(`${path}/complete`, { body: paid() })
  const order = await orderOf(made.body.id)
  await answerOrder(order, 'confirmed')
  await becomes(made.body.id, 'completed')
  expect((await ask(`/orders/${order}`, { method: 'GET' })).body.attribution).toEqual({
    campaign: 'summer',
    service_attribution_id: 'attr_abc',
  })
  const kept = await shop.buying.sql('select standing from attributed_orders where order_id = $1', [order])
  expect(kept).toEqual([{ standing: 'invalid' }])
  const wrong = await ask('/checkout-sessions', { body, headers: { 'service-attribution-id': '<b>' } })
  expect(wrong.status).toBe(201)
})

test('two checkouts that are made of one cart at once are one', async () => {
  const cart = await fill()
  const body = { cart_id: cart.id, line_items: mugs(), fulfillment: shipping() }
  const both = await Promise.all([ask('/checkout-sessions', { body }), ask('/checkout-sessions', { body })])
  expect(new Set(both.map((one) => one.body.id)).size).toBe(1)
})

test('nobody else sees a cart, and no checkout is made of one that is none', async () => {
  const cart = await fill()
  isGone(await ask(`/carts/${cart.id}`, { method: 'GET', by: stranger }))
  isGone(await ask(`/carts/${cart.id}`, { method: 'GET', signed: false }))
  const body = { line_items: mugs(), buyer, fulfillment: shipping() }
  isGone(await ask('/checkout-sessions', { body: { ...body, cart_id: cart.id }, by: stranger }))
  isGone(await ask('/checkout-sessions', { body: { ...body, cart_id: 'crt_none' } }))
})

test('what cannot be sold makes no cart, and changes none', async () => {
  const refused = await ask('/carts', { body: { line_items: mugs(600) } })
  expect(refused.body).toMatchObject({ ucp: { status: 'error' }, messages: [{ code: 'out_of_stock' }] })
  const cart = await fill()
  const changed = await ask(`/carts/${cart.id}`, { method: 'PUT', body: { line_items: mugs(600) } })
  expect(changed.body).toMatchObject({ line_items: [{ quantity: 2 }], messages: [{ code: 'out_of_stock' }] })
})

test('over tools too', async () => {
  const meta = { 'ucp-agent': { profile: platform.profileUrl } }
  const call = async (name: string, args: object) => {
    const request = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: { meta, ...args } },
    }
    const answer = await ask('/mcp', { body: request, headers: { 'ucp-agent': '' }, signed: false })
    return answer.body.result.structuredContent
  }
  const made = await call('create_cart', { cart: { line_items: mugs(2) } })
  expect(ucpSchemas('2026-08-25')('schemas/shopping/cart.json', made)).toBeNull()
  expect((await call('get_cart', { id: made.id })).id).toBe(made.id)
  expect(total(await call('update_cart', { id: made.id, cart: { line_items: mugs(1) } }))).toBe(2200)
  expect((await call('cancel_cart', { id: made.id })).id).toBe(made.id)
})

test('after three days without a change a cart is gone', async () => {
  const cart = await fill()
  await advanceTestClock(buying.app.databaseUrl, 72 * 3600 + 1)
  isGone(await ask(`/carts/${cart.id}`, { method: 'GET' }))
})
