import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { type Buyer, newBuyer } from '../../../../../test/harness/buyers.ts'

let app: TestApp
let buyer: Buyer
beforeAll(async () => {
  app = await startTestApp()
  buyer = await newBuyer(app)
})
afterAll(() => app.stop())

const item = {
  url: 'https://api.kiosk.example/answers',
  quantity: 1,
  expected_amount: 500,
  expected_currency: 'EUR',
}

const wish = (request: object, more: object = {}) => ({
  profile_id: buyer.profileId,
  items: [{ ...item, request, ...more }],
})

const secret = '{"question":"which tea for my aunt in Bend?"}'
const asked = { method: 'POST', content_type: 'application/json', body: secret }

test('a request is shown without its body, and nobody reads the body in the database or in an event', async () => {
  const made = await app.post('/v1/purchase_intents', wish(asked))
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  expect(made.body.items[0].request).toEqual({
    method: 'POST',
    content_type: 'application/json',
    body_bytes: secret.length,
    body_sha256: createHash('sha256').update(secret).digest('hex'),
  })
  const shown = await app.get(`/v1/purchase_intents/${made.body.id}`)
  expect(shown.body.items).toEqual(made.body.items)
  const tables = await app.sql<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  )
  expect(tables.length).toBeGreaterThan(20)
  for (const { name } of tables)
    expect(
      await app.sql(`select 1 from "${name}" as one where one::text like '%aunt%'
        or one::text like '%${Buffer.from(secret).toString('base64').slice(8, 24)}%' limit 1`),
      name,
    ).toEqual([])
})

test('an item without one is only read', async () => {
  const made = await app.post('/v1/purchase_intents', { profile_id: buyer.profileId, items: [item] })
  expect(made.body.items[0].request).toBeNull()
  const got = await app.post('/v1/purchase_intents', wish({}))
  expect(got.body.items[0].request).toEqual({
    method: 'GET',
    content_type: null,
    body_bytes: 0,
    body_sha256: null,
  })
})

test('the same key with another body is another purchase, which is refused', async () => {
  const headers = { 'idempotency-key': randomUUID() }
  const first = await app.post('/v1/purchase_intents', wish(asked), { headers })
  const again = await app.post('/v1/purchase_intents', wish(asked), { headers })
  expect([again.status, again.body.id]).toEqual([200, first.body.id])
  const other = await app.post('/v1/purchase_intents', wish({ ...asked, body: '{}' }), { headers })
  expect([other.status, other.body.detail.code]).toEqual([409, 'idempotency_key_conflict'])
})

const alone = 'an item with a request has a quantity of 1, no variant and no quote_id'
const pair = 'a body needs a content_type and a method other than GET; without a body send no content_type'

test.each<[string, object, object, string]>([
  ['two of it', asked, { quantity: 2 }, alone],
  ['a variant', asked, { variant: { sku: 'A' } }, alone],
  ['a quote', asked, { quote_id: 'quo_01jb2w9m4ye6xs3kq8t7v5c0zd' }, alone],
  ['a body of a GET', { ...asked, method: 'GET' }, {}, pair],
  ['a body without a method', { content_type: 'text/plain', body: 'x' }, {}, pair],
  ['a body without a type', { method: 'POST', body: 'x' }, {}, pair],
  ['a type without a body', { method: 'POST', content_type: 'text/plain' }, {}, pair],
  [
    'a body of more bytes than characters',
    { ...asked, body: 'é'.repeat(32_769) },
    {},
    'the body has more than 65,536 bytes',
  ],
])('a request with %s is refused', async (_what, request, more, said) => {
  for (const path of ['/v1/purchase_intents', '/v1/purchase_intents/preview']) {
    const { status, body } = await app.post(path, wish(request, more))
    expect([status, body.detail.map(({ msg }: { msg: string }) => msg)]).toEqual([
      422,
      [`Value error, ${said}`],
    ])
  }
})

test.each<[string, object]>([
  ['a method of another protocol', { method: 'CONNECT' }],
  ['a type that is two headers', { ...asked, content_type: 'text/plain\r\nhost: a' }],
  ['too many characters', { ...asked, body: 'x'.repeat(65_537) }],
  ['a card number', { ...asked, body: '{"card":"4242 4242 4242 4242"}' }],
  ['headers', { ...asked, headers: {} }],
])('a request with %s breaks its schema', async (_what, request) => {
  expect((await app.post('/v1/purchase_intents', wish(request))).status).toBe(422)
})

test('the largest body is taken', async () => {
  const made = await app.post('/v1/purchase_intents', wish({ ...asked, body: 'é'.repeat(32_768) }))
  expect([made.status, made.body.items[0].request.body_bytes]).toEqual([201, 65_536])
})
