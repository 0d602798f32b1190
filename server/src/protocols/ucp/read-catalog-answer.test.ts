import { describe, expect, test } from 'vitest'
import { catalogRequest } from './ask-catalog.ts'
import { readCatalogAnswer, readCatalogPage } from './read-catalog-answer.ts'

const asker = { publicUrl: 'https://prokura.example', requestId: 'b7c1f3a2-0000-4000-8000-000000000001' }
const body = { query: 'boots' }

describe('a question', () => {
  test('over REST names the profile of the release, and the request', () => {
    const to = { endpoint: 'https://shop.example/ucp', transport: 'rest', version: '2026-08-25' } as const
    expect(catalogRequest(to, { kind: 'search', body }, asker)).toEqual({
      url: 'https://shop.example/ucp/catalog/search',
      headers: {
        'content-type': 'application/json',
        'ucp-agent': 'profile="https://prokura.example/.well-known/ucp"',
        'request-id': asker.requestId,
        accept: 'application/json',
      },
      body: '{"query":"boots"}',
    })
    const older = catalogRequest(
      { ...to, version: '2026-04-08' },
      { kind: 'product', body: { id: 'p' } },
      asker,
    )
    expect([older.url, older.headers['ucp-agent']]).toEqual([
      'https://shop.example/ucp/catalog/product',
      'profile="https://prokura.example/.well-known/ucp/2026-04-08"',
    ])
  })

  test('as a tool says the same in its arguments', () => {
    const to = { endpoint: 'https://shop.example/mcp', transport: 'mcp', version: '2026-08-25' } as const
    const { url, headers, body: sent } = catalogRequest(to, { kind: 'lookup', body: { ids: ['a'] } }, asker)
    expect([url, headers.accept]).toEqual(['https://shop.example/mcp', 'application/json, text/event-stream'])
    expect(JSON.parse(sent)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'lookup_catalog',
        arguments: {
          meta: { 'ucp-agent': { profile: 'https://prokura.example/.well-known/ucp' } },
          catalog: { ids: ['a'] },
        },
      },
    })
  })
})

const good = { ucp: { version: '2026-08-25' }, products: [] }

function read(transport: 'rest' | 'mcp', said: unknown, how: { status?: number; contentType?: string } = {}) {
  const text = typeof said === 'string' ? said : JSON.stringify(said)
  return readCatalogAnswer(transport, {
    status: 200,
    contentType: 'application/json',
    body: Buffer.from(text),
    ...how,
  })
}

const inResult = (result: object) => ({ jsonrpc: '2.0', id: 1, result })

describe('an answer', () => {
  test('is its body over REST; of a tool the structured result, or the text', () => {
    expect(read('rest', good)).toEqual({ payload: good })
    expect(read('mcp', inResult({ structuredContent: good }))).toEqual({ payload: good })
    expect(read('mcp', inResult({ content: [{ type: 'text', text: JSON.stringify(good) }] }))).toEqual({
      payload: good,
    })
    expect(read('rest', { ...good, ucp: { version: '2026-04-08', status: 'success' } })).toHaveProperty(
      'payload',
    )
  })

  test.each(['\n', '\r\n', '\r'])('may come as events, whose lines end with %j', (end) => {
    const message = JSON.stringify(inResult({ structuredContent: good }), null, 1)
    const lines = [
      ': comment',
      '',
      'data: {"jsonrpc":"2.0","method":"notifications/message"}',
      '',
      'event: message',
      ...message.split('\n').map((line) => `data: ${line}`),
      '',
      '',
    ]
    expect(read('mcp', lines.join(end), { contentType: 'text/event-stream; charset=utf-8' })).toEqual({
      payload: good,
    })
  })

  test.each<[string, 'rest' | 'mcp', unknown, object, string]>([
    ['a redirect', 'rest', good, { status: 302 }, 'bad_status'],
    ['a failure', 'rest', good, { status: 503 }, 'bad_status'],
    ['a question that it does not take', 'rest', good, { status: 400 }, 'refused'],
    ['what was not asked for', 'rest', good, { status: 201 }, 'bad_status'],
    ['too many questions', 'rest', good, { status: 429 }, 'rate_limited'],
    ['html', 'rest', '<html>', {}, 'bad_answer'],
    ['a list', 'rest', [good], {}, 'bad_answer'],
    ['no envelope', 'rest', { products: [] }, {}, 'bad_answer'],
    ['depth without end', 'rest', '['.repeat(500_000), {}, 'bad_answer'],
    ['another release', 'rest', { ...good, ucp: { version: '2031-01-01' } }, {}, 'version_unsupported'],
    ['no release', 'rest', { ...good, ucp: {} }, {}, 'version_unsupported'],
    ['an error of the catalog', 'rest', { ucp: { ...good.ucp, status: 'error' } }, {}, 'refused'],
    ['an error of the tool', 'mcp', { jsonrpc: '2.0', id: 1, error: { code: -32_001 } }, {}, 'refused'],
    ['a tool without a result', 'mcp', { jsonrpc: '2.0', id: 1 }, {}, 'bad_answer'],
    ['an answer over REST from a tool', 'mcp', good, {}, 'bad_answer'],
    [
      'a result that is text',
      'mcp',
      inResult({ content: [{ type: 'text', text: 'Sold out!' }] }),
      {},
      'bad_answer',
    ],
    ['events without a message', 'mcp', ': nothing\n\n', { contentType: 'text/event-stream' }, 'bad_answer'],
  ])('is none: %s', (_, transport, said, how, fault) => {
    expect(read(transport, said, how)).toEqual({ fault })
  })
})

const product = {
  id: 'p',
  title: 'Boot',
  description: { plain: '' },
  variants: [{ id: 'v', title: 'One', description: { plain: '' }, price: { amount: 1, currency: 'USD' } }],
}
const page = (value: object) => readCatalogPage({ ...good, ...value }, { variantsMax: 2 })

describe('a page', () => {
  test('has its products and its cursor', () => {
    const pagination = { has_next_page: true, cursor: 'c2', total_count: 31 }
    expect(page({ products: [product], pagination })).toMatchObject({
      isCut: false,
      isLost: false,
      next: 'c2',
    })
    expect(page({ products: [product] })).toMatchObject({ next: null, isLost: false })
    expect(page({ pagination: { has_next_page: false, cursor: 'c2' } })).toMatchObject({
      next: null,
      isLost: false,
    })
    expect(page({ products: {} })).toBeNull()
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['empty', ''],
    ['a number', 7],
    ['too long', 'x'.repeat(513)],
    ['too long in bytes', 'é'.repeat(257)],
    ['half a letter', '\ud800'],
  ])('whose cursor is %s goes on, and cannot be followed', (_, cursor) => {
    expect(page({ pagination: { has_next_page: true, cursor } })).toMatchObject({
      next: null,
      isLost: true,
    })
  })

  test('leaves out products that cannot be read, and those that are too many', () => {
    const some = page({ products: [product, { ...product, title: 7 }, 'boot', null] })
    expect([some?.products.length, some?.isCut]).toEqual([1, true])
    const many = page({ products: Array.from({ length: 60 }, () => product) })
    expect([many?.products.length, many?.isCut]).toEqual([50, true])
  })
})
