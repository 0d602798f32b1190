import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { type Buyer, createPurchase, newBuyer, purchaseOf } from '../../../../../test/harness/buyers.ts'

let app: TestApp
let buyer: Buyer
beforeAll(async () => {
  app = await startTestApp()
  buyer = await newBuyer(app)
})
afterAll(() => app.stop())

const named = (promo_code: unknown) => ({ preferences: { promo_code } })

test.each([
  ['as it is', 'WELCOME10', 'WELCOME10'],
  ['without the spaces around it', '  Save 10 % ', 'Save 10 %'],
  ['in any script', 'ÉTÉ-夏', 'ÉTÉ-夏'],
  ['of 64 characters', 'x'.repeat(64), 'x'.repeat(64)],
])('a code is kept %s, and shown by an address, a tool and an event', async (_what, sent, kept) => {
  const made = await createPurchase(app, buyer, named(sent))
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  expect(made.body.preferences.promo_code).toBe(kept)
  const shown = await app.get(`/v1/purchase_intents/${made.body.id}`)
  expect(shown.body.preferences.promo_code).toBe(kept)
  const tool = await app.mcp('v1_get_purchase_intent', { purchase_intent_id: made.body.id })
  expect(tool.body).toEqual(shown.body)
  const events = await app.get(`/v1/purchase_intents/${made.body.id}/events`)
  expect(events.body.data[0].data.purchase_intent.preferences.promo_code).toBe(kept)
})

test('a purchase by a tool names a code as one by an address does', async () => {
  const tool = await app.mcp('v1_create_purchase_intent', { ...purchaseOf(buyer), ...named('WELCOME10') })
  expect(tool.body).toMatchObject({ preferences: { promo_code: 'WELCOME10' } })
})

test('a purchase without one shows null', async () => {
  expect((await createPurchase(app, buyer)).body.preferences.promo_code).toBeNull()
  expect((await createPurchase(app, buyer, named(null))).body.preferences.promo_code).toBeNull()
})

test.each([
  ['empty', ''],
  ['blank', '   '],
  ['too long', 'x'.repeat(65)],
  ['of two lines', 'A\nB'],
  ['with a control character', 'A\u0007B'],
  ['that turns the direction of text', 'A\u202eB'],
  ['that begins with a space of no width', '\u200bA'],
  ['that is the number of a card', '4242424242424242'],
  ['that is no text', 10],
])('a code that is %s is refused', async (_what, code) => {
  const { status, body } = await createPurchase(app, buyer, named(code))
  expect(status).toBe(422)
  expect(body.detail[0].loc).toEqual(['body', 'preferences', 'promo_code'])
  const tool = await app.mcp('v1_create_purchase_intent', { ...purchaseOf(buyer), ...named(code) })
  expect(tool.status).toBe(422)
})

test('the same key makes one purchase, and another code under it is refused', async () => {
  const headers = { 'idempotency-key': 'promoted' }
  const first = await createPurchase(app, buyer, named('WELCOME10'), { headers })
  const again = await createPurchase(app, buyer, named('WELCOME10'), { headers })
  expect([again.status, again.body]).toEqual([200, first.body])
  const other = await createPurchase(app, buyer, named('WELCOME20'), { headers })
  expect([other.status, other.body.detail.code]).toEqual([409, 'idempotency_key_conflict'])
})

test('a preview says what would become of it, as far as that is known', async () => {
  const { body } = await app.post('/v1/purchase_intents/preview', {
    ...purchaseOf(buyer),
    ...named(' SPRING '),
  })
  expect(body.merchants[0].promo_code).toEqual({ code: 'SPRING', status: 'not_tried', message: null })
  const without = await app.post('/v1/purchase_intents/preview', purchaseOf(buyer))
  expect(without.body.merchants[0].promo_code).toBeNull()
})

test('an event from before the field existed is shown as it was', async () => {
  const made = await createPurchase(app, buyer, named('WELCOME10'))
  const written = await app.sql(
    `update event_rows set object = (unpack_text(object_bytes)::jsonb #- '{preferences,promo_code}')::text, object_bytes = null
     where aggregate_id = $1 and object_bytes is not null returning 1`,
    [made.body.id],
  )
  expect(written).not.toEqual([])
  const path = `/v1/purchase_intents/${made.body.id}/events`
  const { status, body } = await app.get(path)
  expect(status).toBe(200)
  const { fulfillment } = made.body.preferences
  expect(
    body.data.map(
      ({ data }: { data: { purchase_intent: { preferences: object } } }) => data.purchase_intent.preferences,
    ),
  ).toEqual([{ fulfillment }, { fulfillment }])
})
