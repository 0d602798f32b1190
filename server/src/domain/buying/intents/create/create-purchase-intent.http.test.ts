import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { brokenInvariants } from '../../../../../test/harness/broken-invariants.ts'
import { type Buyer, createPurchase, newBuyer, purchaseOf } from '../../../../../test/harness/buyers.ts'
import { purchaseIntentInvariants } from '../invariants.ts'

let app: TestApp
let buyer: Buyer
beforeAll(async () => {
  app = await startTestApp()
  buyer = await newBuyer(app)
})
afterAll(async () => {
  const broken = await brokenInvariants(app, purchaseIntentInvariants)
  await app.stop()
  expect(broken).toEqual([])
})

test('without a policy a purchase waits for an approval, with a cap of merchandise, fee, tax and tolerance', async () => {
  const { status, body } = await createPurchase(app, buyer, {
    reference_id: 'order-7',
    metadata: { cart: 'x' },
  })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    object: 'purchase_intent',
    mode: 'test',
    status: 'awaiting_approval',
    profile_id: buyer.profileId,
    profile_payment_method_id: buyer.paymentMethodId,
    currency_code: 'EUR',
    expected_amount: 2000,
    max_allowed_amount: 2000 + 600 + 240 + 100,
    actual_amount: 0,
    carts: [],
    approval: { required: true, approved_by: null, approved_at: null },
    next_action: { type: 'approve' },
    policy_decision: { result: 'require_approval', evaluated: [] },
    reference_id: 'order-7',
    metadata: { cart: 'x' },
    started_at: null,
  })
  expect((await app.get(`/v1/purchase_intents/${body.id}`)).body).toEqual(body)
})

test('the first events are gapless and carry the intent', async () => {
  const { body } = await createPurchase(app, buyer)
  const events = (await app.get(`/v1/purchase_intents/${body.id}/events`)).body
  expect(events).toMatchObject({ object: 'list', total: 2, limit: 50, offset: 0, has_more: false })
  expect(
    events.data.map((event: { type: string; sequence: number }) => [event.sequence, event.type]),
  ).toEqual([
    [1, 'purchase_intent.created'],
    [2, 'purchase_intent.awaiting_approval'],
  ])
  expect(events.data[1].data.purchase_intent).toEqual(body)
  const second = (await app.get(`/v1/purchase_intents/${body.id}/events?after=1&limit=1`)).body
  expect(second.data.map(({ sequence }: { sequence: number }) => sequence)).toEqual([2])
})

test('a policy that allows it unattended queues a purchase and lowers its cap to the threshold', async () => {
  const own = await newBuyer(app)
  await app.post('/v1/policies', {
    name: 'Small things',
    currency: 'EUR',
    scope: { profile_ids: [own.profileId] },
    limits: { intervals: [{ interval: 'day', max_amount: 5000 }] },
    approval: { mode: 'above_threshold', auto_approve_up_to: 2500 },
  })
  const first = await createPurchase(app, own)
  expect(first.status).toBe(201)
  expect(first.body).toMatchObject({
    status: 'queued',
    max_allowed_amount: 2500,
    approval: { required: false, approved_by: 'policy' },
    next_action: null,
    policy_decision: { result: 'allow' },
  })
  const second = await createPurchase(app, own)
  expect(second.body).toMatchObject({ status: 'queued', max_allowed_amount: 2500 })
  const third = await createPurchase(app, own)
  expect(third.body).toMatchObject({ status: 'declined', policy_decision: { result: 'deny' } })
  expect(third.body.completed_at).not.toBeNull()
  const events = (await app.get(`/v1/purchase_intents/${third.body.id}/events`)).body.data
  expect(events.map(({ type }: { type: string }) => type)).toEqual([
    'purchase_intent.created',
    'purchase_intent.declined',
  ])
})

