import { METHODS } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { bareRequest } from '../../../test/harness/bare-request.ts'
import { createPurchase, newBuyer } from '../../../test/harness/buyers.ts'
import { operations } from '../../composition.ts'

/** Streams, and requests, that may be open at once. */
const slots = 3
const itemsWritten = 60
const variants = 60

let app: TestApp
let events: string
beforeAll(async () => {
  app = await startTestApp({ limits: { streams: slots, requests: slots } })
  const intent = await createPurchase(app, await newBuyer(app))
  events = `/v1/purchase_intents/${intent.body.id}/events`
  expect((await app.post(`/v1/purchase_intents/${intent.body.id}/cancel`)).status).toBe(200)
  await app.post('/v1/merchant', { slug: 'tea', domain: 'tea.example', currency: 'EUR' })
  for (let n = 0; n < itemsWritten; n++) {
    const item = {
      title: `Tea ${n}`,
      url: `https://tea.example/${n}`,
      variants: [{ sku: `T-${n}`, price: 100 }],
    }
    expect((await app.post('/v1/merchant/catalog_items', item)).status).toBe(201)
  }
})
afterAll(() => app.stop())

const items = '/v1/merchant/catalog_items'
const exported = '/v1/merchant/catalog_items/export'

function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const key = { authorization: `Bearer ${app.account.keys.secret_test}` }
  return bareRequest(`${app.url}${path}`, { method, headers: { ...key, ...headers } })
}

/** Those that say something of the answer, and not of this one request. */
function lasting({ ...headers }: Record<string, unknown>): Record<string, unknown> {
  for (const name of ['date', 'request-id', 'connection', 'keep-alive', 'transfer-encoding'])
    delete headers[name]
  return headers
}

const pages = [
  '/',
  '/livez',
  '/healthz',
  '/readyz',
  '/favicon.ico',
  '/openapi.json',
  '/docs',
  '/docs/',
  '/docs/js/start.js',
  '/mcp/v1/manifest.json',
  '/onboarding/nothing',
  '/nothing',
]
const reads = operations
  .filter(({ method }) => method === 'GET')
  .map(({ path }) => path.replaceAll(/\{[a-z_]+\}/g, 'none_0'))

test('HEAD is answered as GET, of every path, with the length that the body would have', async () => {
  expect(reads.length).toBeGreaterThan(40)
  for (const path of [...pages, ...reads]) {
    const got = await ask(path)
    const told = await ask(path, {}, 'HEAD')
    expect([path, told.status, told.body.length]).toEqual([path, got.status, 0])
    expect([path, lasting(told.headers)]).toEqual([path, lasting(got.headers)])
    expect([path, told.headers['content-length']]).toEqual([path, String(got.body.length)])
  }
})

test('HEAD of an answer that would be packed tells of the packed one', async () => {
  const gzip = { 'accept-encoding': 'gzip' }
  const [got, told] = [await ask(items, gzip), await ask(items, gzip, 'HEAD')]
  expect(got.headers['content-encoding']).toBe('gzip')
  expect(lasting(told.headers)).toEqual(lasting(got.headers))
})

test('HEAD of a stream or a file tells what would begin, and begins nothing', async () => {
  for (const [path, accept, type] of [
    [events, 'text/event-stream', 'text/event-stream; charset=utf-8'],
    [exported, 'text/csv', 'text/csv; charset=utf-8'],
    [exported, 'application/x-ndjson', 'application/x-ndjson; charset=utf-8'],
  ] as const) {
    // More than may be open at once: each is over when it is answered.
    for (let n = 0; n < slots * 3; n++) {
      const told = await ask(path, { accept }, 'HEAD')
      expect([told.status, told.headers['content-type'], told.body.length]).toEqual([200, type, 0])
    }
    const got = await ask(path, { accept })
    expect(lasting((await ask(path, { accept }, 'HEAD')).headers)).toEqual(lasting(got.headers))
    expect(got.body.length).toBeGreaterThan(0)
  }
})

test('a refusal is that of GET, and the log says HEAD', async () => {
  app.lines.length = 0
  const none = await bareRequest(`${app.url}/v1/profiles`, { method: 'HEAD' })
  expect([none.status, none.headers['www-authenticate'], none.body.length]).toEqual([401, 'Bearer', 0])
  const publishable = { authorization: `Bearer ${app.account.keys.publishable_test}` }
  expect((await ask('/v1/profiles', publishable, 'HEAD')).status).toBe(403)
  const other = { authorization: `Bearer ${app.stranger.keys.secret_test}` }
  expect((await ask(events, other, 'HEAD')).status).toBe(404)
  expect(app.lines.map(({ method, status }) => [method, status])).toEqual([
    ['HEAD', 401],
    ['HEAD', 403],
    ['HEAD', 404],
  ])
})

test.each([
  [undefined, 'application/json'],
  ['*/*', 'application/json'],
  ['text/event-stream', 'text/event-stream'],
  ['application/json;q=1, text/event-stream;q=0.1', 'application/json'],
  ['text/event-stream;q=0, application/json', 'application/json'],
  ['application/json, text/event-stream', 'application/json'],
  ['text/event-stream, application/json', 'text/event-stream'],
])('events for %s are %s', async (accept, type) => {
  const { status, headers } = await ask(events, accept === undefined ? {} : { accept })
  expect([status, headers['content-type'], headers.vary]).toEqual([200, `${type}; charset=utf-8`, 'Accept'])
})

