import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import {
  type Deliverer,
  newDestination,
  type Receiver,
  startDeliverer,
  startReceiver,
} from '../../../../test/harness/deliveries.ts'
import { person } from '../../../../test/harness/person.ts'
import {
  accepted,
  answering,
  answerSigned,
  askQuote,
  declined,
  openQuotingShop,
  type QuotingShop,
  readAsked,
} from '../../../../test/harness/quotes.ts'
import { behindALock } from '../../../../test/races/behind-a-lock.ts'

let app: TestApp
let deliverer: Deliverer
let receiver: Receiver
let shop: QuotingShop
beforeAll(async () => {
  app = await startTestApp()
  deliverer = startDeliverer(app)
  deliverer.worker.start()
  receiver = await startReceiver()
  shop = await openQuotingShop(app, receiver)
})
afterAll(async () => {
  await deliverer.stop()
  await receiver.stop()
  await app.stop()
})
beforeEach(() => {
  receiver.received.length = 0
  receiver.answer(answering(app, () => shop))
})

/** What the receiver gets next; asked of it before the request is made. */
function nextRequest(): Promise<ReturnType<typeof readAsked>> {
  return new Promise((resolve) => {
    receiver.answer((response, received) => {
      response.end('ok')
      resolve(readAsked(received))
    })
  })
}

test.each([
  ['catalog_item_id', () => ({ catalog_item_id: shop.itemId })],
  ['catalog_variant_id', () => ({ catalog_variant_id: shop.variantId })],
  ['merchant_slug', () => ({ merchant_slug: shop.slug })],
])('a merchant named by %s is asked once and answers inline', async (_, selector) => {
  const answer = await askQuote(app, { ...selector(), quantity: 2 })
  expect([answer.status, answer.body.status]).toEqual([201, 'quoted'])
  expect(answer.body.offers).toMatchObject([
    { total_amount: 1234, currency: 'EUR', available_quantity: 5, message: null },
  ])
  expect(answer.body.expires_at).toBe(answer.body.offers[0].expires_at)
  expect(answer.headers.get('location')).toBe(`http://127.0.0.1/v1/quotes/${answer.body.id}`)
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  expect(answer.headers.get('retry-after')).toBeNull()
  expect(receiver.received).toHaveLength(1)
})

test('the request names the quote, its item and the proposal, which is forwarded and never charged', async () => {
  const profile = await app.post('/v1/profiles', {
    ...person,
    addresses: [
      { address_type: 'shipping', line1: '1 Road', city: 'Bath', postal_code: 'BA1', country: 'GB' },
    ],
  })
  const answer = await askQuote(app, {
    catalog_item_id: shop.itemId,
    quantity: 3,
    profile_id: profile.body.id,
    price_proposal: { unit_amount: 900, currency: 'eur' },
    note: 'Before noon',
    metadata: { mine: 'alone' },
  })
  expect(answer.body).toMatchObject({
    negotiation: { outcome: 'forwarded' },
    price_proposal: { unit_amount: 900, currency: 'EUR' },
    address_id: profile.body.addresses[0].id,
    metadata: { mine: 'alone' },
  })
  const [received] = receiver.received
  if (!received) throw new Error('nobody was asked')
  const { quote, headers, quoteId } = readAsked(received)
  expect(quote).toMatchObject({
    id: answer.body.id,
    quantity: 3,
    currency: 'EUR',
    price_proposal: { unit_amount: 900, currency: 'EUR' },
    note: 'Before noon',
    ship_to: { country: 'GB', city: 'Bath', postal_code: 'BA1', state: null },
    items: [{ catalog_item_id: shop.itemId, sku: 'ONE', quantity: 3, list_price: { unit_amount: 1000 } }],
  })
  // Nothing of the buyer's own.
  expect(received.body).not.toMatch(/alone|prof_|addr_|1 Road/)
  expect(received.body).not.toContain(app.account.accountId)
  expect(headers['service-response-url']).toBe(`http://127.0.0.1/v1/merchant/quotes/${quoteId}/responses`)
  expect(headers['service-destination-id']).toBe(shop.destination.id)
})

test('a decline is an answer too', async () => {
  receiver.answer(
    answering(
      app,
      () => shop,
      (asked) => declined(asked, { message: 'Not this week' }),
    ),
  )
  const { status, body } = await askQuote(app, { catalog_item_id: shop.itemId })
  expect([status, body.status, body.message, body.offers]).toEqual([201, 'declined', 'Not this week', []])
})

test('without a proposal nothing was negotiated', async () => {
  const { body } = await askQuote(app, { merchant_slug: shop.slug })
  expect([body.negotiation.outcome, body.price_proposal, body.items]).toEqual(['not_requested', null, []])
})

