import { Challenge, Receipt } from 'mppx'
import { afterAll, expect, test } from 'vitest'
import { advanceTestClock } from '../../src/platform/clock/test-clock.ts'
import { startMppShop } from '../harness/mpp-shop.ts'

/** Orders that are paid by HTTP 402 at a merchant of ours, by a payer that knows the protocol alone. */
const shop = await startMppShop()
const { buying, ask, order, pay, challengeFor, tokenFor, credentialFor, answerOrder } = shop

afterAll(() => shop.stop())

const moneyOf = (id: string) => buying.moneyOf(id)
/** Addresses in answers name the public host, which here is another than where the service listens. */
const here = (url: string) => new URL(url.slice(new URL(url).origin.length), buying.app.url)
const statusOf = async (url: string) => (await fetch(here(url))).json()

test("the library's own client buys: challenge, payment, receipt, the merchant's answer", async () => {
  const url = `${buying.app.url}${shop.base}/orders`
  const response = await shop.payer.fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order()),
  })
  expect(response.status).toBe(201)
  expect(response.headers.get('cache-control')).toBe('private')
  // biome-ignore lint/suspicious/noExplicitAny: the assertions are about its shape
  const placed: any = await response.json()
  expect(placed).toMatchObject({
    object: 'order',
    status: 'awaiting_confirmation',
    currency: 'USD',
    totals: { subtotal: 2000, fulfillment: 500, tax: 200, discount: 0, total: 2700 },
    payment: { method: 'vault', status: 'authorized' },
  })
  const receipt = Receipt.fromResponse(response)
  expect(receipt).toMatchObject({
    status: 'success',
    method: 'vault',
    reference: placed.payment.reference,
    externalId: placed.id,
  })
  expect(await moneyOf(placed.id)).toEqual(['charge_credential 2700 approved'])
  const sold = await buying.app.get(`/v1/merchant/orders/${placed.id}`, { key: shop.key })
  expect(sold.body).toMatchObject({
    buyer: { kind: 'payer', profile_url: null, source: 'did:web:payer.example' },
    customer: { name: 'Ada Lovelace', email: 'ada@example.com' },
    shipping_address: { line1: '5 Oak Rd', city: 'Bend', recipient_name: 'Ada Lovelace' },
  })
  await answerOrder(placed.id, 'confirmed')
  const looked = async () => {
    await buying.relayed()
    return await statusOf(placed.status_url)
  }
  await expect
    .poll(looked, { interval: 20 })
    .toMatchObject({ status: 'confirmed', payment_status: 'captured' })
  expect(await moneyOf(placed.id)).toEqual(['charge_credential 2700 approved', 'capture 2700 approved'])
  expect(await buying.ended(shop.buyer, shop.intents[0] ?? '')).toMatchObject({
    status: 'succeeded',
    actual_amount: 2700,
  })
})

test('what the merchant rejects is released', async () => {
  const { answer, intent } = await pay(order())
  expect(answer.status).toBe(201)
  await answerOrder(answer.body.id, 'rejected')
  const looked = async () => {
    await buying.relayed()
    return await statusOf(answer.body.status_url)
  }
  await expect.poll(looked, { interval: 20 }).toMatchObject({ status: 'rejected', payment_status: 'voided' })
  expect((await buying.ended(shop.buyer, intent)).actual_amount ?? 0).toBe(0)
})

test('a challenge asks for the total of the whole order, and says why it is asked', async () => {
  const { status, headers, body } = await ask('/orders', { body: order() })
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    402,
    'application/problem+json',
    'no-store',
  ])
  const challenge = Challenge.fromHeaders(headers)
  expect(body).toMatchObject({
    type: 'https://paymentauth.org/problems/payment-required',
    status: 402,
    challengeId: challenge.id,
  })
  expect(challenge).toMatchObject({
    realm: new URL(buying.app.url).hostname,
    method: 'vault',
    intent: 'charge',
    request: {
      amount: '2700',
      currency: 'usd',
      recipient: 'test:rose',
      methodDetails: { testMode: true },
    },
  })
  const minutes =
    (Date.parse(challenge.expires ?? '') - Date.parse(body.at ?? new Date().toISOString())) / 60_000
  expect(minutes).toBeGreaterThan(8)
})

test('asking what to pay leaves nothing behind', async () => {
  const count = async () =>
    buying.sql(`select (select count(*) from sales) as sales, (select count(*) from checkouts) as checkouts,
      (select count(*) from idempotency_keys) as keys, (select count(*) from orders) as orders`)
  const before = await count()
  for (let index = 0; index < 5; index++) await challengeFor()
  expect(await count()).toEqual(before)
})

