import { afterAll, describe, expect, test } from 'vitest'
import { amountOf, paymentOf, startSuiteShop } from '../harness/suite-shop.ts'
import { ucpSchemas } from '../harness/ucp-schemas.ts'

// The steps of the official suite of 2026-01-11, told again: the suite itself is Python, which a developer need not have.
const shop = await startSuiteShop()
const { buying, front, send, roses, shipping, create, update, complete, placed } = shop
afterAll(() => shop.stop())

const schema = ucpSchemas('2026-01-11')
const faultOf = (checkout: object) =>
  schema('schemas/shopping/fulfillment_resp.json#/$defs/checkout', checkout)
const john = { buyer: { full_name: 'John Doe', email: 'john.doe@example.com' } }
const us = { id: 'dest_us', address_country: 'US', postal_code: '62704' }
const ca = { id: 'dest_ca', address_country: 'CA', postal_code: 'M5V 2H1', street_address: '123 New St' }
const to = (one: { id: string }, more: object = {}) =>
  shipping({ destinations: [one], selected_destination_id: one.id, ...more })

test('the profile has what the suite looks for, and every document that it names can be read', async () => {
  const { status, body } = await send('GET', '/.well-known/ucp')
  expect([status, schema('discovery/profile_schema.json', body)]).toEqual([200, null])
  expect(body.ucp.capabilities.map(({ name }: { name: string }) => name)).toEqual([
    'dev.ucp.shopping.checkout',
    'dev.ucp.shopping.order',
    'dev.ucp.shopping.discount',
    'dev.ucp.shopping.fulfillment',
    'dev.ucp.shopping.buyer_consent',
  ])
  expect(body.payment.handlers).toMatchObject([
    { id: 'google_pay' },
    { id: 'mock_payment_handler' },
    { id: 'shop_pay', name: 'com.shopify.shop_pay', config: { shop_id: expect.any(String) } },
  ])
  const urls = JSON.stringify(body).match(/http[^"]+\/documents\/[^"]+/g) ?? []
  expect(urls.length).toBeGreaterThan(10)
  for (const url of new Set(urls)) {
    const document = await send('GET', url.slice(front.url.length))
    expect([document.status, document.body.$id]).toEqual([200, url])
  }
})

test('prices are those of the catalog, whatever the client says', async () => {
  const made = await create({
    line_items: [{ item: { id: 'bouquet_roses', title: 'Wrong', price: 1 }, quantity: 1 }],
  })
  expect(faultOf(made)).toBeNull()
  expect(made.line_items[0].item).toEqual({ id: 'bouquet_roses', title: 'Bouquet of Red Roses', price: 3500 })
  expect([amountOf(made.totals, 'subtotal'), amountOf(made.totals)]).toEqual([3500, 3500])
  expect(amountOf((await update(made.id, {}, 2)).totals)).toBe(7000)
})

test("the protocol's own sample client buys: it adds goods, asks for delivery, chooses an address of its buyer, and pays", async () => {
  const goods = (one = {}, two = {}) => ({
    line_items: [
      { ...one, item: { id: 'bouquet_roses', title: 'Red Rose' }, quantity: 1 },
      { ...two, item: { id: 'pot_ceramic', title: 'Ceramic Pot' }, quantity: 2 },
    ],
  })
  const made = await create(john)
  // It asks for the ways of delivery where there are none yet.
  expect(made.fulfillment).toBeUndefined()
  const more = await update(made.id, goods({ id: made.line_items[0].id }))
  const [one, two] = more.line_items.map(({ id }: { id: string }) => ({ id }))
  const cheaper = await update(made.id, { ...goods(one, two), discounts: { codes: ['10OFF'] } })
  expect([cheaper.discounts.applied.length, cheaper.fulfillment]).toEqual([1, undefined])
  const asked = await update(made.id, { ...goods(one, two), ...shipping() })
  const [first] = asked.fulfillment.methods[0].destinations
  expect([faultOf(asked), first.id]).toEqual([null, 'addr_1'])
  const left = await update(made.id, { ...goods(one, two), fulfillment: {} })
  expect(left.fulfillment.methods[0].destinations).toEqual(asked.fulfillment.methods[0].destinations)
  const selected = { selected_destination_id: first.id }
  const placed = await update(made.id, { ...goods(one, two), ...shipping(selected) })
  const [option] = placed.fulfillment.methods[0].groups[0].options
  const groups = [{ selected_option_id: option.id }]
  await update(made.id, { ...goods(one, two), ...shipping({ ...selected, groups }) })
  const { body } = await complete(made.id)
  expect(body.status).toBe('completed')
  const page = await fetch(body.order.permalink_url, { headers: { accept: 'text/html' } })
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Your order at')])
})

