import { METHODS } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations, product } from '../../src/composition.ts'
import { type Answer, startTestApp, type TestApp } from '../harness/app.ts'
import { bareRequest } from '../harness/bare-request.ts'
import { legacy, legacyHeaders, modernMeta } from '../harness/mcp-requests.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'GB' }

/** The code of what refused a whole request. */
function codeOf({ body }: Answer): string {
  return body.error.data.detail.code
}

test('other methods, other hosts, other origins, other documents and batches are refused', async () => {
  const rebound = await legacy(app, 'tools/list', {}, { headers: { origin: 'https://evil.example' } })
  expect([rebound.status, codeOf(rebound)]).toEqual([403, 'origin_not_allowed'])
  expect((await legacy(app, 'tools/list', {}, { headers: { origin: 'http://localhost:5173' } })).status).toBe(
    200,
  )
  for (const raw of [
    '{"jsonrpc":"2.0","jsonrpc":"2.0"}',
    '{"__proto__":{}}',
    '{"id":9007199254740993}',
    '[['.repeat(40),
    '',
  ]) {
    const refused = await app.request('POST', '/mcp/v1', {
      raw,
      headers: { ...legacyHeaders, 'content-type': 'application/json' },
    })
    const { error } = refused.body
    expect([refused.status, error.code, error.data.detail[0].type]).toEqual([422, -32_700, 'json_invalid'])
  }
  const batch = await app.request('POST', '/mcp/v1', { body: [], headers: legacyHeaders })
  expect([batch.status, batch.body.error.code]).toEqual([400, -32_600])
  const big = await app.request('POST', '/mcp/v1', {
    raw: `"${'x'.repeat(300_000)}"`,
    headers: legacyHeaders,
  })
  expect([big.status, codeOf(big)]).toEqual([413, 'payload_too_large'])
  const text = await app.request('POST', '/mcp/v1', {
    raw: '{}',
    headers: { ...legacyHeaders, 'content-type': 'text/plain' },
  })
  expect([text.status, codeOf(text)]).toEqual([415, 'unsupported_media_type'])
})

test('every method that is not taken is refused in the words of the protocol', async () => {
  // Node closes the connection of who asks for a tunnel; an answer to HEAD has no body.
  const others = METHODS.filter((method) => !['POST', 'CONNECT', 'HEAD'].includes(method))
  expect(others).toEqual(expect.arrayContaining(['GET', 'DELETE', 'QUERY', 'TRACE', 'PROPFIND']))
  for (const method of others) {
    const { status, headers, body } = await bareRequest(`${app.url}/mcp/v1`, { method })
    const { jsonrpc, error } = JSON.parse(body.toString())
    expect([method, status, headers.allow, jsonrpc, error.data.detail.code]).toEqual([
      method,
      405,
      'POST',
      '2.0',
      'method_not_allowed',
    ])
  }
})

test('a client takes JSON and streams by name or by a wildcard, in any case, and one that does not is told how', async () => {
  const ask = (accept: string, body: unknown = { jsonrpc: '2.0', id: 7, method: 'ping' }) =>
    app.request('POST', '/mcp/v1', { body, headers: { accept } })
  for (const accept of [
    '*/*',
    'application/*, text/*',
    'Application/JSON, TEXT/EVENT-STREAM',
    'text/event-stream;q=0.1, application/json',
  ]) {
    const { status, body } = await ask(accept)
    expect([accept, status, body.result]).toEqual([accept, 200, {}])
    const params = { name: 'v1_list_profiles', arguments: {}, _meta: modernMeta }
    const newest = await app.request('POST', '/mcp/v1', {
      body: { jsonrpc: '2.0', id: 7, method: 'tools/call', params },
      headers: {
        accept,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': params.name,
      },
    })
    expect([accept, newest.status, newest.body.result.isError]).toEqual([accept, 200, undefined])
  }
  for (const accept of [
    'application/json',
    'text/event-stream',
    'application/json;q=0, text/event-stream',
    'application/json;q=0, */*',
    'text/html',
  ]) {
    for (const message of [undefined, [{ jsonrpc: '2.0', id: 7, method: 'ping' }]]) {
      const refused = await ask(accept, message)
      expect([accept, refused.status, codeOf(refused)]).toEqual([accept, 406, 'not_acceptable'])
      expect(refused.body.error.message).toContain('Accept: application/json, text/event-stream')
    }
  }
})

