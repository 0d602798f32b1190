import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await app.post('/v1/merchant', { slug: 'sizes', domain: 'sizes.example' })
})
afterAll(() => app.stop())

const path = '/v1/merchant/mpp_apis'
const offer = { intent: 'charge', method: 'stripe', amount: '25', currency: 'usd' }
const advisor = {
  name: 'Size advisor',
  description: 'Answers which size fits.',
  method: 'POST',
  url: 'https://api.sizes.example/advise?v=1',
  offers: [offer],
}

async function newApi(over: object = {}): Promise<string> {
  const { status, body } = await app.post(path, { ...advisor, ...over })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id
}

test('an API is published at once, reads as it was answered, and the same key publishes no other', async () => {
  const headers = { 'idempotency-key': 'api-1' }
  const made = await app.post(path, advisor, { headers })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({
    ...advisor,
    id: expect.stringMatching(/^mapi_/),
    object: 'mpp_api',
    mode: 'test',
    status: 'published',
    request_schema: null,
    categories: [],
    metadata: {},
    archived_at: null,
  })
  expect((await app.post(path, advisor, { headers })).body).toEqual(made.body)
  expect((await app.get(`${path}/${made.body.id}`)).body).toEqual(made.body)
  expect((await app.get(path)).body).toMatchObject({ total: 1, data: [made.body] })
  const other = await app.post(path, { ...advisor, name: 'Other' }, { headers })
  expect(other.status).toBe(409)
})

test('a schema keeps the order of its members, and what offers leave out is null', async () => {
  const request_schema = {
    type: 'object',
    properties: { z: { type: 'string' }, a: { enum: ['é', 1.5, null] } },
  }
  const id = await newApi({ request_schema, offers: [{ intent: 'session', method: 'tempo' }] })
  const { body } = await app.get(`${path}/${id}`)
  expect(JSON.stringify(body.request_schema)).toBe(JSON.stringify(request_schema))
  expect(body.offers).toEqual([{ intent: 'session', method: 'tempo', amount: null, currency: null }])
})

test('each change is one event with the next sequence, and a change of nothing is none', async () => {
  const id = await newApi()
  const { body: changed } = await app.post(`${path}/${id}`, { offers: [{ ...offer, amount: '30' }] })
  expect(changed).toMatchObject({ name: 'Size advisor', offers: [{ ...offer, amount: '30' }] })
  expect((await app.post(`${path}/${id}`, {})).body).toEqual(changed)
  const { body: archived } = await app.post(`${path}/${id}/archive`)
  expect(archived).toMatchObject({ status: 'archived', archived_at: expect.any(String) })
  expect((await app.post(`${path}/${id}/archive`)).body).toEqual(archived)
  const refused = await app.post(`${path}/${id}`, { name: 'Again' })
  expect([refused.status, refused.body.detail.code]).toEqual([409, 'mpp_api_archived'])
  const events = await app.sql<{ type: string; sequence: number; object: string }>(
    'select type, sequence, object from events where aggregate_id = $1 order by sequence',
    [id],
  )
  expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
    ['mpp_api.created', 1],
    ['mpp_api.updated', 2],
    ['mpp_api.archived', 3],
  ])
  expect(events.slice(1).map(({ object }) => JSON.parse(object))).toEqual([changed, archived])
})

test('the list is narrowed by status, and pages say what follows', async () => {
  const { keys } = await app.newAccount()
  const key = keys.secret_test
  const ids: string[] = []
  for (const name of ['a', 'b', 'c']) ids.push((await app.post(path, { ...advisor, name }, { key })).body.id)
  await app.post(`${path}/${ids[1]}/archive`, undefined, { key })
  const listed = async (query: string) => {
    const { body } = await app.get(`${path}${query}`, { key })
    return [body.total, body.has_more, ...body.data.map(({ id }: { id: string }) => ids.indexOf(id))]
  }
  expect(await listed('')).toEqual([3, false, 2, 1, 0])
  expect(await listed('?status=published')).toEqual([2, false, 2, 0])
  expect(await listed('?status=archived')).toEqual([1, false, 1])
  expect(await listed('?limit=1&offset=1')).toEqual([3, true, 1])
  expect((await app.get(`${path}?status=draft`, { key })).status).toBe(422)
})

