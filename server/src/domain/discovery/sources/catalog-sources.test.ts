import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createEgress } from '../../../platform/egress/egress.ts'
import { Secret } from '../../../platform/secrets/secret.ts'
import { createCatalogSources } from './catalog-sources.ts'
import {
  envelope,
  type ForeignCatalogs,
  foreignCatalogs,
  goodCatalog,
  product,
  say,
  startServer,
} from './foreign-catalogs.testing.ts'
import { ownIdOf } from './source-id.ts'

let world: ForeignCatalogs
beforeEach(() => {
  world = foreignCatalogs()
})
afterEach(() => world.close())

async function searchOne(id: string, search: object = { query: 'lamp' }, cursor: string | null = null) {
  const [answer] = await world.sources.search('test', [{ id, cursor }], search)
  if (!answer) throw new Error('no answer')
  return answer
}

describe('a source is asked', () => {
  test.each(['rest', 'mcp', 'sse'] as const)('over %s, and its products are its own', async (transport) => {
    const lamps = [product('Brass lamp'), product('Paper lamp')]
    const { id } = await world.open('lamps.example', {
      transport: transport === 'rest' ? 'rest' : 'mcp',
      respond: goodCatalog(lamps, { transport }),
    })
    const answer = await searchOne(id)
    expect(answer).toMatchObject({ status: 'ok', errorCode: null, next: null })
    expect(answer.products.map(({ title }) => title)).toEqual(['Brass lamp', 'Paper lamp'])
    expect(answer.products.map((one) => ownIdOf(id, one.id))).toEqual(['brass-lamp', 'paper-lamp'])
    expect(answer.products.map(({ variants }) => ownIdOf(id, variants[0]?.id ?? ''))).toEqual([
      'brass-lamp-v',
      'paper-lamp-v',
    ])
    const looked = await world.sources.lookup('test', id, [answer.products[1]?.id ?? ''])
    expect(looked.products.map(({ title }) => title)).toEqual(['Paper lamp'])
    const read = await world.sources.product('test', id, answer.products[0]?.variants[0]?.id ?? '')
    expect(read.products.map(({ title }) => title)).toEqual(['Brass lamp'])
    expect(world.asked.map(({ kind }) => kind)).toEqual(['search', 'lookup', 'product'])
    expect(world.asked.map(({ body }) => body.ids ?? body.id)).toEqual([
      undefined,
      ['paper-lamp'],
      'brass-lamp-v',
    ])
  })

  test('in the words of its release, with a profile, and an id for each request', async () => {
    const { id } = await world.open('old.example', { version: '2026-04-08', respond: goodCatalog([]) })
    await searchOne(id)
    await searchOne(id)
    const ids = world.asked.map(({ headers }) => headers['request-id'])
    expect(new Set(ids).size).toBe(2)
    expect(world.asked[0]?.headers['ucp-agent']).toBe(
      'profile="https://prokura.example/.well-known/ucp/2026-04-08"',
    )
  })

  test('for what the search asks, and never by postal code', async () => {
    const { id } = await world.open('lamps.example', { respond: goodCatalog([]) })
    const context = { country: 'SE', region: 'AB', postal_code: '111 22', currency: 'SEK', language: 'sv' }
    await searchOne(id, {
      query: 'lamp',
      context,
      filters: { categories: ['Lighting'], price: { max: 100 }, available: true },
    })
    expect(world.asked[0]?.body).toEqual({
      query: 'lamp',
      context: { address_country: 'SE', address_region: 'AB', currency: 'SEK', language: 'sv' },
      filters: { categories: ['Lighting'], price: { max: 100 }, available: true },
      pagination: { limit: 20 },
    })
    await searchOne(id, {}, 'c2')
    expect(world.asked[1]?.body).toEqual({ filters: {}, pagination: { limit: 20, cursor: 'c2' } })
  })

  test('with its token only where it is the global catalog, of our own configuration', async () => {
    await world.openGlobal(goodCatalog([]), { token: new Secret('opens') })
    const { id } = await world.open('lamps.example', { respond: goodCatalog([]) })
    await world.sources.search(
      'test',
      [
        { id: 'global_catalog', cursor: null },
        { id, cursor: null },
      ],
      { query: 'x' },
    )
    const tokens = Object.fromEntries(world.asked.map(({ shop, headers }) => [shop, headers.authorization]))
    expect(tokens).toEqual({ global: 'Bearer opens', 'lamps.example': undefined })
  })

  test('only in its own mode, and only while it is known', async () => {
    const { id } = await world.open('lamps.example', { respond: goodCatalog([]) })
    const asked = [{ id, cursor: null }]
    expect(await world.sources.search('live', asked, {})).toMatchObject([
      { status: 'skipped', errorCode: 'source_gone' },
    ])
    expect(await searchOne('rge_nobody')).toMatchObject({ status: 'skipped', errorCode: 'source_gone' })
    expect(await world.sources.named('live', [{ id }])).toEqual([])
    expect(world.asked).toEqual([])
  })
})