test('a purchase whose category is blocked is declined, and the category of a simulated shop comes from its URL', async () => {
  const own = await newBuyer(app)
  await app.post('/v1/policies', {
    name: 'No groceries',
    scope: { profile_ids: [own.profileId] },
    mcc: { block: ['5411'] },
  })
  const item = {
    url: 'https://food.example/bread?mcc=5411',
    quantity: 1,
    expected_amount: 500,
    expected_currency: 'EUR',
  }
  expect((await createPurchase(app, own, { items: [item] })).body.status).toBe('declined')
  const other = { ...item, url: 'https://food.example/bread' }
  expect((await createPurchase(app, own, { items: [other] })).body.status).toBe('awaiting_approval')
})

test('a profile without a payment method is asked for one, and a card that needs its code for that', async () => {
  const bare = await newBuyer(app, { card: null })
  expect((await createPurchase(app, bare)).body).toMatchObject({
    status: 'awaiting_approval',
    profile_payment_method_id: null,
    next_action: { type: 'select_payment_method', element: 'AddOrSelectPaymentMethod' },
  })
  const coded = await newBuyer(app, { card: 'visa_auto_approved', enrolled: false })
  await app.post('/v1/policies', {
    name: 'Alone',
    currency: 'EUR',
    scope: { profile_ids: [coded.profileId] },
    limits: { per_transaction_max: 100_000 },
    approval: { mode: 'never' },
  })
  expect((await createPurchase(app, coded)).body).toMatchObject({
    status: 'awaiting_approval',
    next_action: { type: 'verify_payment', method: 'cvc' },
  })
})

test('an idempotency key, in the header or the body, makes one intent and answers it as it now is', async () => {
  const first = await createPurchase(app, buyer, { idempotency_key: 'only-once' })
  expect(first.status).toBe(201)
  await app.post(`/v1/purchase_intents/${first.body.id}/cancel`)
  const again = await createPurchase(app, buyer, { idempotency_key: 'only-once' })
  expect(again.status).toBe(200)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.body).toMatchObject({ id: first.body.id, status: 'cancelled' })
  const other = await createPurchase(app, buyer, { idempotency_key: 'only-once', max_amount: 5 })
  expect([other.status, other.body.detail.code]).toEqual([409, 'idempotency_key_conflict'])
  const differing = await createPurchase(
    app,
    buyer,
    { idempotency_key: 'a' },
    { headers: { 'idempotency-key': 'b' } },
  )
  expect(differing.status).toBe(422)
})

test('a key means the same in the header, in the body and as the argument of a tool', async () => {
  const first = await createPurchase(app, buyer, {}, { headers: { 'idempotency-key': 'anywhere' } })
  const inBody = await createPurchase(app, buyer, { idempotency_key: 'anywhere' })
  expect([inBody.status, inBody.body.id]).toEqual([200, first.body.id])
  const tool = await app.mcp('v1_create_purchase_intent', {
    ...purchaseOf(buyer),
    idempotency_key: 'anywhere',
  })
  expect([tool.status, tool.body.id]).toEqual([200, first.body.id])
})

test('many equal requests at once make one intent', async () => {
  const all = await Promise.all(
    Array.from({ length: 8 }, () =>
      createPurchase(app, buyer, {}, { headers: { 'idempotency-key': 'at-once' } }),
    ),
  )
  expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201])
  expect(new Set(all.map(({ body }) => body.id)).size).toBe(1)
})

test.each([
  {
    what: 'another currency than the items',
    over: { currency_code: 'USD' },
    loc: ['body', 'items', 0, 'expected_currency'],
  },
  {
    what: 'a plain http URL',
    over: {
      items: [{ url: 'http://shop.example/', quantity: 1, expected_amount: 1, expected_currency: 'EUR' }],
    },
    loc: ['body', 'items', 0, 'url'],
  },
  {
    what: 'no price',
    over: { items: [{ url: 'https://shop.example/', quantity: 1, expected_currency: 'EUR' }] },
    loc: ['body', 'items', 0, 'expected_amount'],
  },
  { what: 'no items', over: { items: [] }, loc: ['body', 'items'] },
  {
    what: 'a sum above the largest amount',
    over: {
      items: [
        {
          url: 'https://shop.example/',
          quantity: 2,
          expected_amount: 1_000_000_000_000,
          expected_currency: 'EUR',
        },
      ],
    },
    loc: ['body', 'items'],
  },
  {
    what: 'a cap above the largest amount',
    over: {
      items: [
        {
          url: 'https://shop.example/',
          quantity: 1,
          expected_amount: 1_000_000_000_000,
          expected_currency: 'EUR',
        },
      ],
    },
    loc: ['body', 'items'],
  },
  { what: 'an unknown field', over: { surprise: 1 }, loc: ['body', 'surprise'] },
])('a request with $what is refused', async ({ over, loc }) => {
  const { status, body } = await createPurchase(app, buyer, over)
  expect(status).toBe(422)
  expect(body.detail.map((issue: { loc: unknown }) => issue.loc)).toContainEqual(loc)
})

