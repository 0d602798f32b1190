import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestAccount, type TestApp } from '../../../../test/harness/app.ts'
import { runImports } from '../../../../test/harness/imports.ts'
import { followers } from '../../../composition.ts'
import { createRelay, type Relay } from '../../../platform/events/relay.ts'
import { noFaults } from '../../../platform/faults/faults.ts'
import { silentLog } from '../../../platform/logs/logs.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'

let app: TestApp
let relay: Relay
let shoes: TestAccount
let hidden: TestAccount

type Product = {
  id: string
  title: string
  price_range: { min: { amount: number } }
  merchant: { slug: string | null }
}

beforeAll(async () => {
  app = await startTestApp({
    limits: { discoveryTest: 10_000, discoveryLive: 10_000, discoveryAnonymousMinute: 10_000 },
  })
  relay = createRelay({
    ...app.parts,
    followers,
    metrics: createMetrics(),
    log: silentLog(),
    faults: noFaults,
  })
  await openShop(app.account, 'tea', [
    {
      title: 'Green tea',
      handle: 'green-tea',
      categories: ['Drinks & Tea'],
      variants: [{ sku: 'GT-1', price: 590 }],
    },
    { title: 'Black tea with a very long name for a tea', variants: [{ price: 790 }] },
    {
      title: 'Teapot',
      description: 'For green tea and black tea.',
      variants: [{ price: 4_500, quantity: 0 }],
    },
    { title: 'Café crème', variants: [{ price: 350 }] },
  ])
  shoes = await app.newAccount('Shoes')
  await openShop(shoes, 'shoes', [
    {
      title: 'Trail boot',
      categories: ['Footwear'],
      variants: [{ price: 12_900 }, { price: 14_900, sku: 'TB-43' }],
    },
    { title: 'Running shirt', item_type: 'product', categories: ['Clothing'], variants: [{ price: 2_900 }] },
    { title: 'Fitting by video', item_type: 'service', variants: [{ price: 2_000, currency: 'USD' }] },
  ])
  hidden = await app.newAccount('Hidden')
  await openShop(hidden, null, [{ title: 'Secret boot', variants: [{ price: 1 }] }])
  await relay.runOnce()
})
afterAll(async () => {
  await relay.stop()
  await app.stop()
})

async function openShop(account: TestAccount, slug: string | null, items: readonly object[]): Promise<void> {
  const key = account.keys.secret_test
  const domain = `${slug ?? 'hidden'}.example`
  await app.post(
    '/v1/merchant',
    { ...(slug ? { slug } : {}), domain, name: domain, currency: 'EUR' },
    { key },
  )
  for (const [index, item] of items.entries())
    await publish({ url: `https://${domain}/${index}`, ...item }, key)
}

async function publish(item: object, key = app.account.keys.secret_test): Promise<string> {
  const made = await app.post('/v1/merchant/catalog_items', item, { key })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const published = await app.post(`/v1/merchant/catalog_items/${made.body.id}/publish`, undefined, { key })
  expect(published.status, JSON.stringify(published.body)).toBe(200)
  return made.body.id
}

