import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { followers } from '../../../composition.ts'
import { createRelay } from '../../../platform/events/relay.ts'
import { noFaults } from '../../../platform/faults/faults.ts'
import { silentLog } from '../../../platform/logs/logs.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import {
  type ForeignCatalogs,
  foreignCatalogs,
  goodCatalog,
  product,
} from '../sources/foreign-catalogs.testing.ts'

let app: TestApp
let world: ForeignCatalogs

type Found = {
  id: string
  title: string
  source: string
  url: string | null
  variants: { id: string }[]
  merchant: { id: string | null; domain: string | null }
}

beforeAll(async () => {
  world = foreignCatalogs()
  await world.open('lamps.example', {
    country: 'SE',
    slug: 'lamps',
    respond: goodCatalog([
      product('Brass lamp', { price: 3_000, url: 'https://lamps.example/brass' }),
      product('Paper lamp', { price: 500, url: 'https://www.lamps.example/paper' }),
      product('Stolen lamp', { price: 800, url: 'https://elsewhere.example/stolen' }),
    ]),
  })
  await world.open('mcp.example', {
    transport: 'mcp',
    version: '2026-04-08',
    respond: goodCatalog([product('Wall lamp', { price: 1_500 })], { transport: 'sse' }),
  })
  await world.openGlobal(
    goodCatalog([
      product('Desk lamp', { price: 2_000, url: 'https://desks.example/lamp' }),
      product('Brass lamp again', { price: 2_900, url: 'https://lamps.example/brass?utm_source=global' }),
      product('Nowhere lamp', { price: 1 }),
    ]),
  )
  app = await startTestApp({ limits: { discoveryTest: 10_000 }, catalogs: world.sources })
  await app.post('/v1/merchant', { slug: 'own', domain: 'own.example', name: 'Own', currency: 'USD' })
  for (const [title, price] of [
    ['Oil lamp', 1_200],
    ['Night lamp', 700],
  ] as const) {
    const url = `https://own.example/${title.slice(0, 3)}`
    const item = { title, url, variants: [{ price, currency: 'USD' }] }
    const made = await app.post('/v1/merchant/catalog_items', item)
    await app.post(`/v1/merchant/catalog_items/${made.body.id}/publish`)
  }
  const relay = createRelay({
    ...app.parts,
    followers,
    metrics: createMetrics(),
    log: silentLog(),
    faults: noFaults,
  })
  await relay.runOnce()
  await relay.stop()
})
afterAll(async () => {
  await app.stop()
  await world.close()
})

