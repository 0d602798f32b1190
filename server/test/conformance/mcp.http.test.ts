import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../../src/composition.ts'
import { standsOn } from '../../src/contract/operation.ts'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { legacy, legacyHeaders, modern, modernMeta, rpc } from '../harness/mcp-requests.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'GB' }

test('every older revision is greeted without a key as itself, and any other is offered the newest of them', async () => {
  for (const [asked, answered] of [
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2025-11-25'],
    ['2099-01-01', '2025-11-25'],
  ]) {
    const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const { status, headers, body } = await rpc(app, 'initialize', params, { key: null, revision: null })
    expect(status).toBe(200)
    expect(headers.get('request-id')).toMatch(/^req_/)
    expect(body.result).toMatchObject({
      protocolVersion: answered,
      capabilities: { tools: {} },
      serverInfo: { name: 'prokura' },
    })
  }
  const discovered = await modern(app, 'server/discover', {}, null)
  expect(discovered.body.result.supportedVersions).toEqual(['2026-07-28'])
})

test('an older revision is named in the header, or by nothing where it has no header; another one is refused', async () => {
  const params = { name: 'v1_list_profiles', arguments: {} }
  for (const revision of ['2025-11-25', '2025-06-18', '2025-03-26', null]) {
    const { status, body } = await rpc(app, 'tools/call', params, { revision })
    expect([revision, status, body.result.structuredContent.object]).toEqual([revision, 200, 'list'])
  }
  for (const revision of ['2024-11-05', '2099-01-01', 'x']) {
    const { status, body } = await rpc(app, 'tools/call', params, { revision })
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
  const again = await modern(app, 'tools/call', {
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
  expect((await legacy(app, 'tools/call', { name: 'v1_no_such_tool', arguments: {} })).body.error.code).toBe(
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
    const refused = await legacy(app, 'tools/list', {}, { key })
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

test('a read over POST takes a key of idempotency as over REST, where it says nothing', async () => {
  const reads = operations.filter((each) => standsOn(each, 'mcp') && each.method === 'POST' && each.readOnly)
  expect(reads.map(({ id }) => id)).toContain('v1_calculate_rate_card')
  for (const { id } of reads) {
    const [bare, keyed] = [await app.mcp(id, {}), await app.mcp(id, { idempotency_key: 'k' })]
    expect([id, keyed.status, keyed.body.detail]).toEqual([id, bare.status, bare.body.detail])
  }
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