async function search(body: object, key?: string | null) {
  const answer = await app.post('/v1/catalog', body, key === undefined ? {} : { key })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

async function titles(body: object, key?: string | null): Promise<string[]> {
  return (await search(body, key)).products.map(({ title }: Product) => title)
}

test('a product is shown with what a buyer needs to choose it', async () => {
  const { products, sources, pagination } = await search({ query: 'trail boot' })
  expect(products).toHaveLength(1)
  expect(products[0]).toMatchObject({
    source: 'published',
    title: 'Trail boot',
    url: 'https://shoes.example/0',
    categories: [{ value: 'Footwear' }],
    price_range: { min: { amount: 12_900, currency: 'EUR' }, max: { amount: 14_900, currency: 'EUR' } },
    variants: [
      { title: 'Trail boot', price: { amount: 12_900 }, availability: { available: true } },
      { sku: 'TB-43', price: { amount: 14_900 } },
    ],
    merchant: { id: shoes.accountId, slug: 'shoes', domain: 'shoes.example', verified: false },
    purchasable: { purchase_intent: true, quote: false, ucp: false, mpp: false },
  })
  expect(sources).toMatchObject([{ id: 'published', kind: 'published', status: 'ok', returned: 1 }])
  expect(pagination).toEqual({ cursor: null, has_next_page: false, exhaustive: true })
})

test('subscriptions and APIs are found by their kind, and a purchase intent buys no subscription', async () => {
  const plans = await app.newAccount('Plans')
  await openShop(plans, 'plans', [
    { title: 'Weather by the month', item_type: 'subscription', variants: [{ price: 900, currency: 'CHF' }] },
    { title: 'Weather by the call', item_type: 'api', variants: [{ price: 1, currency: 'CHF' }] },
  ])
  await relay.runOnce()
  for (const [item_type, title, purchase_intent] of [
    ['subscription', 'Weather by the month', false],
    ['api', 'Weather by the call', true],
  ]) {
    const { products } = await search({ query: 'weather', filters: { item_types: [item_type] } })
    expect(products).toMatchObject([{ title, item_type, purchasable: { purchase_intent } }])
  }
})

test('words are found as they are, in another number, without accents and in a code', async () => {
  expect(await titles({ query: 'boots' })).toEqual(['Trail boot'])
  expect(await titles({ query: 'CAFE creme' })).toEqual(['Café crème'])
  expect(await titles({ query: 'gt-1' })).toEqual(['Green tea'])
  expect(await titles({ query: 'the tea of green' })).toEqual(['Green tea', 'Teapot'])
})

test('a title of the words goes before a longer one, and a title before a description', async () => {
  expect(await titles({ query: 'tea' })).toEqual([
    'Green tea',
    'Black tea with a very long name for a tea',
    'Teapot',
  ])
})

test('a spelling mistake finds what was meant, and the answer says so', async () => {
  for (const query of ['shrit', 'shirrt', 'shiat', 'shir', 'sirt']) {
    const found = await search({ query })
    expect([query, found.products.map(({ title }: Product) => title)]).toEqual([query, ['Running shirt']])
  }
  const { messages } = await search({ query: 'shrit' })
  expect(messages).toEqual([
    {
      type: 'info',
      code: 'query_corrected',
      content: 'Nothing was found with "shrit". Searched for "shirt" as well.',
    },
  ])
  expect(await titles({ query: 'runnign shirt' })).toEqual(['Running shirt'])
})

test('a mistake that somebody has published as a word hides nothing', async () => {
  const key = hidden.keys.secret_test
  await publish({ title: 'Teapto', variants: [{ price: 1, currency: 'EUR' }] }, key)
  await relay.runOnce()
  expect(await titles({ query: 'teapto' })).toEqual(['Teapot'])
  expect(await titles({ query: 'teapto' }, key)).toEqual(['Teapto'])
  const first = await search({ query: 'teapto tea', pagination: { limit: 1 } })
  expect(first.messages[0].content).toBe('Nothing was found with "teapto". Searched for "teapot" as well.')
})

test('what nothing has is not found, and neither is a word that says nothing among others', async () => {
  expect(await titles({ query: 'zeppelin' })).toEqual([])
  expect(await titles({ query: 'boot zeppelin' })).toEqual([])
  expect(await titles({ query: '&&& | !' })).toEqual([])
  expect(await titles({ query: 'with' })).toEqual(['Black tea with a very long name for a tea'])
})

test('the syntax of a query language is text', async () => {
  for (const query of [`tea' | 'boot`, 'tea\\', 'tea:*', '!tea', '(tea', "'; drop table listings; --", '<->'])
    await search({ query })
  expect(await titles({ query: 'tea | boot' })).toEqual([])
})

test('filters hold all together', async () => {
  const context = { currency: 'eur' }
  expect(await titles({ filters: { categories: ['drinks tea'] } })).toEqual(['Green tea'])
  expect(await titles({ filters: { item_types: ['service'] } })).toEqual(['Fitting by video'])
  expect(await titles({ query: 'tea', filters: { available: true } })).not.toContain('Teapot')
  expect(await titles({ query: 'teapot', filters: { available: false } })).toEqual(['Teapot'])
  expect(await titles({ context, filters: { price: { min: 13_000 } } })).toEqual(['Trail boot'])
  expect(await titles({ context, filters: { price: { max: 600 } } })).toEqual(['Café crème', 'Green tea'])
  expect(await titles({ context: { currency: 'USD' }, filters: { price: { min: 1 } } })).toEqual([
    'Fitting by video',
  ])
  expect(await titles({ merchant: { slug: 'shoes' }, query: 'boot' })).toEqual(['Trail boot'])
  expect(await titles({ merchant: { slug: 'tea' }, query: 'boot' })).toEqual([])
  const both = {
    filters: { merchants: [{ id: shoes.accountId }, { slug: 'tea' }], categories: ['Clothing'] },
  }
  expect(await titles(both)).toEqual(['Running shirt'])
})

test('products come in the order of their price, and page by page', async () => {
  const cheapest = { context: { currency: 'EUR' }, sort: 'price_asc', filters: { available: true } }
  const whole = await titles(cheapest)
  expect(whole).toEqual([
    'Café crème',
    'Green tea',
    'Black tea with a very long name for a tea',
    'Running shirt',
    'Trail boot',
  ])
  expect(await paged(cheapest, 2)).toEqual(whole)
  expect(await paged({ ...cheapest, sort: 'price_desc' }, 2)).toEqual(whole.toReversed())
  expect(await paged({ query: 'tea' }, 1)).toEqual(await titles({ query: 'tea' }))
  const newest = { filters: {} }
  expect(await paged(newest, 3)).toEqual(await titles(newest))
})

async function paged(body: object, limit: number): Promise<string[]> {
  const found: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await search({ ...body, pagination: { limit, ...(cursor ? { cursor } : {}) } })
    expect(page.products.length).toBeLessThanOrEqual(limit)
    found.push(...page.products.map(({ title }: Product) => title))
    if (page.pagination.has_next_page !== (page.pagination.cursor !== null)) throw new Error('no cursor')
    if (!page.pagination.has_next_page) return found
    cursor = page.pagination.cursor
  }
}