test('the same payment again gets the same answer and the same receipt, and pays once, however many come at once', async () => {
  const body = order()
  const challenge = await challengeFor(body)
  const { token } = await tokenFor(challenge)
  const credential = credentialFor(challenge, { token })
  const together = await Promise.all([1, 2, 3, 4].map(() => ask('/orders', { body, credential })))
  const placed = together.filter(({ status }) => status === 201)
  expect(placed.length).toBeGreaterThan(0)
  const [first] = placed
  for (const { status } of together) expect([201, 503]).toContain(status)
  const later = await ask('/orders', { body, credential })
  for (const answer of [...placed, later]) {
    expect(answer.body).toEqual(first?.body)
    expect(answer.headers.get('payment-receipt')).toBe(first?.headers.get('payment-receipt'))
  }
  expect(await moneyOf(later.body.id)).toEqual(['charge_credential 2700 approved'])
  await answerOrder(later.body.id, 'confirmed')
  const confirmed = await ask('/orders', { body, credential })
  expect(confirmed.body).toEqual(first?.body)
})

test("after a lost answer the caller's own key finds the order, and the second payment is not used", async () => {
  const body = order()
  const first = await pay(body, { key: 'order-17' })
  expect(first.answer.status).toBe(201)
  const second = await pay(body, { key: 'order-17' })
  expect(second.answer.status).toBe(201)
  expect(second.answer.body).toEqual(first.answer.body)
  expect(await moneyOf(first.answer.body.id)).toEqual(['charge_credential 2700 approved'])
  const [unused] = await buying.sql<{ order_id: string | null }>(
    'select order_id from payment_tokens where intent_id = $1',
    [second.intent],
  )
  expect(unused?.order_id).toBeNull()
  const other = await pay(order({ buyer: { email: 'bob@example.com' } }), { key: 'order-17' })
  expect([other.answer.status, other.answer.body.code]).toEqual([409, 'idempotency_key_conflict'])
})

/** What comes of a payment that is not good: the problem, and that nothing was placed. */
async function refused(sent: Parameters<typeof ask>[1]) {
  const before = await buying.sql('select count(*) as n from sales')
  const { status, headers, body } = await ask('/orders', sent)
  expect(await buying.sql('select count(*) as n from sales')).toEqual(before)
  if (status === 402) expect(Challenge.fromHeaders(headers).id).toBe(body.challengeId)
  return `${status} ${String(body.type).replace('https://paymentauth.org/problems/', '')}${body.code ? ` ${body.code}` : ''}`
}

test('a payment is for one request at one merchant: every other use is refused with a new challenge', async () => {
  const body = order()
  const challenge = await challengeFor(body)
  const { token } = await tokenFor(challenge)
  const credential = credentialFor(challenge, { token })
  const two = order({ items: [{ variant_id: shop.variants.MUG, quantity: 2 }] })
  expect(await refused({ body: two, credential })).toBe('402 invalid-challenge')
  const other = order({ buyer: { email: 'eve@example.com' } })
  expect(await refused({ body: other, credential })).toBe('402 invalid-challenge')
  const cheaper = { ...challenge, request: { ...challenge.request, amount: '1' } }
  expect(await refused({ body, credential: credentialFor(cheaper, { token }) })).toBe('402 invalid-challenge')
  const longer = { ...challenge, expires: '2099-01-01T00:00:00.000Z' }
  expect(await refused({ body, credential: credentialFor(longer, { token }) })).toBe('402 invalid-challenge')
  const elsewhere = { ...challenge, realm: 'evil.example' }
  expect(await refused({ body, credential: credentialFor(elsewhere, { token }) })).toBe(
    '402 invalid-challenge',
  )
  const endless = JSON.stringify(body).replace('"quantity":1', '"quantity":1e400')
  expect(await refused({ text: endless, credential })).toMatch(/^4(00|22) /)
  expect(await refused({ body, credential: 'Payment !!!' })).toBe('402 malformed-credential')
  expect(await refused({ body, credential: 'Payment eyJhIjoxfQ' })).toBe('402 malformed-credential')
  expect(await refused({ body, credential: 'Bearer abc' })).toBe('402 payment-required')
  expect(await refused({ body, credential: credentialFor(challenge, { tok: 1 }) })).toBe(
    '402 invalid-payload',
  )
  expect(await refused({ body, credential: credentialFor(challenge, { token: 'vtok_test_no' }) })).toBe(
    '402 verification-failed',
  )
  const second = await challengeFor(body)
  expect(await refused({ body, credential: credentialFor(second, { token }) })).toBe(
    '402 verification-failed',
  )
  // After all that the payment is still good for what it was made for.
  expect((await ask('/orders', { body, credential })).status).toBe(201)
})