test.each([
  ['no selector', {}],
  ['two selectors', { catalog_item_id: 'cat_1', merchant_slug: 'one' }],
  ['a selector that is null', { catalog_item_id: null }],
])('%s is refused', async (_, body) => {
  const answer = await askQuote(app, body)
  expect([answer.status, answer.body.detail[0].type, answer.body.detail[0].loc]).toEqual([
    422,
    'value_error',
    ['body'],
  ])
})

test('a request without an idempotency key is refused, over REST and MCP', async () => {
  const { status, body } = await app.post('/v1/quotes', { catalog_item_id: shop.itemId })
  const issue = { type: 'missing', loc: ['header', 'idempotency-key'], msg: 'Field required' }
  expect([status, body.detail]).toEqual([422, [issue]])
  const tool = await app.mcp('v1_create_quote', { catalog_item_id: shop.itemId })
  expect([tool.status, tool.body.detail]).toEqual([422, [issue]])
  expect(receiver.received).toHaveLength(0)
})

test('the same key joins the wait or reads the state, and makes no second request, over REST and MCP', async () => {
  const request = nextRequest()
  const body = { catalog_item_id: shop.itemId }
  const first = askQuote(app, body, { idempotencyKey: 'joined' })
  const asked = await request
  const joining = askQuote(app, body, { idempotencyKey: 'joined' })
  const overMcp = app.mcp('v1_create_quote', { ...body, idempotency_key: 'joined' })
  await answerSigned(app, shop.destination, asked, accepted(asked))
  const answers = [await first, await joining, await overMcp]
  expect(answers.map((answer) => [answer.status, answer.body.status, answer.body.id])).toEqual(
    answers.map(() => [201, 'quoted', asked.quoteId]),
  )
  expect((await joining).headers.get('idempotent-replayed')).toBe('true')
  const other = await askQuote(app, { ...body, quantity: 2 }, { idempotencyKey: 'joined' })
  expect([other.status, other.body.detail.code]).toEqual([409, 'idempotency_key_conflict'])
  expect(receiver.received).toHaveLength(1)
})

test('a merchant that is not public in this mode does not exist', async () => {
  const draft = await app.post(
    '/v1/merchant/catalog_items',
    { title: 'Draft', variants: [{ price: 1 }] },
    shop,
  )
  const hidden = await openQuotingShop(app, receiver, { merchant: { slug: null } })
  for (const selector of [
    { catalog_item_id: draft.body.id },
    { catalog_variant_id: draft.body.variants[0].id },
    { catalog_item_id: hidden.itemId },
    { merchant_slug: 'nobody' },
    { catalog_item_id: 'cat_01jb2w9m4ye6xs3kq8t7v5c0zd' },
  ]) {
    const { status, body } = await askQuote(app, selector)
    expect([status, body.detail.code, body.detail.param]).toEqual([
      404,
      'not_found',
      Object.keys(selector)[0],
    ])
  }
  const key = app.account.keys.secret_live
  const live = await askQuote(app, { catalog_item_id: shop.itemId }, { key })
  expect(live.status).toBe(404)
})

test('profiles and addresses of others do not exist', async () => {
  const theirs = await app.post('/v1/profiles', person, { key: app.stranger.keys.secret_test })
  const mine = await app.post('/v1/profiles', person)
  const item = { catalog_item_id: shop.itemId }
  const profile = await askQuote(app, { ...item, profile_id: theirs.body.id })
  expect([profile.status, profile.body.detail.param]).toEqual([404, 'profile_id'])
  const address = await askQuote(app, { ...item, profile_id: mine.body.id, address_id: 'addr_1' })
  expect([address.status, address.body.detail.param]).toEqual([404, 'address_id'])
  const alone = await askQuote(app, { ...item, address_id: 'addr_1' })
  expect([alone.status, alone.body.detail[0].loc]).toEqual([422, ['body', 'address_id']])
})

test('a merchant without a responder, or without a currency, cannot be asked', async () => {
  const silent = await openQuotingShop(app, receiver, { responder: false })
  const without = await askQuote(app, { catalog_item_id: silent.itemId })
  expect([without.status, without.body.detail.code]).toEqual([409, 'responder_not_configured'])
  const disabled = await openQuotingShop(app, receiver)
  await app.post(`/v1/merchant/destinations/${disabled.destination.id}/disable`, undefined, disabled)
  const off = await askQuote(app, { merchant_slug: disabled.slug })
  expect([off.status, off.body.detail.code]).toEqual([409, 'responder_not_configured'])
  const variants = [{ price: 1, currency: 'CHF' }]
  const poor = await openQuotingShop(app, receiver, { merchant: { currency: null }, item: { variants } })
  await app.post(`/v1/merchant/catalog_items/${poor.itemId}/archive`, undefined, poor)
  const setup = await askQuote(app, { merchant_slug: poor.slug })
  expect([setup.status, setup.body.detail.code]).toEqual([409, 'merchant_setup_incomplete'])
  expect(receiver.received).toHaveLength(0)
})

