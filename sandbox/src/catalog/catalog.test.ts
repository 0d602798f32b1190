import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { control, controlToken, get, type Json, post, type Reply } from '../../test/run-sandbox.ts'
import type { RunningServer } from '../json-server.ts'
import { startCatalog } from './catalog-server.ts'
import { type CatalogProduct, makeProducts } from './make-products.ts'

let server: RunningServer
beforeAll(async () => {
  server = await startCatalog({ port: 0, controlToken })
})
afterAll(() => server.close())
beforeEach(() => control(`${server.url}/control/behavior`, { behavior: 'ok' }))

const profile = 'https://platform.example/.well-known/ucp'

function ask(path: string, body: object, headers: Record<string, string> = {}): Promise<Reply> {
  return post(`${server.url}/catalog/${path}`, body, {
    'ucp-agent': `profile="${profile}"`,
    'request-id': randomUUID(),
    ...headers,
  })
}

async function callTool(name: string, catalog: object, meta: object = { 'ucp-agent': { profile } }) {
  const message = {
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name, arguments: { meta, catalog } },
  }
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(message),
  })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const [, data = ''] = /^data: (.*)$/m.exec(await response.text()) ?? []
  return JSON.parse(data)
}

const productsOf = (body: Json) => body.products as CatalogProduct[] // as the catalog makes them

test('it has the same few thousand products at every start, of many shops and currencies', () => {
  const products = makeProducts()
  expect(products).toEqual(makeProducts())
  expect(products.length).toBeGreaterThan(2_000)
  expect(new Set(products.map(({ id }) => id)).size).toBe(products.length)
  expect(new Set(products.map(({ url }) => new URL(url).host)).size).toBeGreaterThan(40)
  expect(new Set(products.map(({ price_range }) => price_range.min.currency))).toEqual(
    new Set(['USD', 'EUR', 'GBP', 'JPY', 'SEK']),
  )
  const prices = products.flatMap(({ variants }) => variants.map(({ price }) => price.amount))
  expect(prices.every((amount) => Number.isSafeInteger(amount) && amount > 0)).toBe(true)
})

test('a search finds words, narrows by filters, and goes on page by page', async () => {
  const { status, body } = await ask('search', { query: 'brass lamps', pagination: { limit: 5 } })
  expect(status).toBe(200)
  expect(body).toMatchObject({ ucp: { version: '2026-08-25' }, pagination: { has_next_page: true } })
  expect(
    productsOf(body)
      .map(({ title }) => title)
      .every((title) => /brass .*lamp/.test(title)),
  ).toBe(true)
  const { cursor } = body.pagination as { cursor: string }
  const next = await ask('search', { query: 'brass lamps', pagination: { limit: 5, cursor } })
  expect(productsOf(next.body)[0]?.id).not.toBe(productsOf(body)[0]?.id)
  const cheap = await ask('search', {
    filters: { categories: ['Lighting'], price: { max: 6_000 } },
    context: { currency: 'EUR' },
  })
  const ranges = productsOf(cheap.body).map(({ price_range }) => price_range.min)
  expect(ranges.length).toBeGreaterThan(0)
  expect(ranges.every(({ amount, currency }) => currency === 'EUR' && amount <= 6_000)).toBe(true)
})

test('a lookup says which name means which variant, and a product is shown whole', async () => {
  const { body } = await ask('lookup', { ids: ['gp_00001', 'SKU-2-1', 'nothing'] })
  expect(productsOf(body)).toMatchObject([
    { id: 'gp_00001', variants: [{ inputs: [{ id: 'gp_00001', match: 'featured' }] }] },
    { id: 'gp_00002', variants: [{ inputs: [{ id: 'SKU-2-1', match: 'exact' }] }] },
  ])
  expect(body.messages).toEqual([{ type: 'info', code: 'not_found', content: 'nothing' }])
  const one = await ask('product', { id: 'gp_00003_2' })
  expect(one.body).toMatchObject({
    product: { id: 'gp_00003', variants: [{ id: 'gp_00003_2' }, { id: 'gp_00003_1' }, {}] },
  })
  const none = await ask('product', { id: 'gone' })
  expect([none.status, none.body.ucp]).toEqual([200, { version: '2026-08-25', status: 'error' }])
})

test('the same is answered to tools, in the release of the profile', async () => {
  const old = { 'ucp-agent': { profile: `${profile}/2026-04-08` } }
  const { result } = await callTool('search_catalog', { query: 'teapot' }, old)
  const rest = await ask('search', { query: 'teapot' })
  expect(result.structuredContent.products).toEqual(rest.body.products)
  expect(result.structuredContent.ucp.version).toBe('2026-04-08')
  expect((await callTool('search_catalog', { query: 'teapot' }, {})).error.code).toBe(-32_001)
  expect((await callTool('search_catalog', {})).error.code).toBe(-32_602)
})

test('a request without a profile, without an id, or that asks for nothing is refused', async () => {
  expect((await ask('search', { query: 'x' }, { 'ucp-agent': '' })).body.code).toBe('invalid_profile_url')
  expect((await ask('search', { query: 'x' }, { 'request-id': 'one' })).body.code).toBe('invalid_request')
  expect((await ask('search', {})).status).toBe(400)
  expect((await ask('lookup', { ids: [] })).status).toBe(400)
  expect((await get(`${server.url}/.well-known/ucp`)).body).toMatchObject({ ucp: { version: '2026-08-25' } })
})

test('it misbehaves as it is told, by those who hold the token', async () => {
  const url = `${server.url}/control/behavior`
  expect((await control(url, { behavior: 'garbage' }, 'wrong')).status).toBe(401)
  expect((await control(url, { behavior: 'unheard of' })).status).toBe(400)
  const behave = (behavior: string) => control(url, { behavior })
  await behave('wrong_schema')
  expect((await ask('search', { query: 'tea' })).body.products).toBe('many')
  await behave('wrong_currency')
  expect(productsOf((await ask('search', { query: 'tea' })).body)[0]?.price_range.min.currency).toBe('XTS')
  await behave('error')
  expect((await ask('search', { query: 'tea' })).status).toBe(500)
  await behave('broken')
  await expect(ask('search', { query: 'tea' })).rejects.toThrow()
  await behave('garbage')
  await expect(ask('search', { query: 'tea' })).rejects.toThrow(SyntaxError)
})