const deep = (levels: number): object => (levels === 1 ? {} : { items: deep(levels - 1) })
const refused: [string, object, (string | number)[]][] = [
  ['no name', { name: '' }, ['name']],
  ['no offers', { offers: [] }, ['offers']],
  ['six offers', { offers: Array(6).fill(offer) }, ['offers']],
  ['an intent that is none', { offers: [{ ...offer, intent: 'gift' }] }, ['offers', 0, 'intent']],
  ['a method in capitals', { offers: [{ ...offer, method: 'Stripe' }] }, ['offers', 0, 'method']],
  ['an amount as number', { offers: [{ ...offer, amount: 25 }] }, ['offers', 0, 'amount']],
  ['an amount with a point', { offers: [{ ...offer, amount: '0.25' }] }, ['offers', 0, 'amount']],
  ['an amount without currency', { offers: [{ ...offer, currency: null }] }, ['offers', 0, 'currency']],
  ['markup as currency', { offers: [{ ...offer, currency: '<b>' }] }, ['offers', 0, 'currency']],
  ['a verb that nobody knows', { method: 'BREW' }, ['method']],
  ['six categories', { categories: ['a', 'b', 'c', 'd', 'e', 'f'] }, ['categories']],
  ['a category twice', { categories: ['data', 'data'] }, ['categories']],
  ['a category in capitals', { categories: ['Data'] }, ['categories', 0]],
  ['a schema that is a list', { request_schema: [] }, ['request_schema']],
  ['a schema of 17 KB', { request_schema: { title: 'é'.repeat(8_700) } }, ['request_schema']],
  ['a schema of 17 levels', { request_schema: deep(17) }, ['request_schema']],
  ['a schema with a card number', { request_schema: { a: ['4242424242424242'] } }, ['request_schema']],
  ['another domain', { url: 'https://api.other.example/' }, ['url']],
  ['a domain that ends like its own', { url: 'https://mysizes.example/' }, ['url']],
  ['a domain that begins like its own', { url: 'https://sizes.example.evil.example/' }, ['url']],
  ['its domain with a dot at the end', { url: 'https://sizes.example./' }, ['url']],
  ['plain http', { url: 'http://api.sizes.example/' }, ['url']],
  ['a user name', { url: 'https://sizes.example@evil.example/' }, ['url']],
  ['a fragment', { url: 'https://api.sizes.example/#a' }, ['url']],
  ['markup in the URL', { url: 'https://api.sizes.example/<script>' }, ['url']],
  ['an address', { url: 'https://93.184.215.14/' }, ['url']],
  ['a private address', { url: 'https://10.0.0.1/' }, ['url']],
  ['the metadata of a cloud', { url: 'http://169.254.169.254/' }, ['url']],
  ['a script', { url: 'javascript:alert(1)' }, ['url']],
]

test.each(refused)('%s is refused, when published and when changed', async (_, over, loc) => {
  const id = await newApi()
  for (const answer of [await app.post(path, { ...advisor, ...over }), await app.post(`${path}/${id}`, over)])
    expect([answer.status, answer.body.detail[0]?.loc], JSON.stringify(answer.body)).toEqual([
      422,
      ['body', ...loc],
    ])
})

test('what is just within the bounds is taken', async () => {
  await newApi({ request_schema: deep(16) })
  await newApi({ request_schema: { title: 'é'.repeat(8_100) } })
  await newApi({ offers: Array(5).fill({ ...offer, amount: '9'.repeat(40) }) })
  await newApi({ url: 'https://sizes.example/' })
  await newApi({ url: 'https://a.b.sizes.example:8443/' })
})

