import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import fc from 'fast-check'
import { McpClient } from 'mppx/mcp/client'
import { afterAll, expect, test } from 'vitest'
import { readManifest } from '../../src/protocols/mpp/manifest.ts'
import { readPaidOpenApi } from '../../src/protocols/mpp/paid-openapi.ts'
import { startMppShop } from '../harness/mpp-shop.ts'

/** The same merchant over tools, and what it says of itself. */
const shop = await startMppShop()
const { buying, order } = shop
const address = `${buying.app.url}${shop.base}`

afterAll(() => shop.stop())

// biome-ignore lint/suspicious/noExplicitAny: the assertions are about its shape
type Body = any

async function rpc(params: object, method = 'tools/call'): Promise<Body> {
  const response = await fetch(`${address}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  expect(response.status).toBe(200)
  return await response.json()
}

test("an agent with an ordinary client and the library's payments buys with tools alone", async () => {
  const client = new Client({ name: 'payer', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp`)))
  // biome-ignore lint/suspicious/noExplicitAny: the library's types are those of an older client, which has the same method
  const paying = McpClient.wrap(client as any, { methods: [shop.vault] })
  await buying.relayed()
  const found = await paying.callTool({ name: 'search_catalog', arguments: { q: 'mug' } })
  const [product] = (found.structuredContent as Body).products
  const placed = await paying.callTool({
    name: 'create_order',
    arguments: order({ items: [{ variant_id: product.variants[0].id }] }),
  })
  const bought = placed.structuredContent as Body
  expect(bought).toMatchObject({ object: 'order', totals: { total: 2700 } })
  expect(placed.receipt).toMatchObject({ status: 'success', method: 'vault', externalId: bought.id })
  expect(await buying.moneyOf(bought.id)).toEqual(['charge_credential 2700 approved'])
  await client.close()
})

test('without a payment a tool says what to pay, and with a bad one why it did not do', async () => {
  const call = { name: 'create_order', arguments: order() }
  const asked = await rpc(call)
  expect(asked.error).toMatchObject({
    code: -32042,
    data: { httpStatus: 402, problem: { type: 'https://paymentauth.org/problems/payment-required' } },
  })
  const [challenge] = asked.error.data.challenges
  expect(challenge).toMatchObject({ method: 'vault', intent: 'charge', request: { amount: '2700' } })
  const credential = { challenge, payload: { token: 'vtok_test_nothing' } }
  const failed = await rpc({ ...call, _meta: { 'org.paymentauth/credential': credential } })
  expect(failed.error).toMatchObject({
    code: -32043,
    data: {
      failure: { reason: 'verification-failed' },
      challenges: [{ method: 'vault' }, { method: 'stripe' }],
    },
  })
  const { token } = await shop.tokenFor(challenge)
  const paid = { ...call, _meta: { 'org.paymentauth/credential': { challenge, payload: { token } } } }
  const first = await rpc(paid)
  expect(first.result._meta['org.paymentauth/receipt']).toMatchObject({
    status: 'success',
    challengeId: challenge.id,
  })
  expect((await rpc(paid)).result).toEqual(first.result)
})

test('a challenge over REST is paid over tools, because it is the same operation', async () => {
  const challenge = await shop.challengeFor()
  const { token } = await shop.tokenFor(challenge)
  const { meta: _, ...json } = challenge
  const credential = { challenge: json, payload: { token } }
  const paid = await rpc({
    name: 'create_order',
    arguments: order(),
    _meta: { 'org.paymentauth/credential': credential },
  })
  expect(paid.result.structuredContent).toMatchObject({ object: 'order' })
})

test.each([
  ['create_order', {}, 'items: Field required.'],
  ['create_order', { items: 'x' }, 'items: Input should be a valid array.'],
  ['create_order', { ...order(), colour: 'red' }, 'colour: Extra inputs are not permitted.'],
  ['quote_order', { items: [{ variant_id: 'none' }] }, 'does not sell'],
  ['get_order', { order_id: 'ord_1', key: 'x', more: 1 }, 'more: Extra inputs are not permitted.'],
  ['get_product', { product_id: 'none' }, 'There is no such object'],
  ['get_product', { product_id: 'none', q: 'mug' }, 'q: Extra inputs are not permitted.'],
  ['search_catalog', { limit: '5' }, 'limit: Input should be a valid integer, without quotation marks.'],
  ['search_catalog', { query: 'mug' }, 'query: Extra inputs are not permitted.'],
  ['search_catalog', '{}', 'must be an object'],
  ['sell_everything', {}, 'no such tool'],
])('%s with %j is refused, and the message says what is wrong', async (name, given, why) => {
  const message = expect.stringMatching(new RegExp(why.replaceAll('.', '\\.'), 'i'))
  expect(await rpc({ name, arguments: given })).toMatchObject({ error: { code: -32602, message } })
})