test.each([
  ['*/*', 'application/json'],
  ['text/csv', 'text/csv'],
  ['application/json, application/x-ndjson, text/csv', 'application/json'],
  ['application/x-ndjson;q=0, application/json', 'application/json'],
  ['text/csv;q=0.5, application/x-ndjson', 'application/x-ndjson'],
])('an export for %s is %s', async (accept, type) => {
  const { headers } = await ask(exported, { accept })
  expect(headers['content-type']).toBe(`${type}; charset=utf-8`)
})

test('where there is a choice and nothing of it is accepted, the caller hears what there is', async () => {
  for (const [path, accept, named] of [
    [events, 'text/html', 'text/event-stream'],
    [exported, 'application/xml', 'text/csv'],
    [exported, '*/*;q=0', 'application/x-ndjson'],
  ] as const) {
    const refused = await app.get(path, { headers: { accept } })
    expect([refused.status, refused.body.detail.code]).toEqual([406, 'not_acceptable'])
    expect(refused.body.detail.message).toContain(named)
  }
})

test('where there is no choice the answer is JSON, with any Accept header', async () => {
  for (const accept of ['text/html', 'application/xml', '*/*;q=0']) {
    const { status, headers } = await app.get('/v1/profiles', { headers: { accept } })
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  }
})

test('a large list is packed for clients that unpack it, and holds the same', async () => {
  const plain = await ask(items, { 'accept-encoding': 'identity' })
  const packed = await ask(items, { 'accept-encoding': 'br, gzip' })
  expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, 'gzip'])
  expect([plain.headers.vary, packed.headers.vary]).toEqual(['Accept-Encoding', 'Accept-Encoding'])
  expect(JSON.parse(gunzipSync(packed.body).toString())).toEqual(JSON.parse(plain.body.toString()))
  expect(Number(packed.headers['content-length'])).toBe(packed.body.length)
  expect(packed.body.length).toBeLessThan(plain.body.length / 4)
  expect(packed.headers['cache-control']).toBe('private, no-store')
})

test('packed when asked by a page of the export too, which depends on both headers', async () => {
  const { headers } = await ask(exported, { 'accept-encoding': 'gzip' })
  expect([headers['content-encoding'], headers.vary]).toEqual(['gzip', 'Accept, Accept-Encoding'])
})

test('a small answer, a stream, a file, and what a change answers go out as they are', async () => {
  const gzip = { 'accept-encoding': 'gzip' }
  for (const [path, accept] of [
    ['/v1/merchant', '*/*'],
    [events, 'text/event-stream'],
    [exported, 'text/csv'],
    ['/healthz', '*/*'],
  ] as const) {
    const { status, headers } = await ask(path, { ...gzip, accept })
    expect([path, status, headers['content-encoding']]).toEqual([path, 200, undefined])
  }
  const large = {
    title: 'Tea in all sizes',
    url: 'https://tea.example/sizes',
    variants: Array.from({ length: variants }, (_, n) => ({
      sku: `S-${n}`,
      title: `Size ${n}`,
      price: 100 + n,
    })),
  }
  const made = await app.post(items, large, { headers: gzip })
  expect([made.status, made.headers.get('content-encoding')]).toEqual([201, null])
  expect(JSON.stringify(made.body).length).toBeGreaterThan(10_000)
  const read = await ask(`${items}/${made.body.id}`, gzip)
  expect(read.headers['content-encoding']).toBe('gzip')
})

test('every other method is refused with those that the path takes', async () => {
  // Node closes the connection of who asks for a tunnel.
  const others = METHODS.filter((method) => method !== 'CONNECT')
  expect(others).toContain('QUERY')
  for (const [path, allowed] of [
    ['/v1/profiles', 'GET, HEAD, POST'],
    ['/v1/profiles/prof_1', 'GET, HEAD, POST'],
    ['/v1/profiles/', 'GET, HEAD, POST'],
    [exported, 'GET, HEAD, POST'],
    ['/v1/profiles/prof_1/payment_methods/pm_1', 'GET, HEAD, POST, DELETE'],
    ['/v1/quotes', 'GET, HEAD, POST'],
    ['/', 'GET, HEAD'],
    ['/openapi.json', 'GET, HEAD'],
    ['/readyz', 'GET, HEAD'],
    ['/onboarding/link', 'GET, HEAD, POST'],
    ['/mcp/v1', 'POST'],
  ] as const) {
    for (const method of others) {
      if (allowed.split(', ').includes(method)) continue
      const refused = await ask(path, {}, method)
      expect([method, path, refused.status, refused.headers.allow]).toEqual([method, path, 405, allowed])
    }
  }
  for (const method of others) {
    const { status, headers } = await ask('/v1/nothing', {}, method)
    expect([method, status, headers.allow]).toEqual([method, 404, undefined])
  }
})

test('a body does not change how a method is refused', async () => {
  for (const headers of [{ 'content-type': 'application/json' }, { 'content-type': 'text/plain' }]) {
    const refused = await app.request('QUERY', '/v1/profiles', { raw: '{"a":1}', headers })
    expect([refused.status, refused.body.detail.code]).toEqual([405, 'method_not_allowed'])
    expect(refused.headers.get('allow')).toBe('GET, HEAD, POST')
  }
})