test('the responder at the time when the quote is written gets the request, and without one nobody does', async () => {
  const other = await openQuotingShop(app, receiver)
  const made = await newDestination(app, receiver.url, {}, other.key)
  const next = { ...other, destination: { id: made.id, secret: made.secret.secret } }
  receiver.answer(answering(app, () => next))
  const responds = `update webhook_destinations set responds_to_quotes = $2,
    event_types = case when $2 then array['quote.requested'] else event_types end where id = $1`
  const moved = await behindALock(
    app,
    async (query) => {
      await query(responds, other.destination.id, false)
      await query(responds, made.id, true)
    },
    () => askQuote(app, { catalog_item_id: other.itemId }),
  )
  expect([moved.status, moved.body.status]).toEqual([201, 'quoted'])
  expect(receiver.received.map(({ headers }) => headers['service-destination-id'])).toEqual([made.id])
  const off = await behindALock(
    app,
    (query) =>
      query(
        `update webhook_destinations set status = 'disabled', disabled_reason = 'requested' where id = $1`,
        made.id,
      ),
    () => askQuote(app, { catalog_item_id: other.itemId }),
  )
  expect([off.status, off.body.detail.code]).toEqual([409, 'responder_not_configured'])
  expect(receiver.received).toHaveLength(1)
})

test('a merchant that has named no currency is asked in that of its catalog', async () => {
  const variants = [{ price: 1, currency: 'CHF' }]
  const mine = await openQuotingShop(app, receiver, { merchant: { currency: null }, item: { variants } })
  receiver.answer(
    answering(
      app,
      () => mine,
      (asked) => accepted(asked, { currency: 'CHF' }),
    ),
  )
  const { status, body } = await askQuote(app, { merchant_slug: mine.slug })
  expect([status, body.offers[0]?.currency]).toEqual([201, 'CHF'])
})

test('the quote asks for missing typed input before the merchant gets a request, and a refresh brings it', async () => {
  const needing = await openQuotingShop(app, receiver, {
    item: { required_inputs: [{ name: 'engraving' }, { name: 'day', type: 'date', label: 'When?' }] },
  })
  receiver.answer(answering(app, () => needing))
  const first = await askQuote(app, {
    catalog_item_id: needing.itemId,
    inputs: { engraving: 'A', day: 'soon' },
  })
  expect([first.status, first.body.object, first.body.status]).toEqual([422, 'quote', 'requires_input'])
  expect(first.body.required_inputs).toEqual([{ name: 'day', type: 'date', label: 'When?', choices: [] }])
  expect(receiver.received).toHaveLength(0)
  const path = `/v1/quotes/${first.body.id}/refresh`
  const bare = await app.post(path)
  expect([bare.status, bare.body.detail.code]).toEqual([409, 'quote_not_refreshable'])
  const still = await app.post(path, { inputs: { engraving: 'B' } })
  expect([still.status, still.body.status]).toEqual([422, 'requires_input'])
  const whole = await app.post(path, { inputs: { day: '2030-02-28' } })
  expect([whole.status, whole.body.status]).toEqual([200, 'quoted'])
  expect(whole.body.inputs).toEqual({ engraving: 'B', day: '2030-02-28' })
  expect(receiver.received).toHaveLength(1)
})

test('the inputs that a refresh adds and the earlier ones are at most as many as one request may give', async () => {
  const needing = await openQuotingShop(app, receiver, {
    item: { required_inputs: [{ name: 'day', type: 'date' }] },
  })
  receiver.answer(answering(app, () => needing))
  const given = Object.fromEntries(Array.from({ length: 48 }, (_, index) => [`given-${index}`, 'A']))
  const first = await askQuote(app, { catalog_item_id: needing.itemId, inputs: given })
  expect([first.status, first.body.status]).toEqual([422, 'requires_input'])
  const path = `/v1/quotes/${first.body.id}/refresh`
  const more = await app.post(path, { inputs: { day: '2030-02-28', one: 'B', two: 'C' } })
  expect([more.status, more.body.detail[0].loc]).toEqual([422, ['body', 'inputs']])
  expect(receiver.received).toHaveLength(0)
  const whole = await app.post(path, { inputs: { day: '2030-02-28', one: 'B' } })
  expect([whole.status, whole.body.status]).toEqual([200, 'quoted'])
  expect(Object.keys(whole.body.inputs)).toHaveLength(50)
})

