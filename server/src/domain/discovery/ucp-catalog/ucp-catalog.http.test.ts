import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestAccount, type TestApp } from '../../../../test/harness/app.ts'
import { askBusiness, startUcpPlatform, type UcpPlatform } from '../../../../test/harness/ucp-platform.ts'
import { type UcpSchemas, ucpSchemas } from '../../../../test/harness/ucp-schemas.ts'
import { followers } from '../../../composition.ts'
import { createRelay } from '../../../platform/events/relay.ts'
import { noFaults } from '../../../platform/faults/faults.ts'
import { silentLog } from '../../../platform/logs/logs.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import type { Release } from '../../../protocols/ucp/releases.ts'

let app: TestApp
let platform: UcpPlatform
const ids = new Map<string, string>()
beforeAll(async () => {
  app = await startTestApp({ limits: { discoveryAnonymousMinute: 10_000, discoveryAnonymousHour: 10_000 } })
  platform = await startUcpPlatform()
  await openShop(app.account, 'shoes', [
    {
      title: 'Trail boot',
      handle: 'trail-boot',
      description: 'Leather.',
      categories: ['Footwear'],
      media: [{ type: 'image', url: 'https://shoes.example/boot.jpg' }],
      variants: [
        { sku: 'TB-42-R', price: 12_900, quantity: 0, options: chosen('42', 'Red') },
        { sku: 'TB-43-R', price: 14_900, options: chosen('43', 'Red') },
        { sku: 'TB-43-B', price: 13_900, barcode: '4006381333931', options: chosen('43', 'Blue') },
      ],
    },
    { title: 'Running shirt', categories: ['Clothing'], variants: [{ price: 2_900 }] },
    ...Array.from({ length: 12 }, (_, index) => ({
      title: `Sock ${index}`,
      variants: [{ price: 500 + index }],
    })),
  ])
  const other = await app.newAccount('Other')
  await openShop(other, 'boots', [{ title: 'Trail boot of another', variants: [{ price: 1 }] }])
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
afterAll(() => Promise.all([app.stop(), platform.stop()]))

function chosen(size: string, color: string) {
  return [
    { name: 'Size', value: size },
    { name: 'Color', value: color },
  ]
}

async function openShop(account: TestAccount, slug: string, items: readonly object[]): Promise<void> {
  const key = account.keys.secret_test
  const domain = `${slug}.example`
  await app.post('/v1/merchant', { slug, domain, name: slug, currency: 'EUR' }, { key })
  for (const [index, item] of items.entries()) {
    const made = await app.post(
      '/v1/merchant/catalog_items',
      { url: `https://${domain}/${index}`, ...item },
      { key },
    )
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    ids.set(made.body.title, made.body.id)
    for (const { sku, id } of made.body.variants) if (sku) ids.set(sku, id)
    await app.post(`/v1/merchant/catalog_items/${made.body.id}/publish`, undefined, { key })
  }
}

function idOf(name: string): string {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`there is no ${name}`)
  return id
}

const withCatalog = ['2026-08-25', '2026-04-08'] as const satisfies Release[]
const schemas = new Map<Release, UcpSchemas>(withCatalog.map((release) => [release, ucpSchemas(release)]))

const forms = {
  search: 'catalog_search.json#/$defs/search',
  lookup: 'catalog_lookup.json#/$defs/lookup',
  product: 'catalog_lookup.json#/$defs/get_product',
}

/** Asks, and holds request and answer against the schemas of the release. */
async function ask(
  operation: keyof typeof forms,
  body: object,
  release: (typeof withCatalog)[number] = '2026-08-25',
) {
  const answer = await askBusiness(app, platform, `/ucp/test/m/shoes/catalog/${operation}`, { body, release })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  const isError = answer.body.ucp.status === 'error'
  const common = release === '2026-08-25' ? 'schemas/common' : 'schemas/shopping'
  const form = isError
    ? `${common}/types/error_response.json`
    : `schemas/shopping/${forms[operation]}_response`
  const faultOf = schemas.get(release)
  expect(faultOf?.(`schemas/shopping/${forms[operation]}_request`, body)).toBeNull()
  expect(faultOf?.(form, answer.body)).toBeNull()
  expect(answer.body.ucp.version).toBe(release)
  return answer.body
}

describe.each(withCatalog)('at %s', (release) => {
  test('a search finds what the business sells, and nothing of others', async () => {
    const { ucp, products, pagination } = await ask(
      'search',
      { query: 'trail boots', signals: {}, attribution: { a: 'b' } },
      release,
    )
    expect(ucp.capabilities).toEqual({ 'dev.ucp.shopping.catalog.search': [{ version: release }] })
    expect(products).toHaveLength(1)
    expect(products[0]).toMatchObject({
      id: idOf('Trail boot'),
      title: 'Trail boot',
      url: 'https://shoes.example/0',
      price_range: { min: { amount: 12_900, currency: 'EUR' }, max: { amount: 14_900 } },
    })
    expect(products[0].variants[0]).toMatchObject({
      id: idOf('TB-42-R'),
      sku: 'TB-42-R',
      availability: { available: false, status: 'out_of_stock' },
      options: [
        { name: 'Size', label: '42' },
        { name: 'Color', label: 'Red' },
      ],
    })
    expect(pagination).toEqual({ has_next_page: false })
  })

  test('a lookup says of each variant which names mean it, and how', async () => {
    const asked = { ids: [idOf('Trail boot'), 'TB-42-R', idOf('TB-43-B'), 'none', 'none'] }
    const { products, messages } = await ask('lookup', asked, release)
    expect(products).toHaveLength(1)
    const inputs = products[0].variants.map(({ sku, inputs }: { sku: string; inputs: unknown }) => [
      sku,
      inputs,
    ])
    expect(Object.fromEntries(inputs)).toEqual({
      'TB-42-R': [{ id: 'TB-42-R', match: 'exact' }],
      'TB-43-R': [{ id: idOf('Trail boot'), match: 'featured' }],
      'TB-43-B': [{ id: idOf('TB-43-B'), match: 'exact' }],
    })
    expect(messages).toEqual([{ type: 'info', code: 'not_found', content: 'none' }])
  })

  test('a product is shown with what can be chosen', async () => {
    const { product } = await ask(
      'product',
      { id: idOf('Trail boot'), selected: [{ name: 'Size', label: '42' }] },
      release,
    )
    expect(product.selected).toEqual([{ name: 'Size', label: '42' }])
    expect(product.variants.map(({ sku }: { sku: string }) => sku)).toEqual(['TB-42-R'])
    const [size, color] = product.options
    expect(size.values).toEqual([
      { label: '42', available: false, exists: true },
      { label: '43', available: true, exists: true },
    ])
    expect(color.values).toEqual([
      { label: 'Red', available: false, exists: true },
      { label: 'Blue', available: false, exists: false },
    ])
  })

  test('a product that there is not is an answer that says so', async () => {
    const { ucp, messages } = await ask('product', { id: 'none' }, release)
    expect(ucp).toEqual({ version: release, status: 'error' })
    expect(messages[0]).toMatchObject({ code: 'not_found', severity: 'unrecoverable' })
  })
})

test('filters narrow by category, and by price where the currency is known', async () => {
  const found = async (body: object) =>
    (await ask('search', body)).products.map(({ title }: { title: string }) => title)
  expect(await found({ filters: { categories: ['clothing', 'Hats'] } })).toEqual(['Running shirt'])
  const price = { min: 2_000, max: 3_000 }
  expect(await found({ filters: { price }, context: { currency: 'EUR' } })).toEqual(['Running shirt'])
  expect(await found({ filters: { price }, context: { currency: 'USD' } })).toEqual([])
  expect(await found({ query: 'boot', filters: { price } })).toEqual(['Trail boot'])
  expect(await found({ query: 'boot', filters: { 'com.example.glow': true } })).toEqual(['Trail boot'])
  const looked = (filters: object) =>
    ask('lookup', { ids: [idOf('Trail boot')], filters, context: { currency: 'EUR' } })
  expect((await looked({ price: { max: 12_900 } })).products[0].variants).toHaveLength(1)
  expect((await looked({ price: { max: 100 } })).products).toEqual([])
  expect((await looked({ categories: ['Clothing'] })).products).toEqual([])
})

test('pages follow each other to the end, and a cursor of another search is refused', async () => {
  const titles: string[] = []
  let cursor: string | undefined
  do {
    const { products, pagination } = await ask('search', {
      query: 'sock',
      pagination: { limit: 5, ...(cursor ? { cursor } : {}) },
    })
    titles.push(...products.map(({ title }: { title: string }) => title))
    cursor = pagination.cursor
    expect(pagination.has_next_page).toBe(cursor !== undefined)
  } while (cursor)
  expect(new Set(titles).size).toBe(12)
  const first = await ask('search', { query: 'sock', pagination: { limit: 5 } })
  for (const [slug, query, changed] of [
    ['shoes', 'boot', first.pagination.cursor],
    ['boots', 'sock', first.pagination.cursor],
    ['shoes', 'sock', `x${first.pagination.cursor}`],
  ]) {
    const body = { query, pagination: { cursor: changed } }
    const answer = await askBusiness(app, platform, `/ucp/test/m/${slug}/catalog/search`, { body })
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request'])
  }
  expect((await ask('search', { query: 'sock', pagination: { limit: 5_000 } })).products).toHaveLength(12)
})

test('a spelling mistake is forgiven, and said', async () => {
  const { products, messages } = await ask('search', { query: 'trial boot' })
  expect(products.map(({ title }: { title: string }) => title)).toEqual(['Trail boot'])
  expect(messages).toMatchObject([{ type: 'info', code: 'query_corrected' }])
})

test.each([
  ['search', {}],
  ['search', { query: '  ' }],
  ['search', { query: 1 }],
  ['search', { query: 'x'.repeat(256) }],
  ['search', { query: 'sock', pagination: { limit: 0 } }],
  ['search', []],
  ['lookup', {}],
  ['lookup', { ids: [] }],
  ['lookup', { ids: [1] }],
  ['product', {}],
])('%s refuses %j', async (operation, body) => {
  const answer = await askBusiness(app, platform, `/ucp/test/m/shoes/catalog/${operation}`, { body })
  expect(answer.status).toBe(400)
  expect(answer.body).toEqual({ code: 'invalid_request', content: expect.any(String) })
})

test('too many names at once are refused by the code of the protocol', async () => {
  const body = { ids: Array.from({ length: 26 }, (_, index) => `n${index}`) }
  const answer = await askBusiness(app, platform, '/ucp/test/m/shoes/catalog/lookup', { body })
  expect([answer.status, answer.body.code]).toEqual([400, 'request_too_large'])
})

test('the release without a catalog has no capability for it', async () => {
  const body = { query: 'boot' }
  const answer = await askBusiness(app, platform, '/ucp/test/m/shoes/catalog/search', {
    body,
    release: '2026-01-23',
  })
  expect(answer.status).toBe(400)
  expect(answer.body).toEqual({
    status: 'requires_escalation',
    messages: [
      expect.objectContaining({ code: 'capabilities_incompatible', severity: 'requires_buyer_input' }),
    ],
  })
})
