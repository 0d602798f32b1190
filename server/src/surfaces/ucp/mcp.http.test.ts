import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { askBusiness, startUcpPlatform, type UcpPlatform } from '../../../test/harness/ucp-platform.ts'

let app: TestApp
let platform: UcpPlatform
beforeAll(async () => {
  app = await startTestApp({ limits: { discoveryAnonymousMinute: 10_000, discoveryAnonymousHour: 10_000 } })
  platform = await startUcpPlatform()
  await app.post('/v1/merchant', { slug: 'rose', domain: 'rose.example', name: 'Rose', currency: 'EUR' })
})
afterAll(() => Promise.all([app.stop(), platform.stop()]))

const rose = '/ucp/test/m/rose'
const call = (body: unknown, more: object = {}) =>
  askBusiness(app, platform, `${rose}/mcp`, { body: body as object, ...more })
const tool = (
  name: string,
  given: object,
  meta: object = { 'ucp-agent': { profile: platform.profileUrl } },
) => call({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: { meta, ...given } } })

test('the same operation answers the same, as structure and as text', async () => {
  const { status, body } = await tool('search_catalog', { catalog: { query: 'tea' } })
  expect(status).toBe(200)
  const over = await askBusiness(app, platform, `${rose}/catalog/search`, { body: { query: 'tea' } })
  expect(body.result.structuredContent).toEqual(over.body)
  expect(JSON.parse(body.result.content[0].text)).toEqual(over.body)
})

test.each([
  ['search_catalog', {}, -32602],
  ['search_catalog', { catalog: {} }, -32602],
  ['search_catalog', { catalog: 'x' }, -32602],
  ['lookup_catalog', { catalog: { ids: Array.from({ length: 26 }, (_, index) => `n${index}`) } }, -32602],
  ['buy_everything', {}, -32602],
  ['create_checkout', { checkout: {} }, -32602],
])('%s with %j is refused', async (name, given, code) => {
  const { body } = await tool(name, given)
  expect(body).toMatchObject({ jsonrpc: '2.0', id: 1, error: { code } })
})

test('who calls must say so', async () => {
  const { body } = await tool('search_catalog', { catalog: { query: 'x' } }, {})
  expect(body.error).toMatchObject({ code: -32001, data: { code: 'invalid_profile_url' } })
})

test('a signed call must be the call that was signed', async () => {
  const params = {
    name: 'search_catalog',
    arguments: { meta: { 'ucp-agent': { profile: platform.profileUrl } }, catalog: { query: 'x' } },
  }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  expect((await call(message, { signed: true })).body.result.structuredContent.products).toEqual([])
  const headers = { signature: 'x', 'signature-input': 'x' }
  expect((await call(message, { headers })).body.error.data.code).toBe('signature_missing')
})

test('the tools are listed, and a client may say hello', async () => {
  const { body } = await call({ jsonrpc: '2.0', id: 'a', method: 'tools/list' })
  expect(body.result.tools.map(({ name }: { name: string }) => name)).toEqual([
    'create_cart',
    'get_cart',
    'update_cart',
    'cancel_cart',
    'create_checkout',
    'get_checkout',
    'update_checkout',
    'complete_checkout',
    'cancel_checkout',
    'get_order',
    'search_catalog',
    'lookup_catalog',
    'get_product',
  ])
  const required = body.result.tools.map(
    (tool: { inputSchema: { required: string[] } }) => tool.inputSchema.required,
  )
  expect(required[0]).toEqual(['meta', 'cart'])
  expect(required[2]).toEqual(['meta', 'id', 'cart'])
  expect(required[5]).toEqual(['meta', 'id'])
  const hello = await call({ jsonrpc: '2.0', id: 2, method: 'initialize', params: {} })
  expect(hello.body.result.capabilities).toEqual({ tools: {} })
  const said = await call({ jsonrpc: '2.0', method: 'notifications/initialized' })
  expect([said.status, said.body]).toEqual([202, null])
})

test.each([
  [[], -32600],
  [{}, -32600],
  [{ jsonrpc: '2.0', id: {}, method: 'ping' }, -32600],
  [{ jsonrpc: '2.0', id: 1, method: 'nothing' }, -32601],
  [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: [] }, -32602],
])('%j is refused in the words of JSON-RPC', async (message, code) => {
  expect((await call(message)).body.error.code).toBe(code)
})

test('what is no JSON is refused too', async () => {
  expect((await askBusiness(app, platform, `${rose}/mcp`, { raw: '{' })).body.error.code).toBe(-32700)
})