test('a card that is declined pays nothing: no order, and a new challenge', async () => {
  const body = order()
  const challenge = await challengeFor(body)
  const { token, intent } = await tokenFor(challenge)
  await buying.sandbox.fault({
    match: { operation: 'charge_credential' },
    fault: 'decline=insufficient_funds',
    times: 1,
  })
  const credential = credentialFor(challenge, { token })
  const answer = await ask('/orders', { body, credential })
  expect([answer.status, answer.body.type]).toEqual([
    402,
    'https://paymentauth.org/problems/verification-failed',
  ])
  const again = await ask('/orders', { body, credential })
  expect([again.status, again.body.type]).toEqual([answer.status, answer.body.type])
  expect(await buying.read(shop.buyer, intent)).toMatchObject({ actual_amount: 0 })
  expect(await buying.sql('select 1 from orders where id = $1', [again.body.id ?? ''])).toEqual([])
})

test('JSON that means the same is the same request', async () => {
  const body = order()
  const challenge = await challengeFor(body)
  const { token } = await tokenFor(challenge)
  const reversed = Object.fromEntries(Object.entries(body).reverse())
  const text = JSON.stringify(reversed, null, 2)
  const answer = await ask('/orders', { text, credential: credentialFor(challenge, { token }) })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
})

test('a token below the total, and one for a checkout, pay nothing', async () => {
  const body = order()
  const challenge = await challengeFor(body)
  const small = await tokenFor(challenge, { amount: 2699 })
  expect(await refused({ body, credential: credentialFor(challenge, { token: small.token }) })).toBe(
    '402 verification-failed',
  )
})

test('a price that has changed is asked for anew, and nothing is charged', async () => {
  const body = order({ items: [{ variant_id: shop.variants.MUG, quantity: 3 }] })
  const challenge = await challengeFor(body)
  const { token } = await tokenFor(challenge, { amount: 5000 })
  const credential = credentialFor(challenge, { token })
  await shop.post('/v1/merchant', { tax_basis_points: 2000 })
  try {
    const { status, headers, body: problem } = await ask('/orders', { body, credential })
    expect([status, problem.type]).toEqual([402, 'https://paymentauth.org/problems/payment-expired'])
    expect(Number(Challenge.fromHeaders(headers).request.amount)).toBeGreaterThan(
      Number(challenge.request.amount),
    )
  } finally {
    await shop.post('/v1/merchant', { tax_basis_points: 1000 })
  }
})

test('a challenge can be answered for ten minutes, and what was paid is found after that', async () => {
  const body = order()
  const [early, late] = [await challengeFor(body), await challengeFor(body)]
  const credentials = [
    credentialFor(early, { token: (await tokenFor(early)).token }),
    credentialFor(late, { token: (await tokenFor(late)).token }),
  ] as const
  await advanceTestClock(buying.app.databaseUrl, 590)
  const first = await ask('/orders', { body, credential: credentials[0] })
  expect(first.status, JSON.stringify(first.body)).toBe(201)
  await advanceTestClock(buying.app.databaseUrl, 15)
  expect(await refused({ body, credential: credentials[1] })).toBe('402 payment-expired')
  expect((await ask('/orders', { body, credential: credentials[0] })).body).toEqual(first.body)
})

test('what cannot be ordered is said before anything has to be paid', async () => {
  const said = async (sent: Parameters<typeof ask>[1], path = '/orders') => {
    const { status, body } = await ask(path, sent)
    return `${status} ${body.code}`
  }
  expect(await said({ body: order({ items: [{ variant_id: 'var_none' }] }) })).toBe('409 order_not_possible')
  expect(await said({ body: order({ items: [{ variant_id: shop.variants.MUG, quantity: 9999 }] }) })).toBe(
    '409 order_not_possible',
  )
  const { buyer: _, ...nobody } = order()
  expect(await said({ body: nobody })).toBe('422 order_incomplete')
  const { shipping_address: __, ...nowhere } = order()
  expect(await said({ body: nowhere })).toBe('422 order_incomplete')
  expect(await said({ body: order({ color: 'red' }) })).toBe('422 invalid_request')
  expect(await said({ body: order({ items: [] }) })).toBe('422 invalid_request')
  expect(await said({ text: '{' })).toMatch(/^4/)
  expect(await said({})).toBe('422 invalid_request')
})

