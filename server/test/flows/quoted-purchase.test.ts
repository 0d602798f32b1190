import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Buyer, type Buying, startBuying } from '../harness/buying.ts'
import { type Receiver, startReceiver } from '../harness/deliveries.ts'
import { accepted, answering, askQuote, openQuotingShop, type QuotingShop } from '../harness/quotes.ts'

let buying: Buying
let buyer: Buyer
let receiver: Receiver
let shop: QuotingShop
beforeAll(async () => {
  buying = await startBuying()
  buyer = await buying.newBuyer()
  receiver = await startReceiver()
  shop = await openQuotingShop(buying.app, receiver, {
    merchant: { domain: 'quoting.example', tax_basis_points: 700 },
    item: { url: 'https://quoting.example/thing' },
  })
})
afterEach(() => buying.audit())
afterAll(async () => {
  await receiver?.stop()
  await buying?.stop()
})

/** A quote of three for 1000, which is not a multiple of three. */
async function quoted(more: Record<string, unknown> = {}, request: Record<string, unknown> = {}) {
  const answer = (asked: Parameters<typeof accepted>[0]) =>
    accepted(asked, { quoted_amount_cents: 1000, ...more })
  receiver.answer(answering(buying.app, () => shop, answer))
  const body = { catalog_variant_id: shop.variantId, quantity: 3, ...request }
  const made = await askQuote(buying.app, body, { key: buyer.key })
  expect([made.status, made.body.status]).toEqual([201, 'quoted'])
  return made.body
}

const accept = (
  quote: { id: string; offers: { id: string }[] },
  more: Record<string, unknown> = {},
  headers: Record<string, string> = {},
) =>
  buying.app.post(
    `/v1/quotes/${quote.id}/accept`,
    { offer_id: quote.offers[0]?.id, profile_id: buyer.profileId, ...more },
    { key: buyer.key, headers },
  )
const read = async (id: string) => (await buying.app.get(`/v1/quotes/${id}`, { key: buyer.key })).body

async function ordered(id: string): Promise<string> {
  const intent = await buying.until(buyer, id, ({ carts }) => Boolean(carts[0]?.order))
  return String(intent.carts[0]?.order)
}

const confirm = (order: string) =>
  buying.app.post(
    `/v1/merchant/orders/${order}/responses`,
    { outcome: 'confirmed', confirmation_reference: `C-${order}` },
    { key: shop.key },
  )
const approve = (id: string) =>
  buying.app.post(`/v1/purchase_intents/${id}/approve`, { approve: true }, { key: buyer.key })

test('an accepted quote is bought for exactly its total, ordered under its id, and taken from the stock', async () => {
  const quote = await quoted()
  const intent = await accept(quote)
  expect(intent.status, JSON.stringify(intent.body)).toBe(201)
  expect(intent.body).toMatchObject({
    status: 'awaiting_approval',
    currency_code: 'EUR',
    expected_amount: 1000,
    max_allowed_amount: 1000,
    items: [{ quote_id: quote.id, quantity: 3, url: 'https://quoting.example/thing', expected_amount: 333 }],
  })
  // An approval after the end of the offer would approve nothing.
  expect(intent.body.approval.expires_at).toBe(quote.expires_at)
  expect(await read(quote.id)).toMatchObject({
    status: 'ordered',
    purchase_intent_id: intent.body.id,
    accepted_offer_id: quote.offers[0].id,
  })
  expect((await approve(intent.body.id)).status).toBe(200)
  const order = await ordered(intent.body.id)
  const placed = (await buying.app.get(`/v1/orders/${order}`, { key: buyer.key })).body
  expect(placed).toMatchObject({
    quote_id: quote.id,
    total_amount: 1000,
    line_items: [{ catalog_variant_id: shop.variantId, quantity: 3, unit_amount: 333, amount: 1000 }],
    totals: [
      { type: 'subtotal', amount: 1000 },
      { type: 'fulfillment', amount: 0 },
      { type: 'tax', amount: 0 },
      { type: 'total', amount: 1000 },
    ],
  })
  expect((await confirm(order)).status).toBe(200)
  const over = await buying.ended(buyer, intent.body.id)
  expect([over.status, over.actual_amount]).toEqual(['succeeded', 1000])
  const item = await buying.app.get(`/v1/merchant/catalog_items/${shop.itemId}`, { key: shop.key })
  expect(item.body.variants[0].quantity).toBe(97)
})

test('a subscription is bought by its quote alone, since its merchant has then said what is paid for', async () => {
  const selling = shop
  try {
    shop = await openQuotingShop(buying.app, receiver, {
      merchant: { domain: 'plans.example' },
      item: { url: 'https://plans.example/plan', item_type: 'subscription' },
    })
    const quote = await quoted()
    expect(quote.items).toMatchObject([{ item_type: 'subscription' }])
    const { body } = await accept(quote)
    expect((await approve(body.id)).status).toBe(200)
    expect((await confirm(await ordered(body.id))).status).toBe(200)
    expect(await buying.ended(buyer, body.id)).toMatchObject({ status: 'succeeded', actual_amount: 1000 })
  } finally {
    shop = selling
  }
})

