import { METHODS } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../../src/composition.ts'
import { standsOn } from '../../src/contract/operation.ts'
import { type Answer, startTestApp, type TestApp } from '../harness/app.ts'
import { bareRequest } from '../harness/bare-request.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'GB' }
const legacyHeaders = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' }

const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

type Params = Record<string, unknown>

function legacy(
  method: string,
  params: Params = {},
  given: Parameters<TestApp['request']>[2] = {},
): Promise<Answer> {
  const body = { jsonrpc: '2.0', id: 7, method, params }
  return app.request('POST', '/mcp/v1', { body, ...given, headers: { ...legacyHeaders, ...given.headers } })
}

/** A request of this revision; null: one that names none. */
function rpc(
  method: string,
  params: Params,
  { revision, ...given }: { revision: string | null; key?: string | null },
): Promise<Answer> {
  const { accept } = legacyHeaders
  return app.request('POST', '/mcp/v1', {
    body: { jsonrpc: '2.0', id: 7, method, params },
    ...given,
    headers: { accept, ...(revision === null ? {} : { 'mcp-protocol-version': revision }) },
  })
}

function modern(method: string, params: Params = {}, key?: string | null): Promise<Answer> {
  return app.request('POST', '/mcp/v1', {
    ...(key === undefined ? {} : { key }),
    body: { jsonrpc: '2.0', id: 'seven', method, params: { ...params, _meta: modernMeta } },
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
    },
  })
}

test('every older revision is greeted without a key as itself, and any other is offered the newest of them', async () => {
  for (const [asked, answered] of [
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2025-11-25'],
    ['2099-01-01', '2025-11-25'],
  ]) {
    const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const { status, headers, body } = await rpc('initialize', params, { key: null, revision: null })
    expect(status).toBe(200)
    expect(headers.get('request-id')).toMatch(/^req_/)
    expect(body.result).toMatchObject({
      protocolVersion: answered,
      capabilities: { tools: {} },
      serverInfo: { name: 'prokura' },
    })
  }
  const discovered = await modern('server/discover', {}, null)
  expect(discovered.body.result.supportedVersions).toEqual(['2026-07-28'])
})

test('an older revision is named in the header, or by nothing where it has no header; another one is refused', async () => {
  const params = { name: 'v1_list_profiles', arguments: {} }
  for (const revision of ['2025-11-25', '2025-06-18', '2025-03-26', null]) {
    const { status, body } = await rpc('tools/call', params, { revision })
    expect([revision, status, body.result.structuredContent.object]).toEqual([revision, 200, 'list'])
  }
  for (const revision of ['2024-11-05', '2099-01-01', 'x']) {
    const { status, body } = await rpc('tools/call', params, { revision })
    expect([status, body.jsonrpc, body.error.message]).toEqual([
      400,
      '2.0',
      expect.stringMatching(/version|revision/),
    ])
  }
})

test('a tool answers what REST answers, in both revisions', async () => {
  const created = await app.mcp('v1_create_profile', ada)
  expect(created).toMatchObject({ status: 201, isError: false, body: { object: 'profile', ...ada } })
  const read = await app.get(`/v1/profiles/${created.body.id}`)
  expect(created.body).toEqual(read.body)
  const again = await modern('tools/call', {
    name: 'v1_get_profile',
    arguments: { profile_id: created.body.id },
  })
  expect(again.body.result.structuredContent).toEqual(read.body)
  expect(JSON.parse(again.body.result.content[0].text)).toEqual(read.body)
  expect(again.body.result._meta).toMatchObject({ http_status: 200 })
})

test('a key of idempotency is one key over REST and MCP, whatever the order of the members', async () => {
  const { country, ...rest } = ada
  const first = await app.mcp('v1_create_profile', {
    country,
    idempotency_key: 'both-doors',
    ...rest,
    metadata: { b: '1', a: '2' },
  })
  const second = await app.post(
    '/v1/profiles',
    { ...ada, metadata: { a: '2', b: '1' } },
    { headers: { 'idempotency-key': 'both-doors' } },
  )
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect(second.body).toEqual(first.body)
  const other = await app.mcp('v1_create_profile', {
    ...ada,
    first_name: 'Grace',
    idempotency_key: 'both-doors',
  })
  expect(other).toMatchObject({
    status: 409,
    isError: true,
    body: { detail: { code: 'idempotency_key_conflict' } },
  })
  const odd = await app.mcp('v1_create_profile', { ...ada, idempotency_key: 5 })
  expect(odd.body.detail).toMatchObject([{ type: 'value_error', loc: ['header', 'idempotency-key'] }])
})

test('faults name the section the operation declares, and nothing is coerced', async () => {
  const list = await app.mcp('v1_list_profiles', { limit: '5', colour: 'red' })
  expect(list.status).toBe(422)
  expect(list.body.detail.map(({ type, loc }: { type: string; loc: string[] }) => [type, ...loc])).toEqual([
    ['int_type', 'query', 'limit'],
    ['extra_forbidden', 'query', 'colour'],
  ])
  const created = await app.mcp('v1_create_profile', { ...ada, country: 7, colour: 'red' })
  expect(created.body.detail.map(({ loc }: { loc: string[] }) => loc)).toEqual([
    ['body', 'country'],
    ['body', 'colour'],
  ])
  const bare = await app.mcp('v1_get_profile', {})
  expect(bare.body.detail).toMatchObject([{ type: 'missing', loc: ['path', 'profile_id'] }])
  expect((await legacy('tools/call', { name: 'v1_no_such_tool', arguments: {} })).body.error.code).toBe(
    -32602,
  )
})