test('arguments that are null are none, and so are parameters', async () => {
  expect(await rpc({ name: 'search_catalog', arguments: null })).toMatchObject({
    result: { structuredContent: { products: expect.any(Array) } },
  })
  const response = await fetch(`${address}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: null }),
  })
  expect(await response.json()).toMatchObject({ result: { tools: expect.any(Array) } })
})

test('credentials of any form are read without harm', async () => {
  const bad = [1, 'x', [], {}, { challenge: 1 }, { challenge: {}, payload: null }, { challenge: { id: 'x' } }]
  for (const credential of bad) {
    const answer = await rpc({
      name: 'create_order',
      arguments: order(),
      _meta: { 'org.paymentauth/credential': credential },
    })
    expect([JSON.stringify(credential), [-32042, -32043].includes(answer.error.code)]).toEqual([
      JSON.stringify(credential),
      true,
    ])
  }
})

test('whatever is sent, the answer is a refusal in the words of the protocol, and nothing is placed', async () => {
  const count = () => buying.sql('select count(*) as n from sales')
  const before = await count()
  const values = fc.anything({ maxDepth: 3, withNullPrototype: false, withBigInt: false })
  await fc.assert(
    fc.asyncProperty(values, values, fc.constantFrom('/orders', '/quotes'), async (body, part, path) => {
      for (const sent of [
        body,
        order({ items: part }),
        order({ buyer: part }),
        order({ shipping_address: part }),
      ]) {
        const { status, body: answer } = await shop.ask(path, { text: JSON.stringify(sent) ?? '' })
        // What was generated may be left out of the JSON, and then the order is a good one.
        expect([200, 400, 402, 409, 422]).toContain(status)
        if (status >= 400) expect(answer).toMatchObject({ type: expect.any(String), status })
      }
      const credential = `Payment ${Buffer.from(JSON.stringify({ challenge: part, payload: body })).toString('base64url')}`
      const paid = await shop.ask('/orders', { body: order(), credential })
      expect([paid.status, paid.body.type]).toEqual([
        402,
        'https://paymentauth.org/problems/malformed-credential',
      ])
    }),
    { numRuns: 40 },
  )
  expect(await count()).toEqual(before)
})

test('the tools are listed with their arguments, and the server says how it is paid', async () => {
  const { result } = await rpc({}, 'tools/list')
  const names = result.tools.map(({ name }: { name: string }) => name)
  expect(names.sort()).toEqual(['create_order', 'get_order', 'get_product', 'quote_order', 'search_catalog'])
  const hello = await rpc({ protocolVersion: '2025-06-18', capabilities: {} }, 'initialize')
  expect(hello.result.capabilities.experimental).toEqual({
    payment: { methods: { vault: { intents: ['charge'] }, stripe: { intents: ['charge'] } } },
  })
})

const documentsAt = [
  ['/mpp/.well-known/mpp.json', readManifest],
  [`${shop.base}/.well-known/mpp.json`, readManifest],
  ['/mpp/openapi.json', readPaidOpenApi],
  [`${shop.base}/openapi.json`, readPaidOpenApi],
] as const

test.each(documentsAt)(
  '%s is read without a fault, is small, and is kept for a while',
  async (path, read) => {
    const response = await fetch(buying.app.url + path)
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('public, max-age=300')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const text = await response.text()
    expect(text.length).toBeLessThan(64 * 1024)
    const { offer, faults } = read(JSON.parse(text), { origin: 'http://127.0.0.1' })
    expect(faults).toEqual([])
    expect(offer?.methods).toEqual(['vault', 'stripe'])
    expect(offer?.operations.map(({ method }) => method)).toEqual(['POST'])
    const etag = response.headers.get('etag') ?? ''
    const again = await fetch(buying.app.url + path, { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
    const head = await fetch(buying.app.url + path, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  },
)

test('a manifest can be downloaded, and anything else asked of it is refused', async () => {
  const at = (query: string) => fetch(`${buying.app.url}/mpp/.well-known/mpp.json${query}`)
  expect((await at('?download=true')).headers.get('content-disposition')).toBe(
    'attachment; filename="mpp.json"',
  )
  for (const yes of ['1', 'True', 'yes', 'ON'])
    expect((await at(`?download=${yes}`)).headers.get('content-disposition')).toContain('attachment')
  for (const no of ['?download=false', '?download=0', '?download=No', '?download=off', '?mode=live', ''])
    expect([no, (await at(no)).status, (await at(no)).headers.get('content-disposition')]).toEqual([
      no,
      200,
      null,
    ])
  for (const [query, type] of [
    ['?download=maybe', 'bool_parsing'],
    ['?foo=1', 'extra_forbidden'],
    ['?a%00b=1', 'extra_forbidden'],
  ] as const) {
    const refused = await at(query)
    expect([refused.status, refused.headers.get('content-type')]).toEqual([
      422,
      'application/json; charset=utf-8',
    ])
    expect(await refused.json()).toMatchObject({ detail: [{ type, loc: ['query', expect.any(String)] }] })
  }
  const own = await fetch(`${address}/.well-known/mpp.json?foo=1`)
  expect([own.status, own.headers.get('content-type')]).toEqual([422, 'application/problem+json'])
  expect(await own.json()).toMatchObject({ errors: [{ path: 'query.foo' }] })
})

test('no public document names a merchant that publishes no API of its own', async () => {
  const text = await (await fetch(`${buying.app.url}/mpp/.well-known/mpp.json`)).text()
  expect(text).not.toContain('rose')
})

test("the library's own validation passes", async () => {
  const bin = createRequire(import.meta.url)
    .resolve('mppx')
    .replace(/index\.js$/, 'bin.js')
  const given = JSON.stringify({ '/orders': order() })
  const { stdout } = await promisify(execFile)(process.execPath, [
    bin,
    'validate',
    address,
    '--output-json',
    '--body',
    given,
  ])
  const { summary, endpoints } = JSON.parse(stdout)
  expect(endpoints).toHaveLength(1)
  expect(summary).toMatchObject({ failed: 0, warnings: 0 })
  expect(summary.passed).toBeGreaterThanOrEqual(12)
})