test('an intent whose item names a quote means the same', async () => {
  const quote = await quoted()
  const item = { url: 'https://quoting.example/thing', quantity: 3, quote_id: quote.id }
  const create = (changes: object, more: object = {}) =>
    buying.app.post(
      '/v1/purchase_intents',
      { profile_id: buyer.profileId, items: [{ ...item, ...changes }], ...more },
      { key: buyer.key },
    )
  for (const [changes, more, loc] of [
    [{ quantity: 2 }, {}, ['body', 'items', 0, 'quantity']],
    [{ url: 'https://quoting.example/other' }, {}, ['body', 'items', 0, 'url']],
    [{ expected_currency: 'USD' }, {}, ['body', 'items', 0, 'expected_currency']],
    [{}, { currency_code: 'USD' }, ['body', 'currency_code']],
    [{}, { items: [item, { ...item, quote_id: undefined }] }, ['body', 'items']],
  ] as const) {
    const { status, body } = await create(changes, more)
    expect([status, body.detail[0].loc]).toEqual([422, loc])
  }
  const path = '/v1/purchase_intents/preview'
  const request = { profile_id: buyer.profileId, items: [item] }
  const preview = await buying.app.post(path, request, { key: buyer.key })
  expect(preview.body).toMatchObject({
    expected_amount: 1000,
    max_allowed_amount: 1000,
    offer: { total: 1000 },
  })
  const { status, body } = await create({})
  expect([status, body.expected_amount, body.max_allowed_amount]).toEqual([201, 1000, 1000])
  expect((await read(quote.id)).purchase_intent_id).toBe(body.id)
})

test('when fifty requests accept one quote at once, one gets it', async () => {
  const quote = await quoted()
  const answers = await Promise.all(Array.from({ length: 50 }, () => accept(quote)))
  const won = answers.filter(({ status }) => status === 201)
  expect(won).toHaveLength(1)
  expect(new Set(answers.filter((one) => one !== won[0]).map(({ body }) => body.detail.code))).toEqual(
    new Set(['quote_not_acceptable']),
  )
  const intents = await buying.sql(`select id from purchase_intents where items -> 0 ->> 'quote_id' = $1`, [
    quote.id,
  ])
  expect(intents).toEqual([{ id: won[0]?.body.id }])
})

test('the same key answers the purchase that it made', async () => {
  const quote = await quoted()
  const headers = { 'idempotency-key': `accept-${quote.id}` }
  const answers = await Promise.all(Array.from({ length: 5 }, () => accept(quote, {}, headers)))
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201])
})

test('a quote that cannot be accepted says why', async () => {
  const scarce = await quoted({ available_quantity: 2 })
  const few = await accept(scarce)
  expect([few.status, few.body.detail.code]).toEqual([409, 'quote_not_acceptable'])
  const quote = await quoted()
  const unknown = await accept(quote, { offer_id: 'offer_01jb2w9m4ye6xs3kq8t7v5c0zd' })
  expect([unknown.status, unknown.body.detail.param]).toEqual([404, 'offer_id'])
  await buying.sql(
    `update quotes set offers = jsonb_set(offers, '{0,expires_at}', '"2020-01-01T00:00:00.000Z"') where id = $1`,
    [quote.id],
  )
  const late = await accept(quote)
  expect([late.status, late.body.detail.code]).toEqual([409, 'quote_expired'])
  const stranger = { key: buying.app.stranger.keys.secret_test }
  const theirs = await buying.app.post(
    `/v1/quotes/${quote.id}/accept`,
    { offer_id: quote.offers[0].id, profile_id: buyer.profileId },
    stranger,
  )
  expect([theirs.status, theirs.body.detail.param]).toEqual([404, 'quote_id'])
  const other = await buying.newBuyer(undefined, buyer.account)
  const made = await quoted({}, { profile_id: buyer.profileId })
  const wrong = await accept(made, { profile_id: other.profileId })
  expect([wrong.status, wrong.body.detail[0].loc]).toEqual([422, ['body', 'profile_id']])
})

test('a quote has its price: a purchase of it names no promotion code', async () => {
  const quote = await quoted()
  const item = { url: 'https://quoting.example/thing', quantity: 3, quote_id: quote.id }
  const body = { profile_id: buyer.profileId, items: [item], preferences: { promo_code: 'TEA-20' } }
  const refused = await buying.app.post('/v1/purchase_intents', body, { key: buyer.key })
  expect([refused.status, refused.body.detail[0].loc, refused.body.detail[0].msg]).toEqual([
    422,
    ['body', 'preferences', 'promo_code'],
    'Value error, a quote has its price: leave the promotion code out',
  ])
  expect((await read(quote.id)).status).toBe('quoted')
  const without = await buying.app.post(
    '/v1/purchase_intents',
    { ...body, preferences: {} },
    { key: buyer.key },
  )
  expect([without.status, without.body.preferences?.promo_code]).toEqual([201, null])
})

