import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { operations } from '../../composition.ts'
import { issueKey } from '../../domain/accounts/api-keys/public.ts'
import { runAs } from '../../platform/calls/run-as.ts'

const origin = 'https://shop.example'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ limits: { discoveryAnonymousMinute: 10_000 } })
})
afterAll(() => app.stop())

/** What a browser sends before a request of a page; `authorization` is never in it. */
function preflight(path: string, method = 'POST') {
  return app.request('OPTIONS', path, {
    key: null,
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type',
    },
  })
}

const paths = [...new Set(operations.map(({ path }) => path))]
const isForPages = (path: string) =>
  operations.some((each) => each.path === path && (each.auth === 'optional' || each.auth === 'none'))

test('a page may ask before it sends, at the paths that need no secret key, and at no other', async () => {
  expect(paths.filter(isForPages).length).toBeGreaterThan(3)
  for (const path of paths) {
    const { status, headers } = await preflight(path.replaceAll(/\{[a-z_]+\}/g, 'x'))
    const methods = operations
      .filter((each) => each.path === path)
      .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    if (!isForPages(path)) {
      expect([path, status, headers.get('access-control-allow-origin')]).toEqual([path, 405, null])
      continue
    }
    expect([path, status]).toEqual([path, 204])
    expect({ path, ...Object.fromEntries(headers) }).toMatchObject({
      path,
      'access-control-allow-origin': '*',
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': 'Authorization, Content-Type',
      'access-control-max-age': '7200',
      'request-id': expect.stringMatching(/^req_/),
      'x-content-type-options': 'nosniff',
    })
    expect(headers.get('access-control-allow-credentials')).toBe(null)
  }
})

test('nothing but operations lets a page ask', async () => {
  for (const path of [
    '/',
    '/mcp/v1',
    '/openapi.json',
    '/docs',
    '/health/live',
    '/v1/nothing',
    '/v1/catalog/',
  ]) {
    const { status, headers } = await preflight(path)
    expect([path, [404, 405].includes(status), headers.get('access-control-allow-origin')]).toEqual([
      path,
      true,
      null,
    ])
  }
})

test('a page can read every refusal: the wrong method, the wrong type, a body that is no JSON, one that is too large', async () => {
  const headers = { origin, 'content-type': 'application/json' }
  const refused = [
    await app.request('GET', '/v1/catalog', { key: null, headers }),
    await app.request('POST', '/v1/catalog', {
      key: null,
      headers: { origin, 'content-type': 'text/plain' },
      raw: 'x',
    }),
    await app.request('POST', '/v1/catalog', { key: null, headers, raw: '{' }),
    await app.request('POST', '/v1/catalog', {
      key: null,
      headers,
      raw: `{"query":"${'x'.repeat(100_000)}"}`,
    }),
    await app.request('POST', '/v1/catalog', { key: 'nonsense', headers, raw: '{}' }),
  ]
  expect(refused.map(({ status }) => status)).toEqual([405, 415, 422, 413, 401])
  expect(refused.map(({ headers: sent }) => sent.get('access-control-allow-origin'))).toEqual([
    '*',
    '*',
    '*',
    '*',
    origin,
  ])
  expect(refused[0]?.headers.get('allow')).toBe('POST, OPTIONS')
})

test('a page says what was seen without a key', async () => {
  const sent = await app.post(
    '/v1/catalog/impressions',
    { lines: [{ attribution_id: 'attr_x', item_id: 'cat_x' }] },
    { key: null, headers: { origin } },
  )
  expect([sent.status, sent.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
})

test('an operation that needs a secret key says nothing about pages', async () => {
  const answers = [
    await app.get('/v1/merchant', { headers: { origin } }),
    await app.get('/v1/merchant', { key: null, headers: { origin } }),
    await app.post('/v1/profiles', {}, { headers: { origin } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 422])
  for (const { headers } of answers)
    expect([headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([null, null])
})

test('an answer that is packed varies by its page too', async () => {
  const open = { key: app.account.keys.secret_test }
  await app.post('/v1/merchant', { slug: 'tea', domain: 'tea.example', currency: 'EUR' }, open)
  const made = await app.post(
    '/v1/merchant/catalog_items',
    { title: 'Tea', description: 'tea '.repeat(2500), variants: [{ price: 590 }] },
    open,
  )
  await app.post(`/v1/merchant/catalog_items/${made.body.id}/publish`, undefined, open)
  const { token } = await runAs(
    app.parts,
    { tenant: { accountId: app.account.accountId, mode: 'test' }, actor: { type: 'system', id: 'test' } },
    async (ctx) => issueKey(ctx, { kind: 'publishable', name: 'page', preset: 'full', origins: [origin] }),
  )
  const { status, headers } = await app.post(
    '/v1/catalog/product',
    { id: made.body.id, merchant: { slug: 'tea' } },
    { key: token, headers: { origin, 'accept-encoding': 'gzip' } },
  )
  expect([status, headers.get('content-encoding'), headers.get('vary')]).toEqual([
    200,
    'gzip',
    'Origin, Accept-Encoding',
  ])
})
