import { describe, expect, test } from 'vitest'
import { createProtocol } from './protocol.ts'
import type { ToolCaller } from './tool-caller.ts'

// What every message is answered, `server/test/conformance/mcp-oracle.test.ts` compares with the official package.

const bugs: unknown[] = []
const protocol = createProtocol((error) => bugs.push(error))

const calls: string[] = []
const caller: ToolCaller = {
  async call(name, args) {
    calls.push(name)
    if (name === 'unknown') return null
    if (name === 'broken') throw new Error('a secret of the server')
    return { body: JSON.stringify({ name, args }), isError: name === 'refused', meta: { http_status: 200 } }
  },
  list: () => ['{"name":"good"}', '{"name":"other"}'],
  whyNoTools: () => null,
}

type Params = Record<string, unknown>

async function answerTo(message: unknown, headers: Record<string, string> = {}) {
  const { status, type, body } = await protocol(headers, message, caller)
  return { status, type, body: body === '' ? null : JSON.parse(body) }
}

function older(method: string, params?: Params, revision = '2025-11-25') {
  return answerTo({ jsonrpc: '2.0', id: 'seven', method, params }, { 'mcp-protocol-version': revision })
}

const requestMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const newestHeaders = (method: string) => ({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method })

function newest(method: string, params: Params = {}, headers: Record<string, string> = {}) {
  const named = typeof params.name === 'string' ? { 'mcp-name': params.name } : {}
  return answerTo(
    { jsonrpc: '2.0', id: 'seven', method, params: { ...params, _meta: requestMeta } },
    { ...newestHeaders(method), ...named, ...headers },
  )
}

test('a call is answered as text, as structure, and with its status, in every revision', async () => {
  const params = { name: 'good', arguments: { a: [1] } }
  const result = {
    content: [{ type: 'text', text: '{"name":"good","args":{"a":[1]}}' }],
    structuredContent: { name: 'good', args: { a: [1] } },
    _meta: { http_status: 200 },
  }
  for (const revision of ['2025-11-25', '2025-06-18', '2025-03-26']) {
    const { status, body } = await older('tools/call', params, revision)
    expect([status, body]).toEqual([200, { jsonrpc: '2.0', id: 'seven', result }])
  }
  const { status, body } = await newest('tools/call', params)
  const { _meta, ...rest } = result
  expect([status, body.result]).toEqual([
    200,
    {
      ...rest,
      resultType: 'complete',
      _meta: { ..._meta, 'io.modelcontextprotocol/serverInfo': expect.objectContaining({ name: 'prokura' }) },
    },
  ])
})

test('a refused call has its body as text alone', async () => {
  for (const { body } of [
    await older('tools/call', { name: 'refused' }),
    await newest('tools/call', { name: 'refused' }),
  ]) {
    expect(body.result).toMatchObject({ isError: true, content: [{ type: 'text' }] })
    expect(body.result).not.toHaveProperty('structuredContent')
  }
})

test('a bug in a call is reported, and its words stay here', async () => {
  bugs.length = 0
  const { status, body } = await older('tools/call', { name: 'broken' })
  expect([status, body.id, body.error.code]).toEqual([200, 'seven', -32_603])
  expect(JSON.stringify(body)).not.toContain('secret')
  expect(bugs).toMatchObject([{ message: 'a secret of the server' }])
})

test('a list is whole, and in the newest revision says for how long the client alone may keep it', async () => {
  const tools = [{ name: 'good' }, { name: 'other' }]
  expect((await older('tools/list')).body.result).toEqual({ tools })
  expect((await newest('tools/list')).body.result).toMatchObject({
    tools,
    ttlMs: 300_000,
    cacheScope: 'private',
  })
})

test('the newest revision has no greeting and no ping, and others have no discovery', async () => {
  for (const method of ['initialize', 'ping', 'resources/list', 'toString']) {
    const { status, body } = await newest(method)
    expect([method, status, body.id, body.error.code]).toEqual([method, 404, 'seven', -32_601])
  }
  for (const method of ['server/discover', 'subscriptions/listen', 'resources/list', 'toString']) {
    const { status, body } = await older(method)
    expect([method, status, body.id, body.error.code]).toEqual([method, 200, 'seven', -32_601])
  }
})

test('what waits for no answer is accepted, in every revision', async () => {
  const told = { jsonrpc: '2.0', method: 'notifications/initialized' }
  for (const message of [told, { jsonrpc: '2.0', id: 1, result: {} }]) {
    for (const revision of ['2026-07-28', '2025-11-25', '2025-03-26'])
      expect(await answerTo(message, { 'mcp-protocol-version': revision })).toMatchObject({
        status: 202,
        body: null,
      })
    expect(await answerTo(message, { 'mcp-protocol-version': '2024-11-05' })).toMatchObject({ status: 400 })
  }
})