test('a purchase that a policy denies leaves the quote to another', async () => {
  const other = await buying.newBuyer()
  const policy = {
    name: 'Small',
    currency: 'EUR',
    scope: { profile_ids: [other.profileId] },
    limits: { per_transaction_max: 500 },
  }
  expect((await buying.app.post('/v1/policies', policy, { key: other.key })).status).toBe(201)
  const made = await askQuote(buying.app, { catalog_item_id: shop.itemId, quantity: 3 }, { key: other.key })
  const denied = await buying.app.post(
    `/v1/quotes/${made.body.id}/accept`,
    { offer_id: made.body.offers[0].id, profile_id: other.profileId },
    { key: other.key },
  )
  expect([denied.status, denied.body.status]).toEqual([201, 'declined'])
  const left = await buying.app.get(`/v1/quotes/${made.body.id}`, { key: other.key })
  expect([left.body.status, left.body.purchase_intent_id]).toEqual(['quoted', null])
})

test('a purchase that begins after the offer has ended fails with the changed price, and charges nothing', async () => {
  const quote = await quoted()
  const intent = await accept(quote)
  await buying.sql(
    `update quotes set offers = jsonb_set(offers, '{0,expires_at}', to_jsonb(now() + interval '1 millisecond')) where id = $1`,
    [quote.id],
  )
  await approve(intent.body.id)
  const over = await buying.ended(buyer, intent.body.id)
  expect(over).toMatchObject({
    status: 'failed',
    actual_amount: 0,
    carts: [{ failure_reason: { code: 'price_changed', retry_policy: 'after_change' } }],
  })
})

test('a policy that allows it buys at the quoted price unattended', async () => {
  const other = await buying.newBuyer()
  const policy = {
    name: 'Allow',
    currency: 'EUR',
    scope: { profile_ids: [other.profileId] },
    limits: { per_transaction_max: 1000 },
    approval: { mode: 'never' },
  }
  expect((await buying.app.post('/v1/policies', policy, { key: other.key })).status).toBe(201)
  receiver.answer(
    answering(
      buying.app,
      () => shop,
      (asked) => accepted(asked, { quoted_amount_cents: 1000 }),
    ),
  )
  const made = await askQuote(buying.app, { catalog_item_id: shop.itemId }, { key: other.key })
  const intent = await buying.app.post(
    `/v1/quotes/${made.body.id}/accept`,
    { offer_id: made.body.offers[0].id, profile_id: other.profileId },
    { key: other.key },
  )
  expect([intent.body.status, intent.body.max_allowed_amount]).toEqual(['queued', 1000])
  const running = await buying.until(other, intent.body.id, ({ carts }) => Boolean(carts[0]?.order))
  await confirm(String(running.carts[0]?.order))
  const over = await buying.ended(other, intent.body.id)
  expect([over.status, over.actual_amount]).toEqual(['succeeded', 1000])
})

test('a quoted purchase waits for an address, too, and no longer than its offer', async () => {
  const bare = { first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.com', country: 'US' }
  const { id: profile_id } = (await buying.app.post('/v1/profiles', bare, { key: buyer.key })).body
  const quote = await quoted()
  const { status, body } = await accept(quote, { profile_id })
  expect([status, body.status, body.next_action.type]).toEqual([201, 'awaiting_approval', 'provide_input'])
  expect(body.approval.expires_at).toBe(quote.expires_at)
  expect((await approve(body.id)).body.detail.code).toBe('shipping_address_required')
  const home = {
    address_type: 'shipping',
    line1: '1 Navy Way',
    city: 'Arlington',
    postal_code: '22202',
    country: 'US',
  }
  await buying.app.post(`/v1/profiles/${profile_id}/addresses`, home, { key: buyer.key })
  const asked = await buying.until(
    buyer,
    body.id,
    ({ next_action }) => (next_action as { type: string } | null)?.type === 'select_payment_method',
  )
  expect(asked).toMatchObject({
    max_allowed_amount: body.max_allowed_amount,
    approval: { expires_at: quote.expires_at },
  })
})

test('no money is held for a quote of a merchant whose backend has still to confirm its endpoint for the order', async () => {
  const quote = await quoted()
  const intent = await accept(quote)
  const path = `/v1/merchant/destinations/${shop.destination.id}`
  const types = ['quote.requested', 'order.requested', 'order.confirmed', 'order.rejected']
  expect((await buying.app.post(path, { event_types: types }, { key: shop.key })).status).toBe(200)
  await buying.sql('update webhook_destinations set confirmed_at = null where id = $1', [shop.destination.id])
  expect((await approve(intent.body.id)).status).toBe(200)
  const over = await buying.ended(buyer, intent.body.id)
  expect(over).toMatchObject({
    status: 'failed',
    carts: [{ failure_reason: { code: 'merchant_unavailable' } }],
  })
  expect(await buying.moneyOf(intent.body.id)).toEqual([])
})