test('a currency is taken in any case, and two items must share it', async () => {
  const item = { url: 'https://shop.example/', quantity: 1, expected_amount: 100, expected_currency: 'eur' }
  expect((await createPurchase(app, buyer, { items: [item], currency_code: 'Eur' })).body.currency_code).toBe(
    'EUR',
  )
  const mixed = await createPurchase(app, buyer, { items: [item, { ...item, expected_currency: 'USD' }] })
  expect(mixed.body.detail[0].loc).toEqual(['body', 'items', 1, 'expected_currency'])
})

test('everything that a purchase names must be of this account and mode', async () => {
  const foreign = await newBuyer(app, { key: app.stranger.keys.secret_test })
  const sibling = await newBuyer(app)
  const item = { url: 'https://shop.example/', quantity: 1 }
  for (const [over, param] of [
    [{ profile_id: foreign.profileId }, 'profile_id'],
    [{ profile_id: 'prof_nobody' }, 'profile_id'],
    [{ profile_payment_method_id: foreign.paymentMethodId }, 'profile_payment_method_id'],
    [{ profile_payment_method_id: sibling.paymentMethodId }, 'profile_payment_method_id'],
    [{ policy_id: 'pol_none' }, 'policy_id'],
    [
      { preferences: { fulfillment: { address_id: sibling.addressId } } },
      'preferences.fulfillment.address_id',
    ],
    [{ items: [{ ...item, quote_id: 'quo_none' }] }, 'items[0].quote_id'],
  ] as const) {
    const { status, body } = await createPurchase(app, buyer, over)
    expect([status, body.detail.code, body.detail.param]).toEqual([404, 'not_found', param])
  }
})

test('nothing is bought for an archived profile, nor while the account is frozen', async () => {
  const own = await newBuyer(app)
  await app.post(`/v1/profiles/${own.profileId}/archive`)
  expect((await createPurchase(app, own)).body.detail.code).toBe('profile_not_active')
  const frozen = await newBuyer(app)
  await app.post('/v1/controls/freeze', { target: { type: 'profile', id: frozen.profileId } })
  const refused = await createPurchase(app, frozen)
  expect([refused.status, refused.body.detail.code]).toEqual([409, 'frozen'])
})

test('live mode without a payment rail queues nothing and approves nothing', async () => {
  const key = app.account.keys.secret_live
  const profile = await app.post(
    '/v1/profiles',
    { first_name: 'Ada', last_name: 'L', email: 'ada@example.com', country: 'DE' },
    { key },
  )
  await app.post(
    '/v1/policies',
    { name: 'All', currency: 'EUR', limits: { per_transaction_max: 100_000 }, approval: { mode: 'never' } },
    { key },
  )
  const created = await createPurchase(app, { ...buyer, profileId: profile.body.id }, {}, { key })
  expect(created.body).toMatchObject({ mode: 'live', status: 'awaiting_approval' })
  const approved = await app.post(
    `/v1/purchase_intents/${created.body.id}/approve`,
    { approve: true },
    { key },
  )
  expect([approved.status, approved.body.detail.code]).toEqual([409, 'live_payments_not_configured'])
  for (const temporary_cvc_token_id of ['cvc_3_digit', 'visa_auto_approved']) {
    const body = { approve: true, temporary_cvc_token_id }
    const refused = await app.post(`/v1/purchase_intents/${created.body.id}/approve`, body, { key })
    expect([refused.status, refused.body.detail.code]).toEqual([
      400,
      'test_card_identifier_not_allowed_in_live_mode',
    ])
  }
})