test('a cursor of another search, or a changed one, is refused', async () => {
  const { pagination } = await search({ query: 'tea', pagination: { limit: 1 } })
  const { cursor } = pagination
  const [told, signature] = cursor.split('.')
  const forged = Buffer.from(JSON.stringify(['~', 1, 1, '~'])).toString('base64url')
  for (const [query, wrong] of [
    ['boot', cursor],
    ['tea', `${cursor}x`],
    ['tea', 'x'],
    ['tea', told],
    ['tea', `${forged}.${signature}`],
    ['tea', '.'],
  ]) {
    const answer = await app.post('/v1/catalog', { query, pagination: { cursor: wrong } })
    expect([wrong, answer.status]).toEqual([wrong, 422])
  }
})

test('requests that ask for nothing, or for prices in no currency, are told what is missing', async () => {
  for (const body of [
    {},
    { sort: 'price_asc', query: 'tea' },
    { filters: { price: { max: 5 } } },
    { merchant: {}, query: 'tea' },
    { merchant: { slug: 'tea', domain: 'tea.example' }, query: 'tea' },
    { filters: { merchants: [{}] } },
    { query: '' },
  ]) {
    const answer = await app.post('/v1/catalog', body)
    expect([body, answer.status]).toEqual([body, 422])
  }
  const nobody = await app.post('/v1/catalog', { merchant: { slug: 'nobody' }, query: 'tea' })
  expect([nobody.status, nobody.body.detail.param]).toEqual([404, 'merchant'])
})

test('a merchant that is not public is found by nobody but itself', async () => {
  expect(await titles({ query: 'secret boot' })).toEqual([])
  expect(await titles({ query: 'secret boot' }, hidden.keys.secret_test)).toEqual(['Secret boot'])
  expect(await titles({ query: 'secret boot' }, shoes.keys.secret_test)).toEqual([])
})