async function search(body: object) {
  const answer = await app.post('/v1/catalog', body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

const titlesOf = (body: { products: Found[] }) => body.products.map(({ title }) => title)

test('published products and those of sources take turns, and one address is shown once', async () => {
  const found = await search({ query: 'lamp' })
  expect(titlesOf(found)).toEqual([
    'Night lamp',
    'Brass lamp',
    'Oil lamp',
    'Wall lamp',
    'Desk lamp',
    'Paper lamp',
    'Stolen lamp',
  ])
  expect(found.sources).toMatchObject([
    { id: 'published', kind: 'published', status: 'ok', returned: 2 },
    { id: 'rge_lamps_example', kind: 'public_ucp', status: 'ok', returned: 3 },
    { id: 'rge_mcp_example', kind: 'public_ucp', status: 'ok', returned: 1 },
    { id: 'global_catalog', status: 'partial', returned: 1, error_code: 'products_left_out' },
  ])
  expect(found.pagination).toEqual({ cursor: null, has_next_page: false, exhaustive: false })
})

test('a merchant speaks only for itself, a global catalog for whom its addresses name', async () => {
  const { products } = await search({ query: 'lamp' })
  const named = (title: string) => products.find((one: Found) => one.title === title)
  expect(named('Brass lamp')).toMatchObject({
    source: 'public_ucp',
    url: 'https://lamps.example/brass',
    item_type: null,
    merchant: {
      id: 'rge_lamps_example',
      slug: 'lamps',
      domain: 'lamps.example',
      country: 'SE',
      verified: true,
    },
    purchasable: { purchase_intent: false, quote: false, ucp: true, mpp: false },
  })
  expect(named('Stolen lamp')).toMatchObject({ url: null, merchant: { domain: 'lamps.example' } })
  expect(named('Desk lamp')).toMatchObject({
    source: 'global_catalog',
    merchant: { id: null, name: null, slug: null, domain: 'desks.example', country: null, verified: false },
    purchasable: { purchase_intent: false, ucp: false },
  })
})

test('a merchant that is named is asked alone, by any of its names', async () => {
  for (const merchant of [{ id: 'rge_lamps_example' }, { slug: 'lamps' }, { domain: 'Lamps.example' }]) {
    const { products, sources, pagination } = await search({ query: 'lamp', merchant })
    expect(products.map(({ title }: Found) => title)).toEqual(['Brass lamp', 'Paper lamp', 'Stolen lamp'])
    expect(sources.map(({ id }: { id: string }) => id)).toEqual(['rge_lamps_example'])
    expect(pagination.exhaustive).toBe(true)
  }
  const own = await search({ query: 'lamp', merchant: { slug: 'own' } })
  expect(own.sources.map(({ id }: { id: string }) => id)).toEqual(['published'])
  const some = { filters: { merchants: [{ slug: 'own' }, { domain: 'mcp.example' }] } }
  expect(titlesOf(await search({ query: 'lamp', ...some }))).toEqual(['Night lamp', 'Wall lamp', 'Oil lamp'])
  expect(titlesOf(await search({ query: 'lamp', merchant: { slug: 'lamps' }, ...some }))).toEqual([])
  expect((await app.post('/v1/catalog', { query: 'x', merchant: { domain: 'nobody.example' } })).status).toBe(
    404,
  )
  expect(titlesOf(await search({ merchant: { domain: 'mcp.example' } }))).toEqual(['Wall lamp'])
})

test('by price everything is merged, in the currency of the search', async () => {
  const context = { currency: 'USD' }
  expect(titlesOf(await search({ query: 'lamp', sort: 'price_asc', context }))).toEqual([
    'Paper lamp',
    'Night lamp',
    'Stolen lamp',
    'Oil lamp',
    'Wall lamp',
    'Desk lamp',
    'Brass lamp again',
  ])
  expect(titlesOf(await search({ query: 'lamp', sort: 'price_asc', context: { currency: 'EUR' } }))).toEqual(
    [],
  )
})

test('filters hold for products of sources too, whatever the source makes of them', async () => {
  const context = { currency: 'USD' }
  const priced = { query: 'lamp', context, filters: { price: { min: 1_500, max: 2_000 } } }
  expect(titlesOf(await search(priced))).toEqual(['Wall lamp', 'Desk lamp'])
  expect(titlesOf(await search({ query: 'lamp', filters: { available: false } }))).toEqual([])
  const typed = await search({ query: 'lamp', filters: { item_types: ['product'] } })
  expect(titlesOf(typed)).toEqual(['Night lamp', 'Oil lamp'])
  expect(typed.pagination.exhaustive).toBe(false)
  expect(typed.sources.slice(1)).toEqual(
    ['rge_lamps_example', 'rge_mcp_example', 'global_catalog'].map((id) =>
      expect.objectContaining({ id, status: 'skipped', error_code: 'filter_unsupported' }),
    ),
  )
})

test('pages of any size show the same products, by price in the same order', async () => {
  // An address is shown twice only where two pages have it.
  const known = (titles: string[]) => [
    ...new Set(titles.map((title) => (title === 'Brass lamp again' ? 'Brass lamp' : title))),
  ]
  for (const sort of ['relevance', 'price_asc', 'price_desc'] as const) {
    const inOrder = (titles: string[]) => (sort === 'relevance' ? known(titles).toSorted() : known(titles))
    const body = { query: 'lamp', sort, context: { currency: 'USD' } }
    const whole = titlesOf(await search({ ...body, pagination: { limit: 50 } }))
    expect(whole).toHaveLength(7)
    for (const limit of [1, 2, 3, 5]) {
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const page = await search({ ...body, pagination: { limit, ...(cursor ? { cursor } : {}) } })
        seen.push(...titlesOf(page))
        cursor = page.pagination.cursor
        // A source that left something out on one page makes all that follow incomplete.
        expect(page.pagination.exhaustive).toBe(false)
      } while (cursor !== null && seen.length < 20)
      expect([sort, limit, inOrder(seen)]).toEqual([sort, limit, inOrder(whole)])
    }
  }
})

test('a cursor of another search is refused, and one that is too long', async () => {
  const { pagination } = await search({ query: 'lamp', pagination: { limit: 1 } })
  for (const body of [
    { query: 'lamps', pagination: { cursor: pagination.cursor } },
    { query: 'lamp', pagination: { cursor: `A${pagination.cursor.slice(1)}` } },
    { query: 'lamp', pagination: { cursor: 'x'.repeat(8_193) } },
  ])
    expect((await app.post('/v1/catalog', body)).status).toBe(422)
  // In live mode another key has the same search.
  const cursor = { query: 'lamp', pagination: { cursor: pagination.cursor } }
  expect((await app.post('/v1/catalog', cursor, { key: app.account.keys.secret_live })).status).toBe(422)
})

test('live mode and callers without a key ask nobody of test mode', async () => {
  const before = world.asked.length
  for (const key of [app.account.keys.secret_live, null]) {
    const answer = await app.post('/v1/catalog', { query: 'lamp' }, { key })
    expect([answer.status, answer.body.products, answer.body.sources.length]).toEqual([200, [], 1])
    const named = { query: 'lamp', merchant: { slug: 'lamps' } }
    expect((await app.post('/v1/catalog', named, { key })).status).toBe(404)
  }
  expect(world.asked.length).toBe(before)
})

test('what was shown of a source, and each exact variant of it, counts once for each search, as anything else', async () => {
  const found = await search({ query: 'lamp' })
  const [, theirs] = found.products
  const lines = [
    { attribution_id: found.attribution_id, item_id: theirs.id },
    { attribution_id: found.attribution_id, item_id: theirs.id },
  ]
  const { body } = await app.post('/v1/catalog/impressions', { lines }, { key: null })
  expect(body).toEqual({ confirmed: 1, duplicates: 1, rejected: [] })
  const [whole] = lines
  const other = found.products.find(({ id, source }: Found) => source !== 'published' && id !== theirs.id)
  const named = [theirs.variants[0].id, theirs.variants[0].id, other.variants[0].id, 'ucp_invented'].map(
    (variant_id) => ({ ...whole, variant_id }),
  )
  const said = await app.post('/v1/catalog/impressions', { lines: named }, { key: null })
  expect(said.body).toEqual({
    confirmed: 1,
    duplicates: 1,
    rejected: [
      { index: 2, code: 'not_shown' },
      { index: 3, code: 'not_shown' },
    ],
  })
})

test('a lookup asks the catalog of the merchant, by its own ids and by ours', async () => {
  const { products } = await search({ query: 'brass lamp', merchant: { slug: 'lamps' } })
  const ours = products[0].id
  const ids = [ours, 'paper-lamp-v', 'https://lamps.example/brass?utm_source=x', 'nothing']
  const { status, body } = await app.post('/v1/catalog/lookup', {
    ids,
    merchant: { domain: 'lamps.example' },
  })
  expect(status).toBe(200)
  expect(body.products.map(({ title }: Found) => title)).toEqual(['Brass lamp', 'Paper lamp'])
  expect(body.products[0].variants[0].inputs).toEqual([
    { id: ours, match: 'exact' },
    { id: ids[2], match: 'url' },
  ])
  expect(body.products[1].variants[0].inputs).toEqual([{ id: 'paper-lamp-v', match: 'exact' }])
  expect(body.missing_ids).toEqual(['nothing'])
  const one = await app.post('/v1/catalog/product', { id: ours, merchant: { id: 'rge_lamps_example' } })
  expect([one.status, one.body.title, one.body.id]).toEqual([200, 'Brass lamp', ours])
  const gone = await app.post('/v1/catalog/product', { id: 'nothing', merchant: { id: 'rge_lamps_example' } })
  expect([gone.status, gone.body.detail.code]).toEqual([404, 'not_found'])
})

test('a product of the global catalog is found again at its merchant, and at no other', async () => {
  const { products } = await search({ query: 'desk lamp' })
  const { id, merchant } = products.find(({ source }: Found) => source === 'global_catalog')
  const named = { domain: merchant.domain }
  const looked = await app.post('/v1/catalog/lookup', { ids: [id], merchant: named })
  expect([looked.body.products[0]?.title, looked.body.missing_ids]).toEqual(['Desk lamp', []])
  expect((await app.post('/v1/catalog/product', { id, merchant: named })).body.title).toBe('Desk lamp')
  for (const other of [{ domain: 'own.example' }, { slug: 'own' }, { domain: 'lamps.example' }]) {
    const { body } = await app.post('/v1/catalog/lookup', { ids: [id], merchant: other })
    expect([other, body.products ?? [], body.missing_ids ?? [id]]).toEqual([other, [], [id]])
    expect((await app.post('/v1/catalog/product', { id, merchant: other })).status).toBe(404)
  }
})

test('the tool answers as the operation does', async () => {
  const rest = await search({ query: 'lamp', pagination: { limit: 50 } })
  const tool = await app.mcp('v1_search_catalog', { query: 'lamp', pagination: { limit: 50 } })
  expect(tool.body.products).toEqual(rest.products)
})