test('a refresh asks the same merchant, even if another has its old slug by now', async () => {
  const mine = await openQuotingShop(app, receiver)
  const other = await openQuotingShop(app, receiver)
  const rename = async (of: QuotingShop, slug: string) =>
    expect((await app.post('/v1/merchant', { slug }, of)).status).toBe(200)
  receiver.answer(answering(app, () => mine))
  const { body } = await askQuote(app, { merchant_slug: mine.slug, note: 'For you alone' })
  await rename(mine, `${mine.slug}-2`)
  await rename(other, mine.slug)
  receiver.received.length = 0
  const again = await app.post(`/v1/quotes/${body.id}/refresh`)
  expect([again.status, again.body.status]).toEqual([200, 'quoted'])
  expect(again.body.merchant).toEqual({ ...body.merchant, slug: `${mine.slug}-2` })
  expect(receiver.received.map(({ headers }) => headers['service-destination-id'])).toEqual([
    mine.destination.id,
  ])
})

test('a quote whose merchant has no slug any more makes no request', async () => {
  const mine = await openQuotingShop(app, receiver)
  receiver.answer(answering(app, () => mine))
  const { body } = await askQuote(app, { merchant_slug: mine.slug })
  await app.post('/v1/merchant', { slug: null }, mine)
  receiver.received.length = 0
  const again = await app.post(`/v1/quotes/${body.id}/refresh`)
  expect([again.status, again.body.detail.code]).toEqual([404, 'not_found'])
  expect(receiver.received).toEqual([])
})

test('each round is an event of its own, in a gapless history of the quote', async () => {
  const { body } = await askQuote(app, { catalog_item_id: shop.itemId })
  const again = await app.post(`/v1/quotes/${body.id}/refresh`)
  expect([again.status, again.body.status]).toEqual([200, 'quoted'])
  expect(again.body.offers[0].id).not.toBe(body.offers[0].id)
  expect(receiver.received.map((one) => readAsked(one).quoteId)).toEqual([body.id, body.id])
  expect(new Set(receiver.received.map((one) => readAsked(one).eventId)).size).toBe(2)
  await app.post(`/v1/quotes/${body.id}/cancel`)
  const events = await app.parts.pools.read<{ type: string; sequence: number }>({
    name: '',
    text: 'select type, sequence from events where aggregate_id = $1 order by sequence',
    values: [body.id],
  })
  expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
    ['quote.requested', 1],
    ['quote.quoted', 2],
    ['quote.requested', 3],
    ['quote.quoted', 4],
    ['quote.cancelled', 5],
  ])
})

test('reading and listing show the caller its own quotes only', async () => {
  const { body } = await askQuote(app, { catalog_item_id: shop.itemId })
  const read = await app.get(`/v1/quotes/${body.id}`)
  expect([read.status, read.body]).toEqual([200, body])
  const list = await app.get('/v1/quotes?limit=1')
  expect([list.body.data, list.body.limit, list.body.has_more]).toEqual([[body], 1, true])
  expect((await app.get('/v1/quotes')).body.limit).toBe(20)
  const stranger = { key: app.stranger.keys.secret_test }
  expect((await app.get(`/v1/quotes/${body.id}`, stranger)).status).toBe(404)
  // The merchant does not own it either.
  expect((await app.get(`/v1/quotes/${body.id}`, shop)).status).toBe(404)
  expect((await app.get('/v1/quotes', stranger)).body.data).toEqual([])
  for (const action of ['cancel', 'refresh']) {
    expect((await app.post(`/v1/quotes/${body.id}/${action}`, undefined, stranger)).status).toBe(404)
  }
})

test('a cancelled quote stays cancelled, also after a late answer of the merchant', async () => {
  const request = nextRequest()
  const asking = askQuote(app, { catalog_item_id: shop.itemId })
  const asked = await request
  const cancelled = await app.post(`/v1/quotes/${asked.quoteId}/cancel`)
  expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled'])
  expect([(await asking).status, (await asking).body.status]).toEqual([201, 'cancelled'])
  const late = await answerSigned(app, shop.destination, asked, accepted(asked))
  expect([late.status, late.body.detail.code]).toEqual([409, 'quote_expired'])
  for (const [action, code] of [
    ['cancel', 'quote_not_cancellable'],
    ['refresh', 'quote_not_refreshable'],
  ]) {
    const { status, body } = await app.post(`/v1/quotes/${asked.quoteId}/${action}`)
    expect([status, body.detail.code]).toEqual([409, code])
  }
})