test("a page finds with its merchant's key what everybody finds, and not what the merchant alone does", async () => {
  const page = await app.newKey(hidden, 'test', 'full', 'publishable')
  await app.sql('update api_keys set origins = $2 where id = $1', [page.id, ['https://hidden.example']])
  const found = async (query: string) => {
    const how = { key: page.token, headers: { origin: 'https://hidden.example' } }
    const answer = await app.post('/v1/catalog', { query }, how)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body.products.map(({ title }: Product) => title)
  }
  expect(await found('secret boot')).toEqual([])
  expect(await found('trail boot')).toEqual(['Trail boot'])
})

test('a caller without a key sees what is public in live mode alone', async () => {
  const live = shoes.keys.secret_live
  await app.post(
    '/v1/merchant',
    { slug: 'live-shoes', domain: 'live-shoes.example', currency: 'EUR' },
    { key: live },
  )
  await publish(
    { title: 'Live boot', url: 'https://live-shoes.example/1', variants: [{ price: 9_900 }] },
    live,
  )
  await relay.runOnce()
  expect(await titles({ query: 'boot' }, null)).toEqual([])
  expect(await titles({ query: 'boot' }, live)).toEqual(['Live boot'])
  await app.sql(`update merchants set domain_verified_at = now() where slug = 'live-shoes'`)
  expect(await titles({ query: 'boot' }, null)).toEqual([])
  await app.sql(
    `insert into destinations (account_id, mode, id, name, responds_to_quotes, event_types, endpoint_url, status, confirmed_at, seq, created_at, updated_at)
     values ($1, 'live', 'dest_live', 'Shop', false, '{order.requested,order.confirmed,order.rejected}', 'https://shop.example', 'enabled', now(), 1, now(), now())`,
    [shoes.accountId],
  )
  expect(await titles({ query: 'boot' }, null)).toEqual(['Live boot'])
})

test('what changes is found as it is now', async () => {
  const key = app.account.keys.secret_test
  const id = await publish({ title: 'Oolong', variants: [{ price: 900, quantity: 3 }] })
  await relay.runOnce()
  expect(await titles({ query: 'oolong' })).toEqual(['Oolong'])
  await app.post(`/v1/merchant/catalog_items/${id}`, { title: 'Pu-erh' }, { key })
  await relay.runOnce()
  expect(await titles({ query: 'oolong' })).toEqual([])
  expect(await titles({ query: 'pu erh' })).toEqual(['Pu-erh'])
  await app.post(`/v1/merchant/catalog_items/${id}/archive`, undefined, { key })
  await relay.runOnce()
  expect(await titles({ query: 'pu erh' })).toEqual([])
  expect(await app.sql('select id from listings where id = $1', [id])).toEqual([])
})

test('the tool answers as the operation does', async () => {
  const body = { query: 'tea', pagination: { limit: 2 } }
  const tool = await app.mcp('v1_search_catalog', body)
  const rest = await app.post('/v1/catalog', body)
  const timeless = (found: object) => ({ ...found, sources: [], attribution_id: '' })
  expect(tool.status).toBe(200)
  expect(timeless(tool.body)).toEqual(timeless(rest.body))
})

test('items of a file are found, and are not when a later file changes them', async () => {
  const run = async (rows: readonly object[]) => {
    const answer = await app.request('POST', '/v1/merchant/catalog_items/import?publish=true', {
      raw: rows.map((row) => JSON.stringify(row)).join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
    })
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    await runImports(app)
    await relay.runOnce()
  }
  await run([
    { handle: 'file-1', title: 'Sencha', variants: [{ price: 100 }] },
    { handle: 'file-2', title: 'Matcha', variants: [{ price: 100 }] },
  ])
  expect((await titles({ query: 'sencha' })).concat(await titles({ query: 'matcha' }))).toEqual([
    'Sencha',
    'Matcha',
  ])
  await run([{ handle: 'file-1', title: 'Hojicha', variants: [{ price: 100 }] }])
  expect(await titles({ query: 'sencha' })).toEqual([])
  expect(await titles({ query: 'hojicha' })).toEqual(['Hojicha'])
})