test('a quote shows the price, the ways of sending, and what is missing; it is ordered as it is', async () => {
  const { status, body } = await ask('/quotes', { body: order() })
  expect(status).toBe(200)
  expect(body).toMatchObject({ object: 'quote', is_ready: true, missing: [], totals: { total: 2700 } })
  expect(body.shipping_options.map(({ title }: { title: string }) => title).sort()).toEqual([
    'Express',
    'Standard',
  ])
  const express = body.shipping_options.find(({ title }: { title: string }) => title === 'Express')
  const challenge = await challengeFor(order({ shipping_option_id: express.id }))
  expect(challenge.request.amount).toBe('3700')
  const { buyer: _, ...nobody } = order()
  const open = await ask('/quotes', { body: nobody })
  expect(open.body).toMatchObject({ is_ready: false, missing: [{ code: 'buyer_required' }] })
})

test('the catalog is found and read, and what it names can be ordered', async () => {
  const found = await ask('/catalog?q=mug&limit=5', { method: 'GET' })
  expect(found.status).toBe(200)
  const [product] = found.body.products
  expect(product).toMatchObject({ title: 'Mug', purchasable: { mpp: product.purchasable.ucp } })
  expect(product.variants.map(({ id }: { id: string }) => id)).toEqual([shop.variants.MUG])
  expect((await ask(`/products/${product.id}`, { method: 'GET' })).body).toEqual(product)
  expect((await ask('/products/nothing', { method: 'GET' })).status).toBe(404)
  expect((await ask('/catalog?limit=0', { method: 'GET' })).status).toBe(422)
})

test('an order counts for the search in which its goods were found, and a token that does not fit changes nothing', async () => {
  await buying.relayed()
  const searched = await buying.app.post('/v1/catalog', { query: 'mug' }, { key: shop.key })
  const token = searched.headers.get('service-attribution-id') ?? ''
  expect(token).toMatch(/^attr_/)
  const stranger = (await buying.app.newAccount('Lily')).keys.secret_test
  await buying.app.post('/v1/merchant', { slug: 'lily', currency: 'USD' }, { key: stranger })
  const sold = { title: 'Vase', variants: [{ sku: 'VASE', price: 100, currency: 'USD' }] }
  const item = await buying.app.post('/v1/merchant/catalog_items', sold, { key: stranger })
  await buying.app.post(`/v1/merchant/catalog_items/${item.body.id}/publish`, undefined, { key: stranger })
  await buying.relayed()
  const other = await buying.app.post('/v1/catalog', { query: 'vase' }, { key: stranger })
  const others = other.headers.get('service-attribution-id') ?? ''
  const standings: unknown[] = []
  for (const attribution_token of [token, others, 'attr_of_nobody', `${token}x`]) {
    const { answer } = await pay(order({ attribution_token }))
    expect([answer.status, answer.body.attribution_token]).toEqual([201, attribution_token])
    const rows = await buying.sql('select standing from attributed_orders where order_id = $1', [
      answer.body.id,
    ])
    standings.push(rows)
  }
  expect(standings).toEqual(
    ['counted', 'other_merchant', 'invalid', 'invalid'].map((standing) => [{ standing }]),
  )
})

test('an order is read by its whole address alone', async () => {
  const { answer } = await pay(order())
  const url = here(answer.body.status_url)
  expect((await fetch(url)).status).toBe(200)
  url.searchParams.set('key', 'x'.repeat(24))
  expect((await fetch(url)).status).toBe(404)
  url.searchParams.delete('key')
  expect((await fetch(url)).status).toBe(422)
  const other = here(answer.body.status_url.replace('/test/m/rose', '/m/rose'))
  expect((await fetch(other)).status).toBe(404)
})

test('an unknown merchant is not there, whatever is asked of it', async () => {
  for (const [method, path] of [
    ['POST', '/orders'],
    ['POST', '/quotes'],
    ['GET', '/catalog'],
    ['GET', '/.well-known/mpp.json'],
    ['GET', '/openapi.json'],
    ['POST', '/mcp'],
  ] as const) {
    const response = await fetch(`${buying.app.url}/mpp/test/m/nobody${path}`, {
      method,
      ...(method === 'POST' ? { body: '{}', headers: { 'content-type': 'application/json' } } : {}),
    })
    expect([path, response.status]).toEqual([path, 404])
  }
})

test('a token is nowhere in what the service says or writes down', async () => {
  const { token } = await pay(order())
  expect(JSON.stringify(buying.app.lines)).not.toContain(token)
})

test('every invariant holds of all of them', () => buying.audit())