test('an error over MCP is the body of REST but for the request', async () => {
  const overMcp = await app.mcp('v1_get_profile', { profile_id: 'prof_unknown' })
  const overRest = await app.get('/v1/profiles/prof_unknown')
  expect(overMcp).toMatchObject({ status: 404, isError: true })
  const request_id = overMcp.body.detail.request_id
  expect(JSON.stringify(overMcp.body)).toBe(
    JSON.stringify({ detail: { ...overRest.body.detail, request_id } }),
  )
})

test('without a key calls are refused as results; a key that opens nothing is refused at the door', async () => {
  const none = await app.mcp('v1_list_profiles', {}, { key: null })
  expect(none).toMatchObject({ status: 401, isError: true, body: { detail: { code: 'unauthorized' } } })
  for (const key of ['pr_sk_test_00000000000000000000', 'x']) {
    const refused = await legacy('tools/list', {}, { key })
    expect(refused.status).toBe(401)
    expect(refused.body).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_000, message: expect.any(String), data: { detail: { code: 'unauthorized' } } },
    })
  }
  const publishable = await app.mcp('v1_list_profiles', {}, { key: app.account.keys.publishable_test })
  expect(publishable).toMatchObject({
    status: 403,
    body: { detail: { code: 'publishable_key_not_allowed' } },
  })
})

test('other methods, other hosts, other origins, other documents and batches are refused', async () => {
  const rebound = await legacy('tools/list', {}, { headers: { origin: 'https://evil.example' } })
  expect([rebound.status, codeOf(rebound)]).toEqual([403, 'origin_not_allowed'])
  expect((await legacy('tools/list', {}, { headers: { origin: 'http://localhost:5173' } })).status).toBe(200)
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
  const ask = async (method: string, params: Params, coding: string) => {
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

test('a read over POST takes a key of idempotency as over REST, where it says nothing', async () => {
  const reads = operations.filter((each) => standsOn(each, 'mcp') && each.method === 'POST' && each.readOnly)
  expect(reads.map(({ id }) => id)).toContain('v1_calculate_rate_card')
  for (const { id } of reads) {
    const [bare, keyed] = [await app.mcp(id, {}), await app.mcp(id, { idempotency_key: 'k' })]
    expect([id, keyed.status, keyed.body.detail]).toEqual([id, bare.status, bare.body.detail])
  }
})

/** The code of what refused a whole request. */
function codeOf({ body }: Answer): string {
  return body.error.data.detail.code
}

test('a key that opens nothing is challenged in a way that leads no client to a sign-in, and nothing here looks like one', async () => {
  const { headers } = await legacy('tools/list', {}, { key: 'pr_sk_test_00000000000000000000' })
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

test('a batch of calls is answered call by call', async () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' }
  const one = (id: string) => ({ ...call, params: { name: 'v1_get_profile', arguments: { profile_id: id } } })
  const { accept } = legacyHeaders
  const made = await app.post('/v1/profiles', ada)
  const answered = await app.request('POST', '/mcp/v1', {
    headers: { accept },
    body: [one(made.body.id), one('prof_unknown')],
  })
  expect(answered.status).toBe(200)
  expect(answered.body).toMatchObject([
    { result: { structuredContent: { id: made.body.id }, _meta: { http_status: 200 } } },
    { result: { isError: true, _meta: { http_status: 404 } } },
  ])
})

test('arguments may be as deep as a body of REST, and no deeper', async () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const call = (value: string) =>
    app.request('POST', '/mcp/v1', {
      raw: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"v1_create_profile","arguments":{"odd":${value}}}}`,
      headers: { ...legacyHeaders, 'content-type': 'application/json' },
    })
  const overRest = (value: string) =>
    app.request('POST', '/v1/profiles', {
      raw: `{"odd":${value}}`,
      headers: { 'content-type': 'application/json' },
    })
  const deepest = await call(nested(31))
  expect(JSON.parse(deepest.body.result.content[0].text)).toEqual((await overRest(nested(31))).body)
  for (const refused of [await call(nested(32)), await overRest(nested(32))]) {
    const { detail } = refused.body.error?.data ?? refused.body
    expect([refused.status, detail[0].type]).toEqual([422, 'json_invalid'])
  }
  const bare = await app.request('POST', '/mcp/v1', {
    raw: `{"odd":${nested(32)}}`,
    headers: { ...legacyHeaders, 'content-type': 'application/json' },
  })
  expect([bare.status, bare.body.error.data.detail[0].type]).toEqual([422, 'json_invalid'])
})

test('who listens for changes is told at once that there will be none', async () => {
  const params = { notifications: { toolsListChanged: true } }
  const text = await (
    await fetch(`${app.url}/mcp/v1`, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 'listen',
        method: 'subscriptions/listen',
        params: { ...params, _meta: modernMeta },
      }),
    })
  ).text()
  const said = text.split('\n').filter((line) => line.startsWith('data: '))
  expect(said.map((line) => JSON.parse(line.slice(6)))).toMatchObject([
    { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
    { id: 'listen', result: { resultType: 'complete' } },
  ])
})

test('the document and the reference are served from here and load nothing from elsewhere', async () => {
  const { status, body } = await app.get('/openapi.json', { key: null })
  expect(status).toBe(200)
  expect(body.info.title).toContain('public v1 API')
  expect(Object.values(body.paths).flatMap((each) => Object.values(each as object)).length).toBe(
    operations.length,
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
