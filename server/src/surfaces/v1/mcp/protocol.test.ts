import { describe, expect, test } from 'vitest'
import { createProtocol } from './protocol.ts'
import type { ProtocolAnswer } from './protocol-answer.ts'
import { type CallTool, openToolServer as openServer, serverInfo, type ToolCaller } from './tool-server.ts'

const bugs: unknown[] = []
const onBug = (error: unknown) => bugs.push(error)
/** Answers calls as the package does, those of the newer revision with a server each. */
const longWay = createProtocol<ToolCaller>({ openServer, onBug })
const shortWay = createProtocol<ToolCaller>({
  openServer,
  onBug,
  direct: { call: ({ call }, name, args) => call(name, args), signature: serverInfo },
})

const calls: string[] = []
const call: CallTool = async (name, args) => {
  calls.push(name)
  if (name === 'unknown') return null
  if (name === 'broken') throw new Error('a bug')
  return { body: JSON.stringify({ name, args }), isError: name === 'refused', meta: { http_status: 200 } }
}

const caller: ToolCaller = { call, list: () => [], whyNoTools: () => null }

const headers = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'good',
}
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

type Sent = { headers?: Record<string, string | undefined>; params?: object; meta?: object; id?: unknown }

function send(protocol: typeof longWay, given: Sent): Promise<ProtocolAnswer> {
  const sent = Object.entries({ ...headers, ...given.headers }).filter(([, value]) => value !== undefined)
  const params = {
    name: 'good',
    arguments: { a: [1] },
    ...given.params,
    _meta: { ...envelope, ...given.meta },
  }
  const message = { jsonrpc: '2.0', id: given.id ?? 'seven', method: 'tools/call', params }
  return protocol.answer(Object.fromEntries(sent) as Record<string, string>, message, caller)
}

test.each<[string, Sent]>([
  ['a call', {}],
  ['a call by number', { id: 7 }],
  ['a call without arguments', { params: { arguments: undefined } }],
  ['a refused call', { headers: { 'mcp-name': 'refused' }, params: { name: 'refused' } }],
  ['a tool that does not exist', { headers: { 'mcp-name': 'unknown' }, params: { name: 'unknown' } }],
  ['a tool that breaks', { headers: { 'mcp-name': 'broken' }, params: { name: 'broken' } }],
  ['a client that names itself', { meta: { traceparent: '00-1-1-01' } }],
  ['arguments that are no object', { params: { arguments: [1] } }],
  ['a name that is no text', { headers: { 'mcp-name': '5' }, params: { name: 5 } }],
  ['another name in the header', { headers: { 'mcp-name': 'other' } }],
  ['no name in the header', { headers: { 'mcp-name': undefined } }],
  ['another method in the header', { headers: { 'mcp-method': 'tools/list' } }],
  ['no revision in the header', { headers: { 'mcp-protocol-version': undefined } }],
  ['another revision in the envelope', { meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } }],
  ['no capabilities', { meta: { 'io.modelcontextprotocol/clientCapabilities': undefined } }],
  ['capabilities that are none', { meta: { 'io.modelcontextprotocol/clientCapabilities': 5 } }],
  ['a client without a name', { meta: { 'io.modelcontextprotocol/clientInfo': { version: '1' } } }],
  ['a wish to hear of its progress', { meta: { progressToken: 'p' } }],
  ['a progress token that is none', { meta: { progressToken: {} } }],
  ['a log level', { meta: { 'io.modelcontextprotocol/logLevel': 'info' } }],
  ['answers to a question nobody asked', { params: { inputResponses: { a: {} } } }],
])('%s is answered alike by a server of its own and without one', async (_name, given) => {
  calls.length = 0
  const [long, short] = [await send(longWay, given), await send(shortWay, given)]
  expect({ status: short.status, type: short.type }).toEqual({ status: long.status, type: long.type })
  expect(JSON.parse(String(short.body))).toEqual(JSON.parse(String(long.body)))
  // Both ways called it once, or neither did.
  expect(calls.length % 2).toBe(0)
})