describe('codes', () => {
  test.each([
    [['10OFF'], 3150, ['10OFF']],
    [['10OFF', 'WELCOME20'], 2520, ['10OFF', 'WELCOME20']],
    [['10OFF', 'INVALID_CODE'], 3150, ['10OFF']],
    [['FIXED500'], 3000, ['FIXED500']],
    [['INVALID_CODE_123'], 3500, []],
  ])('%j', async (codes, total, applied) => {
    const made = await create({})
    const after = await update(made.id, { discounts: { codes } })
    expect(faultOf(after)).toBeNull()
    expect(schema('schemas/shopping/discount_resp.json#/$defs/discounts_object', after.discounts)).toBeNull()
    expect(amountOf(after.totals)).toBe(total)
    expect(after.discounts.applied.map(({ code }: { code: string }) => code)).toEqual(applied)
  })
})

test('what an update leaves out stays: buyer, consent, destination and codes', async () => {
  const consent = { marketing: true, analytics: false, sale_of_data: false }
  const made = await create({
    ...placed,
    buyer: { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', consent },
    discounts: { codes: ['10OFF'] },
  })
  const after = await update(made.id, {}, 2)
  expect(after.buyer).toMatchObject({ first_name: 'Ada', email: 'ada@example.com', consent })
  expect(after.fulfillment.methods[0]).toMatchObject({ selected_destination_id: 'dest_1' })
  expect(amountOf(after.totals)).toBe(6300)
  expect((await send('GET', `/checkout-sessions/${made.id}`)).body).toEqual(after)
})

describe('ways of delivery', () => {
  const optionsFor = async (one: { id: string }, quantity = 1, item = 'orchid_white') => {
    const made = await create(to(one), quantity, item)
    const [method] = made.fulfillment.methods
    expect(faultOf(made)).toBeNull()
    return method.groups[0].options.map(
      ({ id, title, totals }: { id: string; title: string; totals: [] }) => [id, title, amountOf(totals)],
    )
  }
  const us1500 = ['exp-ship-us', 'Express Shipping (US)', 1500]
  const standard = ['std-ship', 'Standard Shipping', 500]
  const free = ['std-ship', 'Standard Shipping (Free)', 0]

  test('follow the country', async () => {
    expect(await optionsFor(us)).toEqual([standard, us1500])
    expect(await optionsFor(ca)).toEqual([standard, ['exp-ship-intl', 'International Express', 2500]])
  })

  test('standard shipping is free for roses, and from a subtotal of 100 on', async () => {
    expect(await optionsFor(us, 1, 'bouquet_roses')).toEqual([free, us1500])
    expect(await optionsFor(us, 3)).toEqual([free, us1500])
  })

  test('the chosen one is in the total', async () => {
    const made = await create(to(us, { groups: [{ selected_option_id: 'exp-ship-us' }] }))
    expect(amountOf(made.totals)).toBe(5000)
  })
})

describe('addresses of buyers', () => {
  const destinationsOf = async (buyer: object, more: object) => {
    const made = await create(buyer)
    return (await update(made.id, shipping(more))).fulfillment.methods[0].destinations
  }

  test.each([
    ['nobody knows', 'unknown@example.com'],
    ['has no address', 'jane.doe@example.com'],
  ])('a buyer who %s gets none', async (_who, email) => {
    expect(await destinationsOf({ buyer: { email } }, {})).toBeUndefined()
  })

  test('a known buyer gets those of before, and can select one', async () => {
    const made = await create(john)
    const [method] = (await update(made.id, shipping())).fulfillment.methods
    expect(method.destinations.map(({ id }: { id: string }) => id)).toEqual(['addr_1', 'addr_2'])
    const chosen = (await update(made.id, shipping({ selected_destination_id: 'addr_2' }))).fulfillment
      .methods[0]
    expect(chosen.selected_destination_id).toBe('addr_2')
    expect(chosen.destinations[1]).toMatchObject({ street_address: '456 Oak Ave', postal_code: '10012' })
  })

  test('one that is sent replaces them, and one that is known has its id', async () => {
    expect(await destinationsOf(john, { destinations: [ca] })).toMatchObject([{ id: 'dest_ca' }])
    const known = {
      street_address: '123 Main St',
      address_locality: 'Springfield',
      address_region: 'IL',
      postal_code: '62704',
      address_country: 'US',
    }
    expect(await destinationsOf(john, { destinations: [known] })).toMatchObject([{ id: 'addr_1' }])
  })

  test('a new one is remembered for the next checkout of that buyer, and of nobody else', async () => {
    const { id: _, ...address } = ca
    const [first] = await destinationsOf(
      { buyer: { email: 'New.User@example.com' } },
      { destinations: [address] },
    )
    expect(first.id).toMatch(/^addr_/)
    expect(await destinationsOf({ buyer: { email: 'new.user@example.com' } }, {})).toEqual([first])
    expect(await destinationsOf({ buyer: { email: 'other@example.com' } }, {})).toBeUndefined()
  })
})

describe('refusals', () => {
  test.each([
    ['sold out', roses({}, 1, 'gardenias'), 'Insufficient stock'],
    ['unknown', roses({}, 1, 'pink_wumpus'), 'not found'],
    ['a name of every object', roses({}, 1, 'constructor'), 'not found'],
    ['more than there is', roses({}, 10_001), 'stock'],
  ])('%s', async (_what, body, words) => {
    const { status, body: said } = await send('POST', '/checkout-sessions', body)
    expect([status, said.detail]).toEqual([400, expect.stringContaining(words)])
  })

  test('an update that cannot be sold changes nothing', async () => {
    const made = await create()
    const { status, body } = await send('PUT', `/checkout-sessions/${made.id}`, roses({}, 1001))
    expect([status, body.detail]).toEqual([400, expect.stringContaining('stock')])
    expect((await send('GET', `/checkout-sessions/${made.id}`)).body).toEqual(made)
  })

  test('an update of which only a part can be sold changes nothing either', async () => {
    const made = await create({ ...placed, discounts: { codes: ['10OFF'] }, ...john })
    const lines = ['bouquet_roses', 'gardenias'].map((id) => ({ item: { id }, quantity: 2 }))
    const body = { line_items: lines, buyer: { email: 'other@example.com' }, discounts: { codes: [] } }
    const { status } = await send('PUT', `/checkout-sessions/${made.id}`, body)
    const { expires_at: _, ...now } = (await send('GET', `/checkout-sessions/${made.id}`)).body
    expect(status).toBe(400)
    expect(made).toMatchObject(now)
  })

  test('a release that is not spoken, and nobody who calls', async () => {
    const said = async (agent: string) =>
      (await send('POST', '/checkout-sessions', roses(), { agent })).status
    expect(await said('profile="..."; version="2026-01-11"')).toBe(201)
    expect(await said('profile="..."; version="2099-01-01"')).toBe(400)
    expect(await said('nonsense')).toBe(400)
  })

  test('another platform sees no checkout of this one', async () => {
    const made = await create()
    const agent = 'profile="somebody else"'
    expect((await send('GET', `/checkout-sessions/${made.id}`, undefined, { agent })).status).toBe(404)
    expect((await send('POST', `/checkout-sessions/${made.id}/cancel`, {}, { agent })).status).toBe(404)
  })
})

describe('a completion', () => {
  test('pays, confirms itself and shows the order', async () => {
    const made = await create()
    const { status, body } = await complete(made.id)
    expect([status, body.status, faultOf(body)]).toEqual([200, 'completed', null])
    expect(body.order).toEqual({ id: expect.stringMatching(/^ord_/), permalink_url: expect.any(String) })
    expect(await buying.moneyOf(body.order.id)).toEqual(['authorize 3500 approved', 'capture 3500 approved'])
  })

  test.each([
    [
      'a token with a binding',
      { type: 'stripe_token', token: 'success_token', binding: { checkout_id: 'any' } },
    ],
    ['the number of a test card', { type: 'card', number: '4242424242424242', expiry_month: 12, cvc: '123' }],
  ])('pays with %s', async (_what, credential) => {
    const made = await create()
    const ap2 = { checkout_mandate: 'header.payload.signature~kb_signature' }
    const path = `/checkout-sessions/${made.id}/complete`
    expect((await send('POST', path, { ...paymentOf(credential), ap2 })).body.status).toBe('completed')
  })

  test.each([
    ['a token that fails', { type: 'token', token: 'fail_token' }],
    ['a token that is none', { type: 'token', token: 'constructor' }],
    ['another card', { type: 'card', number: '4111111111111111' }],
  ])('is refused with 402 for %s, and can be tried again', async (_what, credential) => {
    const made = await create()
    const path = `/checkout-sessions/${made.id}/complete`
    expect((await send('POST', path, paymentOf(credential), { key: `of ${made.id}` })).status).toBe(402)
    expect((await send('POST', path, paymentOf(credential), { key: `of ${made.id}` })).status).toBe(402)
    expect((await complete(made.id)).body.status).toBe('completed')
  })

  test('needs a destination and an option', async () => {
    const made = await create({})
    const { status, body } = await complete(made.id)
    expect([status, body.detail]).toEqual([400, 'Fulfillment address and option must be selected'])
  })
})

test('the same key and body have the same answer, and another body is a conflict', async () => {
  const twice = async (method: string, path: string, bodies: [object, object]) => {
    const sent = { key: `${method} ${path}` }
    const answers = [
      await send(method, path, bodies[0], sent),
      await send(method, path, bodies[0], sent),
      await send(method, path, bodies[1], sent),
    ]
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]?.status).toBe(409)
    return answers[0]?.body
  }
  const made = await twice('POST', '/checkout-sessions', [
    roses(placed),
    roses({ ...placed, currency: 'EUR' }),
  ])
  const path = `/checkout-sessions/${made.id}`
  await twice('PUT', path, [roses({}, 2), roses({}, 3)])
  const pay = (token: string) => paymentOf({ type: 'token', token })
  const done = await twice('POST', `${path}/complete`, [pay('success_token'), pay('different_token')])
  expect(done.status).toBe('completed')
})

test('what has ended does not change any more', async () => {
  const canceled = (await create()).id
  const { body } = await send('POST', `/checkout-sessions/${canceled}/cancel`, undefined, { key: 'cancel' })
  expect(body.status).toBe('canceled')
  expect(
    (await send('POST', `/checkout-sessions/${canceled}/cancel`, undefined, { key: 'cancel' })).body,
  ).toEqual(body)
  const completed = (await create()).id
  await complete(completed)
  for (const id of [canceled, completed]) {
    const path = `/checkout-sessions/${id}`
    expect((await send('POST', `${path}/cancel`)).status).toBe(409)
    expect((await send('PUT', path, roses())).status).toBe(409)
    expect((await complete(id)).status).toBe(409)
  }
})

test('every invariant holds of all of them', () => buying.audit())