test('everything that is wrong is named at once', async () => {
  const { body } = await app.post(path, {
    ...advisor,
    url: 'https://other.example/',
    request_schema: deep(17),
    offers: [offer, { ...offer, currency: null }],
  })
  expect(body.detail.map(({ loc }: { loc: unknown }) => loc)).toEqual([
    ['body', 'url'],
    ['body', 'request_schema'],
    ['body', 'offers', 1, 'currency'],
  ])
})

test('this machine is named in test mode alone', async () => {
  const here = { ...advisor, url: 'http://127.0.0.1:9/x' }
  expect((await app.post(path, here)).status).toBe(201)
  const live = await app.post(path, here, { key: app.account.keys.secret_live })
  expect([live.status, live.body.detail[0].loc]).toEqual([422, ['body', 'url']])
})

test('a schema that JSON cannot keep as it was written is refused', async () => {
  const whole = JSON.stringify({ ...advisor, request_schema: 'HERE' })
  const headers = { 'content-type': 'application/json' }
  for (const schema of [
    '{"maximum":1e400}',
    '{"maximum":12345678901234567890}',
    '{"__proto__":{}}',
    '{"a":1,"a":2}',
  ]) {
    const raw = whole.replace('"HERE"', schema)
    expect([schema, (await app.request('POST', path, { headers, raw })).status]).toEqual([schema, 422])
  }
})

test('after its domain has changed, an API is changed in everything but to another foreign address', async () => {
  const { keys } = await app.newAccount()
  const key = keys.secret_test
  await app.post('/v1/merchant', { domain: 'before.example' }, { key })
  const { body } = await app.post(path, { ...advisor, url: 'https://before.example/x' }, { key })
  await app.post('/v1/merchant', { domain: 'after.example' }, { key })
  const change = (over: object) => app.post(`${path}/${body.id}`, over, { key })
  expect((await change({ name: 'Kept' })).body).toMatchObject({
    name: 'Kept',
    url: 'https://before.example/x',
  })
  expect((await change({ url: 'https://before.example/y' })).status).toBe(422)
  expect((await change({ url: 'https://after.example/y' })).body.url).toBe('https://after.example/y')
})

test("another tenant's API does not exist", async () => {
  const id = await newApi()
  for (const key of [app.account.keys.secret_live, app.stranger.keys.secret_test]) {
    const answers = [
      await app.get(`${path}/${id}`, { key }),
      await app.post(`${path}/${id}`, { name: 'Mine' }, { key }),
      await app.post(`${path}/${id}/archive`, undefined, { key }),
    ]
    for (const { status, body } of answers)
      expect([status, body.detail.code, body.detail.param]).toEqual([404, 'not_found', 'mpp_api_id'])
    expect((await app.get(path, { key })).body.data).toEqual([])
  }
})

test('a merchant has a hundred of them published, archived ones not counted, and not one more at once', async () => {
  const { keys } = await app.newAccount()
  const key = keys.secret_test
  const { body: first } = await app.post(path, advisor, { key })
  await app.parts.pools.single({
    name: '',
    text: `insert into mpp_apis (account_id, mode, id, name, description, method, url, host, offers, categories, status, metadata, seq, created_at,
        updated_at)
      select account_id, mode, 'mapi_' || lpad(i::text, 26, '0'), name, description, method, url, host, offers, categories, status, metadata, seq,
        created_at, updated_at from mpp_apis, generate_series(1, 98) as i where id = $1`,
    values: [first.id],
  })
  const answers = await Promise.all(Array.from({ length: 4 }, () => app.post(path, advisor, { key })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
  expect(answers.find(({ status }) => status === 409)?.body.detail.code).toBe('object_limit_reached')
  await app.post(`${path}/${first.id}/archive`, undefined, { key })
  expect((await app.post(path, advisor, { key })).status).toBe(201)
})
