import { expect, test } from 'vitest'
import { createProtocol, type ProtocolAnswer } from './protocol.ts'
import { type CallTool, openToolServer, serverInfo } from './tool-server.ts'

const openServer = (callerOf: (requestId: unknown) => CallTool | undefined) => openToolServer([], callerOf)
const bugs: unknown[] = []
const onBug = (error: unknown) => bugs.push(error)
/** Answers calls as the package does, those of the newer revision with a server each. */
const longWay = createProtocol<CallTool>({ openServer, onBug })
const shortWay = createProtocol<CallTool>({
  openServer,
  onBug,
  direct: { call: (call, name, args) => call(name, args), signature: serverInfo },
})

const calls: string[] = []
const caller: CallTool = async (name, args) => {
  calls.push(name)
  if (name === 'unknown') return null
  if (name === 'broken') throw new Error('a bug')
  return { body: JSON.stringify({ name, args }), isError: name === 'refused', meta: { http_status: 200 } }
}

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
])('%s of the older revision is answered alike by a server and without one', async (_name, given) => {
  calls.length = 0
  const message = {
    jsonrpc: '2.0',
    id: 'seven',
    method: 'tools/call',
    params: { name: 'good', arguments: { a: [1] } },
    ...given,
  }
  const long = await longWay.answer(olderHeaders, message, caller)
  const short = await shortWay.answer(olderHeaders, message, caller)
  expect({ status: short.status, type: short.type }).toEqual({ status: long.status, type: long.type })
  expect(JSON.parse(String(short.body))).toEqual(JSON.parse(String(long.body)))
  expect(calls.length % 2).toBe(0)
})

test('two calls of one id at a time are answered each with its own', async () => {
  const answers = await Promise.all(
    ['one', 'two'].map((name) => send(shortWay, { headers: { 'mcp-name': name }, params: { name } })),
  )
  const names = answers.map(({ body }) => JSON.parse(String(body)).result.structuredContent.name)
  expect(names).toEqual(['one', 'two'])
})