test('a create that no policy counts writes with one statement, without a transaction of its own', async () => {
  const { pools } = app.parts
  const { single, connect } = pools
  const calls = { single: 0, connect: 0 }
  pools.single = (statement) => {
    calls.single += 1
    return single(statement)
  }
  pools.connect = () => {
    calls.connect += 1
    return connect()
  }
  const { status } = await createPurchase(app, buyer, {}, { headers: { 'idempotency-key': 'one-statement' } })
  Object.assign(pools, { single, connect })
  expect({ status, ...calls }).toEqual({ status: 201, single: 1, connect: 0 })
})

test('a preview tells what a purchase would come to and stores nothing', async () => {
  const before = (await app.get(`/v1/purchase_intents?profile_id=${buyer.profileId}`)).body.total
  const { status, body } = await app.post('/v1/purchase_intents/preview', purchaseOf(buyer))
  expect(status).toBe(200)
  expect(body).toMatchObject({
    object: 'purchase_intent_preview',
    status: 'awaiting_approval',
    expected_amount: 2000,
    max_allowed_amount: 2940,
    policy_decision: { result: 'require_approval' },
    offer: { subtotal: 2000, fulfillment: 500, tax: 160, discount: 0, total: 2660 },
    merchants: [{ domain: 'shop.example', supported: true, channel: 'simulated', problems: [] }],
  })
  expect((await app.get(`/v1/purchase_intents?profile_id=${buyer.profileId}`)).body.total).toBe(before)
})

test('the list is an audit trail that is found by name, id, reference and merchant', async () => {
  const grace = await newBuyer(app, { firstName: 'Grace' })
  const { body } = await createPurchase(app, grace, { reference_id: 'Ref-ABC' })
  for (const q of ['gRACE', body.id, 'ref-abc', 'shop.example']) {
    const found = await app.get(
      `/v1/purchase_intents?q=${encodeURIComponent(q)}&profile_id=${grace.profileId}`,
    )
    expect(found.body.data).toMatchObject([
      {
        object: 'audit_row',
        mode: 'test',
        updated_at: body.updated_at,
        purchase_intent_id: body.id,
        profile_name: 'Grace Lovelace',
        status: 'awaiting_approval',
        merchants: ['shop.example'],
        item_count: 1,
        policy_result: 'require_approval',
        actor: { type: 'api_key' },
        failure_code: null,
      },
    ])
  }
  const none = await app.get(`/v1/purchase_intents?status=succeeded&profile_id=${grace.profileId}`)
  expect(none.body).toMatchObject({ data: [], total: 0, has_more: false })
})

test('a policy that blocks one subdomain reaches that subdomain and no other', async () => {
  const scoped = await newBuyer(app, { firstName: 'Grace' })
  await app.post('/v1/policies', {
    name: 'Not the outlet',
    scope: { profile_ids: [scoped.profileId] },
    merchants: { block: ['outlet.shop.example'] },
  })
  const at = (url: string) =>
    createPurchase(app, scoped, {
      items: [{ url, quantity: 1, expected_amount: 1000, expected_currency: 'EUR' }],
    })
  expect((await at('https://eu.outlet.shop.example/tea')).body.status).toBe('declined')
  expect((await at('https://www.shop.example/tea')).body.status).toBe('awaiting_approval')
})

test('the root dot of a host reaches no other merchant, and so no way around a policy', async () => {
  const { status, body } = await createPurchase(app, buyer, {
    items: [
      { url: 'https://shop.example./tea', quantity: 1, expected_amount: 1000, expected_currency: 'EUR' },
    ],
  })
  expect([status, body.detail[0].loc]).toEqual([422, ['body', 'items', 0, 'url']])
})