test('a list of tools is packed for who unpacks it; what a tool answers never is', async () => {
  const ask = async (method: string, params: Record<string, unknown>, coding: string) => {
    const response = await fetch(`${app.url}/mcp/v1`, {
      method: 'POST',
      headers: {
        ...legacyHeaders,
        authorization: `Bearer ${app.account.keys.secret_test}`,
        'content-type': 'application/json',
        'accept-encoding': coding,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
    })
    const { headers } = response
    return { coding: headers.get('content-encoding'), vary: headers.get('vary'), body: await response.json() }
  }
  const packed = await ask('tools/list', {}, 'gzip')
  const plain = await ask('tools/list', {}, 'identity')
  expect([packed.coding, packed.vary, plain.coding, plain.vary]).toEqual([
    'gzip',
    'Accept-Encoding',
    null,
    'Accept-Encoding',
  ])
  expect(packed.body).toEqual(plain.body)
  for (let n = 0; n < 30; n++) await app.post('/v1/profiles', ada)
  const called = await ask('tools/call', { name: 'v1_list_profiles', arguments: {} }, 'gzip')
  expect(JSON.stringify(called.body).length).toBeGreaterThan(8 * 1024)
  expect([called.coding, called.vary]).toEqual([null, null])
})

test('a key that opens nothing is challenged in a way that leads no client to a sign-in, and nothing here looks like one', async () => {
  const { headers } = await legacy(app, 'tools/list', {}, { key: 'pr_sk_test_00000000000000000000' })
  const challenge = headers.get('www-authenticate') ?? ''
  expect(challenge).toMatch(/^Bearer realm="[^"]+", error="invalid_token", error_description="[^"]+"$/)
  expect(challenge).not.toMatch(/resource_metadata|authorization_uri|scope=/)
  for (const name of ['oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration']) {
    for (const path of [`/.well-known/${name}`, `/.well-known/${name}/mcp/v1`]) {
      expect([path, (await app.get(path, { key: null })).status]).toEqual([path, 404])
    }
  }
  expect((await app.post('/register', {}, { key: null })).status).toBe(404)
})

test('the document and the reference are served from here and load nothing from elsewhere', async () => {
  const { status, body } = await app.get('/openapi.json', { key: null })
  expect(status).toBe(200)
  expect(body.info.title).toContain('public v1 API')
  expect(Object.values(body.paths).flatMap((each) => Object.values(each as object)).length).toBe(
    operations.length + product.documents.length,
  )
  const page = await fetch(`${app.url}/docs/`)
  const html = await page.text()
  expect([page.status, page.headers.get('content-security-policy')]).toEqual([
    200,
    expect.stringContaining("connect-src 'self'"),
  ])
  expect(html.match(/https?:\/\/[^"'\s]+/g) ?? []).toEqual([])
  expect((await fetch(`${app.url}/docs/js/scalar.js`)).status).toBe(200)
  const start = await (await fetch(`${app.url}/docs/js/start.js`)).text()
  // Its button leads to the vendor's page, with this server's address.
  expect(start).toContain('"hideClientButton":true')
  const { url } = JSON.parse(/\{.*\}/.exec(start)?.[0] ?? '{}')
  expect((await app.get(url, { key: null })).body.info).toEqual(body.info)
})

test('a method that a page does not take is refused as such', async () => {
  for (const path of ['/openapi.json', '/docs', '/mcp/v1/manifest.json', '/healthz', '/readyz']) {
    const refused = await app.request('POST', path, { body: {} })
    expect([path, refused.status, refused.headers.get('allow'), refused.body.detail.code]).toEqual([
      path,
      405,
      'GET, HEAD',
      'method_not_allowed',
    ])
  }
})