test.each<[string, number, Record<string, string>, object?]>([
  ['another name in the header', -32_020, { 'mcp-name': 'other' }],
  ['a name in the header that is not encoded as it should be', -32_020, { 'mcp-name': '=?base64?Z29v?Z?=' }],
  ['a name in the header that is no text', -32_020, { 'mcp-name': '=?base64?/w==?=' }],
  ['another method in the header', -32_020, { 'mcp-method': 'tools/list' }],
  ['another revision in the header', -32_020, { 'mcp-protocol-version': '2025-11-25' }],
  ['no `_meta`', -32_602, {}, {}],
  ['no abilities of the client', -32_602, {}, { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }],
  ['a client without a name', -32_602, {}, { ...requestMeta, 'io.modelcontextprotocol/clientInfo': {} }],
  [
    'a revision that is not spoken',
    -32_022,
    { 'mcp-protocol-version': '2099-01-01' },
    { ...requestMeta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' },
  ],
])(
  'a call of the newest revision with %s is refused, and does nothing',
  async (_name, code, changed, meta = requestMeta) => {
    calls.length = 0
    const params = { name: 'good', _meta: meta }
    const headers = { ...newestHeaders('tools/call'), 'mcp-name': 'good', ...changed }
    const { status, body } = await answerTo({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }, headers)
    expect([status, body.id, body.error?.code, calls]).toEqual([400, 7, code, []])
    expect(body.error.message).toMatch(/^[^\n[]+\.$/)
  },
)

test.each(['mcp-protocol-version', 'mcp-method', 'mcp-name'])(
  'a call of the newest revision without the header %s is refused',
  async (name) => {
    const all: Record<string, string> = { ...newestHeaders('tools/call'), 'mcp-name': 'good' }
    const { [name]: _, ...headers } = all
    const params = { name: 'good', _meta: requestMeta }
    const { status, body } = await answerTo({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }, headers)
    expect([status, body.error.code]).toEqual([400, -32_020])
    expect(body.error.message).toContain(`The header ${name} is missing`)
  },
)

test('a name that a header cannot hold is encoded there', async () => {
  const encoded = `=?base64?${Buffer.from('é').toString('base64')}?=`
  const { status, body } = await newest('tools/call', { name: 'é' }, { 'mcp-name': encoded })
  expect([status, body.result.structuredContent.name]).toEqual([200, 'é'])
})

describe('a batch', () => {
  const ping = { jsonrpc: '2.0', id: 'ping', method: 'ping' }
  const call = { jsonrpc: '2.0', id: 'seven', method: 'tools/call', params: { name: 'good' } }
  const told = { jsonrpc: '2.0', method: 'notifications/initialized' }

  test('of revision 2025-03-26 is answered in its order, message by message', async () => {
    calls.length = 0
    const refused = { ...call, id: 2, params: { name: 'refused' } }
    for (const headers of [{}, { 'mcp-protocol-version': '2025-03-26' }]) {
      expect(await answerTo([call, told, refused, 5, ping], headers)).toMatchObject({
        status: 200,
        body: [
          { id: 'seven', result: { structuredContent: { name: 'good' } } },
          { id: 2, result: { isError: true } },
          { id: null, error: { code: -32_600 } },
          { id: 'ping', result: {} },
        ],
      })
    }
    expect(calls).toEqual(['good', 'refused', 'good', 'refused'])
  })

  test('of notifications and answers alone is accepted without a body', async () => {
    expect(await answerTo([told, told])).toMatchObject({ status: 202, body: null })
  })

  test('has no place for a message of the newest revision', async () => {
    const params = { notifications: {}, _meta: requestMeta }
    const listen = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params }
    expect((await answerTo([listen])).body).toMatchObject([{ id: 1, error: { code: -32_020 } }])
  })

  test.each<[string, unknown, Record<string, string>]>([
    ['of another revision', [ping], { 'mcp-protocol-version': '2025-06-18' }],
    ['of a revision that is not spoken', [ping], { 'mcp-protocol-version': '2024-11-05' }],
    ['without a message', [], {}],
    ['with more messages than one may have', Array.from({ length: 21 }, () => ping), {}],
    ['with a greeting', [ping, { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }], {}],
  ])('%s is refused, and nothing of it is done', async (_name, messages, headers) => {
    expect(await answerTo(messages, headers)).toMatchObject({
      status: 400,
      body: { jsonrpc: '2.0', id: null, error: { code: -32_600 } },
    })
  })
})

test.each<[string, { name?: string; arguments?: unknown }, string]>([
  ['no name', { arguments: {} }, 'must be a string'],
  ['a text for arguments', { name: 'good', arguments: '{}' }, 'The arguments of "good" must be an object'],
  ['a list for arguments', { name: 'good', arguments: [1] }, 'The arguments of "good" must be an object'],
  ['an unknown tool', { name: 'unknown' }, 'There is no tool "unknown". tools/list shows'],
])('a call with %s is refused in a sentence, in every revision', async (_name, params, sentence) => {
  for (const { status, body } of [await older('tools/call', params), await newest('tools/call', params)]) {
    const { id, error } = body
    expect([status, id, error.code]).toEqual([200, 'seven', -32_602])
    expect(error.message).toContain(sentence)
    expect(error.message).toMatch(/^[^\n[]+\.$/)
  }
})

test('a long name of somebody else is repeated in part', async () => {
  const { error } = (await older('tools/call', { name: 'x'.repeat(5000), arguments: 5 })).body
  expect(error.message.length).toBeLessThan(300)
})

test('JSON that is no message is refused as such', async () => {
  for (const message of [null, 5, 'ping', true, {}, { jsonrpc: '1.0', id: 1, method: 'ping' }]) {
    const { status, body } = await answerTo(message, { 'mcp-protocol-version': '2025-11-25' })
    expect([status, body.error.code]).toEqual([400, -32_600])
  }
})