describe('what fails is a status, with its reason', () => {
  test.each<[string, string, Parameters<ForeignCatalogs['open']>[1]['respond']]>([
    ['error', 'bad_answer', (_, response) => void response.writeHead(200).end('<html>')],
    ['error', 'bad_answer', (_, response) => void response.writeHead(200).end()],
    ['error', 'bad_answer', (_, response) => say(response, 'rest', { ucp: envelope(), products: 'many' })],
    [
      'error',
      'bad_status',
      (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
    ],
    ['error', 'bad_status', (_, response) => void response.writeHead(500).end('{}')],
    ['error', 'rate_limited', (_, response) => void response.writeHead(429).end('{}')],
    [
      'error',
      'version_unsupported',
      (_, response) => say(response, 'rest', { ucp: envelope('1999-01-01'), products: [] }),
    ],
    ['error', 'unreachable', (_, response) => void response.destroy()],
    ['error', 'too_large', (_, response) => void response.writeHead(200).end(' '.repeat(1_048_577))],
    [
      'error',
      'too_large',
      (_, response) => {
        response.writeHead(200)
        const more = () => response.writable && response.write(' '.repeat(65_536), () => setImmediate(more))
        more()
      },
    ],
    [
      'error',
      'too_large',
      (_, response) => void response.writeHead(200, { 'content-length': '999999999999' }).end('{}'),
    ],
    // It says that it is small, and is not.
    [
      'error',
      'unreachable',
      (_, response) => void response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}'),
    ],
    [
      'partial',
      'products_left_out',
      (_, response) => say(response, 'rest', { ucp: envelope(), products: [product('Lamp'), { id: 'bad' }] }),
    ],
    [
      'partial',
      'cursor_unusable',
      (_, response) =>
        say(response, 'rest', {
          ucp: envelope(),
          products: [product('Lamp')],
          pagination: { has_next_page: true, cursor: 'x'.repeat(513) },
        }),
    ],
  ])('%s: %s', async (status, code, respond) => {
    const { id } = await world.open('bad.example', { respond })
    expect(await searchOne(id)).toMatchObject({ status, errorCode: code, next: null })
  })

  test('timeout: a source that says nothing, or never ends, is waited for three seconds', async () => {
    const silent = await world.open('silent.example', { respond: () => undefined })
    const endless = await world.open('endless.example', {
      respond: (_, response) => {
        response.writeHead(200)
        const timer = setInterval(() => response.write(' '), 50)
        response.on('close', () => clearInterval(timer))
      },
    })
    const beganMs = performance.now()
    const answers = await world.sources.search(
      'test',
      [silent, endless].map(({ id }) => ({ id, cursor: null })),
      { query: 'x' },
    )
    expect(answers.map(({ status }) => status)).toEqual(['timeout', 'timeout'])
    expect(performance.now() - beganMs).toBeGreaterThan(2_900)
  })

  test('a source that fails again and again is left out for a while, and asked again then', async () => {
    await world.close()
    let nowMs = 0
    world = foreignCatalogs({ monotonicMs: () => nowMs })
    let isWell = false
    const well = goodCatalog([product('Lamp')])
    const { id } = await world.open('moody.example', {
      respond: (asked, response) => (isWell ? well(asked, response) : void response.writeHead(500).end()),
    })
    for (let count = 0; count < 3; count++) expect(await searchOne(id)).toMatchObject({ status: 'error' })
    isWell = true
    expect(await searchOne(id)).toMatchObject({ status: 'skipped', errorCode: 'circuit_open' })
    expect(world.asked).toHaveLength(3)
    nowMs += 30_000
    expect(await searchOne(id)).toMatchObject({ status: 'ok' })
  })

  test('to refuse a question is an answer: nobody closes a catalog for others by asking what it refuses', async () => {
    const odd = await world.open('odd.example', {
      respond: (_, response) => void response.writeHead(400).end('{}'),
    })
    for (let count = 0; count < 5; count++)
      expect(await searchOne(odd.id)).toMatchObject({ status: 'error', errorCode: 'refused' })
    const { id } = await world.open('lamps.example', { respond: goodCatalog([]) })
    for (let count = 0; count < 5; count++)
      expect(await world.sources.product('test', id, 'gone')).toMatchObject({
        status: 'error',
        errorCode: 'refused',
      })
  })
})