const olderHeaders = {
  accept: headers.accept,
  'content-type': 'application/json',
  'mcp-protocol-version': '2025-11-25',
}
const plainCall = {
  jsonrpc: '2.0',
  id: 'seven',
  method: 'tools/call',
  params: { name: 'good', arguments: { a: [1] } },
}
test.each<[string, object]>([
  ['a call', {}],
  ['a call by number', { id: 7 }],
  ['a call by a fraction', { id: 7.5 }],
  ['a call by nothing', { id: null }],
  ['a call without arguments', { params: { name: 'good' } }],
  ['a refused call', { params: { name: 'refused' } }],
  ['a tool that does not exist', { params: { name: 'unknown' } }],
  ['a tool that breaks', { params: { name: 'broken' } }],
  ['arguments that are no object', { params: { name: 'good', arguments: [1] } }],
  ['a name that is no text', { params: { name: 5 } }],
  ['no parameters', { params: undefined }],
  ['a wish to hear of its progress', { params: { name: 'good', _meta: { progressToken: 'p' } } }],
  ['a progress token that is none', { params: { name: 'good', _meta: { progressToken: {} } } }],
  ['another version of JSON-RPC', { jsonrpc: '1.0' }],
  ['a member that JSON-RPC does not know', { more: 1 }],
])('%s of the older revisions is answered alike by a server and without one', async (_name, given) => {
  for (const version of ['2025-11-25', '2025-06-18', '2025-03-26', undefined]) {
    calls.length = 0
    const { 'mcp-protocol-version': _, ...unnamed } = olderHeaders
    const sent = version === undefined ? unnamed : { ...unnamed, 'mcp-protocol-version': version }
    const message = { ...plainCall, ...given }
    const long = await longWay.answer(sent, message, caller)
    const short = await shortWay.answer(sent, message, caller)
    expect({ status: short.status, type: short.type }).toEqual({ status: long.status, type: long.type })
    expect(JSON.parse(String(short.body))).toEqual(JSON.parse(String(long.body)))
    expect(calls.length % 2).toBe(0)
  }
})

test('a refused call has its body as text alone, on both ways', async () => {
  for (const protocol of [longWay, shortWay]) {
    const given = { headers: { 'mcp-name': 'refused' }, params: { name: 'refused' } }
    const { result } = JSON.parse(String((await send(protocol, given)).body))
    expect(result).toMatchObject({ isError: true, content: [{ type: 'text' }] })
    expect(result).not.toHaveProperty('structuredContent')
  }
})

describe('a batch', () => {
  const { 'mcp-protocol-version': _, ...unnamed } = olderHeaders
  const answerTo = async (messages: unknown, sent: Record<string, string> = unnamed) => {
    const { status, body } = await shortWay.answer(sent, messages, caller)
    return { status, body: body === '' ? null : JSON.parse(String(body)) }
  }
  const ping = { jsonrpc: '2.0', id: 'ping', method: 'ping' }

  test('of revision 2025-03-26 is answered in its order, message by message', async () => {
    calls.length = 0
    const told = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const refused = { ...plainCall, id: 2, params: { name: 'refused' } }
    const messages = [plainCall, told, refused, 5, ping]
    for (const sent of [unnamed, { ...unnamed, 'mcp-protocol-version': '2025-03-26' }]) {
      expect(await answerTo(messages, sent)).toMatchObject({
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
    const told = { jsonrpc: '2.0', method: 'notifications/initialized' }
    expect(await answerTo([told, told])).toEqual({ status: 202, body: null })
  })

  test.each<[string, unknown, Record<string, string>]>([
    ['of another revision', [ping], { ...unnamed, 'mcp-protocol-version': '2025-06-18' }],
    ['without a message', [], unnamed],
    ['with more messages than one may have', Array.from({ length: 21 }, () => ping), unnamed],
    ['with a greeting', [ping, { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }], unnamed],
  ])('%s is refused, and nothing of it is done', async (_name, messages, sent) => {
    expect(await answerTo(messages, sent)).toMatchObject({
      status: 400,
      body: { jsonrpc: '2.0', id: null, error: { code: -32_600 } },
    })
  })
})

test.each<[string, { name?: string; arguments?: unknown } | undefined, string]>([
  ['no parameters', undefined, 'must be an object'],
  ['no name', { arguments: {} }, 'must be a string'],
  ['null for arguments', { name: 'good', arguments: null }, 'The arguments of "good" must be an object'],
  ['a text for arguments', { name: 'good', arguments: '{}' }, 'The arguments of "good" must be an object'],
  ['a list for arguments', { name: 'good', arguments: [1] }, 'The arguments of "good" must be an object'],
  ['an unknown tool', { name: 'unknown' }, 'There is no tool "unknown". tools/list shows'],
])('a call with %s is refused in a sentence, in every revision', async (_name, params, sentence) => {
  const newest = { ...headers, 'mcp-name': params?.name ?? '' }
  const signed = params && { ...params, _meta: envelope }
  for (const [sent, given] of [
    [olderHeaders, params],
    [newest, signed],
  ] as const) {
    const { status, body } = await shortWay.answer(sent, { ...plainCall, params: given }, caller)
    const { id, error } = JSON.parse(String(body))
    expect([status, id, error.code]).toEqual([200, 'seven', -32_602])
    expect(error.message).toContain(sentence)
    expect(error.message).toMatch(/^[^\n[]+\.$/)
  }
})

test('JSON that is no message is refused as such', async () => {
  for (const message of [null, 5, 'ping', true]) {
    const { status, body } = await shortWay.answer(olderHeaders, message, caller)
    expect([status, JSON.parse(String(body)).error.code]).toEqual([400, -32_600])
  }
})

test('two calls of one id at a time are answered each with its own', async () => {
  const answers = await Promise.all(
    ['one', 'two'].map((name) => send(shortWay, { headers: { 'mcp-name': name }, params: { name } })),
  )
  const names = answers.map(({ body }) => JSON.parse(String(body)).result.structuredContent.name)
  expect(names).toEqual(['one', 'two'])
})