describe('the ways out', () => {
  test.each([
    'http://10.0.0.1',
    'https://169.254.169.254',
    'https://[::1]',
    'http://shop.example',
    'ftp://x.example',
  ])('a merchant that names %s is not called in live mode', async (endpoint) => {
    const egress = createEgress({ allowLoopback: (mode) => mode === 'test', trustedOrigins: [] })
    const catalog = { endpoint, transport: 'rest', version: '2026-08-25' } as const
    const merchant = { name: null, slug: null, domain: 'x.example', country: null, verified: true }
    const sources = createCatalogSources({
      egress,
      publicUrl: 'https://prokura.example',
      newRequestId: () => 'one',
      readCatalogs: async () => [{ ...catalog, id: 'rge_x', merchant, categories: [], hasCheckout: false }],
      globalCatalogs: { test: null, live: { ...catalog, token: new Secret('opens') } },
      sourcesMax: 20,
      isBoughtElsewhere: () => false,
    })
    const ids = ['rge_x', 'global_catalog'].map((id) => ({ id, cursor: null }))
    expect((await sources.search('live', ids, { query: 'x' })).map(({ errorCode }) => errorCode)).toEqual([
      'blocked',
      'blocked',
    ])
    await egress.close()
  })

  test('our own ports are not called, whatever a merchant says', async () => {
    let calls = 0
    const ours = await startServer((_, response) => {
      calls += 1
      response.end('{}')
    })
    await world.close()
    world = foreignCatalogs({}, { ownPorts: [Number(new URL(ours.origin).port)] })
    const { id } = await world.open('lamps.example', { respond: goodCatalog([]) })
    world.catalogs.splice(0, 1, ...world.catalogs.map((catalog) => ({ ...catalog, endpoint: ours.origin })))
    expect(await searchOne(id)).toMatchObject({ status: 'error', errorCode: 'blocked' })
    expect(calls).toBe(0)
    await ours.stop()
  })
})

test('the list of merchants is read once in ten seconds, and again after a failure', async () => {
  let nowMs = 0
  let reads = 0
  const given = foreignCatalogs({
    monotonicMs: () => nowMs,
    readCatalogs: async () => {
      reads += 1
      if (reads === 1) throw new Error('the database is away')
      return []
    },
  })
  await expect(given.sources.chosen('test', {})).rejects.toThrow('away')
  await Promise.all([given.sources.chosen('test', {}), given.sources.named('test', [])])
  nowMs += 9_999
  await given.sources.chosen('test', {})
  expect(reads).toBe(2)
  nowMs += 1
  await given.sources.chosen('test', {})
  expect(reads).toBe(3)
  await given.close()
})
