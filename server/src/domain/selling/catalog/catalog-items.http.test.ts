import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestAccount, type TestApp } from '../../../../test/harness/app.ts'
import type { Tenant } from '../../../contract/context.ts'
import { readSellersAt } from '../merchant/public.ts'
import { readItemsAt, resolveUrls, urlKeysOf } from './public.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await app.post('/v1/merchant', { slug: 'tea', domain: 'tea.example', currency: 'EUR' })
})
afterAll(() => app.stop())

const path = '/v1/merchant/catalog_items'
const green = {
  handle: 'green-tea',
  title: 'Green tea',
  url: 'https://shop.tea.example/Green?utm_source=mail&size=1#top',
  categories: ['Tea'],
  media: [{ url: 'https://cdn.elsewhere.example/green.jpg' }],
  options: [{ name: 'Weight', values: ['100 g', '500 g'] }],
  variants: [
    { sku: 'G-100', price: 590, quantity: 4, options: [{ name: 'Weight', value: '100 g' }] },
    { sku: 'G-500', price: 2400, currency: 'eur', barcode: '4006381333931' },
  ],
  metadata: { shelf: '7' },
}

async function created(body: object, key = app.account.keys.secret_test) {
  const answer = await app.post(path, body, { key })
  expect(answer.status).toBe(201)
  return answer.body
}

test('an item starts as a draft with new variants in the currency of the merchant', async () => {
  const item = await created(green)
  expect(item).toMatchObject({
    object: 'catalog_item',
    mode: 'test',
    status: 'draft',
    item_type: 'product',
    handle: 'green-tea',
    url: green.url,
    media: [{ url: 'https://cdn.elsewhere.example/green.jpg', type: 'image', alt_text: null }],
    metadata: { shelf: '7' },
    published_at: null,
  })
  expect(item.variants.map(({ currency }: { currency: string }) => currency)).toEqual(['EUR', 'EUR'])
  expect(item.variants[0].id).toMatch(/^var_/)
  expect((await app.get(`${path}/${item.id}`)).body).toEqual(item)
})

test('nothing of an item is required before it is published', async () => {
  const item = await created({})
  expect(item).toMatchObject({ title: null, url: null, variants: [] })
  const refused = await app.post(`${path}/${item.id}/publish`)
  expect([refused.status, refused.body.detail.code]).toEqual([409, 'item_not_publishable'])
})

test('a handle and a URL, in any writing, belong to one item until it is archived', async () => {
  const item = await created({ handle: 'mug', url: 'https://TEA.example/mug?utm_campaign=x' })
  for (const taken of [{ handle: 'mug' }, { url: 'https://tea.example/mug#top' }]) {
    const refused = await app.post(path, taken)
    expect([refused.status, refused.body.detail.code]).toEqual([409, 'handle_in_use'])
  }
  const other = await created({ handle: 'mug-2' })
  const moved = await app.post(`${path}/${other.id}`, { handle: 'mug' })
  expect([moved.status, moved.body.detail.code]).toEqual([409, 'handle_in_use'])
  const archived = await app.post(`${path}/${item.id}/archive`)
  expect(archived.body).toMatchObject({ status: 'archived' })
  expect((await app.post(`${path}/${item.id}/archive`)).body).toEqual(archived.body)
  await created({ handle: 'mug', url: 'https://tea.example/mug' })
})

test('a URL is https and on the domain of the merchant', async () => {
  for (const url of [
    'http://tea.example/a',
    'https://nottea.example/a',
    'https://tea.example.evil.example/a',
    // Within the limit as written, and far beyond what an index holds once it is percent-encoded.
    `https://tea.example/${Array.from({ length: 1_900 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000))).join('')}`,
  ]) {
    const { status, body } = await app.post(path, { url })
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'url']])
  }
})

test('publishing makes an item findable by its URL, once; a published item keeps what it needs', async () => {
  const item = await created({ ...green, handle: null, url: 'https://tea.example/published?b=2&a=1' })
  const urls = [
    'https://TEA.example/published?utm_medium=x&b=2&a=1#f',
    'https://tea.example/other',
    'https://nobody.example/',
  ]
  const tenant = { accountId: app.account.accountId, mode: 'test' } as const
  const stranger = { accountId: app.stranger.accountId, mode: 'test' } as const
  const reads = { rows: app.parts.pools.read }
  const resolved = async (buyer: Tenant) =>
    resolveUrls(
      urls,
      await readSellersAt(reads, buyer, urlKeysOf(urls).hosts),
      await readItemsAt(reads, buyer.mode, urls),
    )
  expect((await resolved(tenant))[0]).toMatchObject({ item: null })
  const published = await app.post(`${path}/${item.id}/publish`)
  expect(published.body).toMatchObject({ status: 'published' })
  expect((await app.post(`${path}/${item.id}/publish`)).body).toEqual(published.body)
  expect(await resolved(tenant)).toMatchObject([
    { merchant: { account_id: app.account.accountId }, item: { id: item.id } },
    { merchant: { account_id: app.account.accountId }, item: null },
    null,
  ])
  // The domain is only claimed: it routes nobody else's purchases, and none of the other mode.
  expect(await resolved(stranger)).toEqual([null, null, null])
  expect(await resolved({ ...tenant, mode: 'live' })).toEqual([null, null, null])
  for (const change of [{ title: null }, { variants: [] }]) {
    const refused = await app.post(`${path}/${item.id}`, change)
    expect([refused.status, refused.body.detail.code]).toEqual([409, 'item_not_publishable'])
  }
})

test('an update keeps what it leaves out and the ids of the variants it names', async () => {
  const item = await created({ ...green, handle: 'kept', url: null })
  const [first] = item.variants
  const { status, body } = await app.post(`${path}/${item.id}`, {
    title: 'Greener tea',
    variants: [
      { id: first.id, price: 600 },
      { sku: 'G-1', price: 1 },
    ],
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({ handle: 'kept', title: 'Greener tea', categories: ['Tea'] })
  expect(body.variants[0]).toEqual({ ...first, price: 600 })
  expect(body.variants).toHaveLength(2)
  const unknown = await app.post(`${path}/${item.id}`, { variants: [{ id: item.variants[1].id }] })
  expect([unknown.status, unknown.body.detail]).toMatchObject([404, { param: 'variants[0].id' }])
  await app.post(`${path}/${item.id}/archive`)
  const archived = await app.post(`${path}/${item.id}`, { title: 'Back' })
  expect([archived.status, archived.body.detail.code]).toEqual([409, 'item_archived'])
})

test('lists newest first, filtered and searched by what a person would type', async () => {
  const seller: TestAccount = await app.newAccount('Seller')
  const key = seller.keys.secret_test
  const teapot = await created({ title: 'Teapot', variants: [{ sku: 'POT_1', title: 'The 27" pot' }] }, key)
  const kettle = await created({ title: 'Kettle 100%', item_type: 'digital' }, key)
  const list = async (query: string) => (await app.get(`${path}${query}`, { key })).body
  const ids = async (query: string) => (await list(query)).data.map(({ id }: { id: string }) => id)
  expect(await list('')).toMatchObject({ object: 'list', total: 2, limit: 50, offset: 0, has_more: false })
  expect(await ids('')).toEqual([kettle.id, teapot.id])
  expect(await ids('?q=pot_1')).toEqual([teapot.id])
  expect(await ids('?q=100%25')).toEqual([kettle.id])
  expect(await ids('?q=27%22%20po')).toEqual([teapot.id])
  expect(await ids('?q=in_stock')).toEqual([])
  expect(await ids(`?q=${teapot.id}`)).toEqual([teapot.id])
  expect(await ids('?item_type=digital')).toEqual([kettle.id])
  expect(await list('?limit=1')).toMatchObject({ total: 2, has_more: true })
  expect(await ids('?limit=1&offset=1')).toEqual([teapot.id])
  expect((await app.get(`${path}?q=`, { key })).status).toBe(422)
})

test("another account's item, or one of another mode, is unknown", async () => {
  const item = await created({ title: 'Mine' })
  for (const key of [app.stranger.keys.secret_test, app.account.keys.secret_live]) {
    const answers = [
      await app.get(`${path}/${item.id}`, { key }),
      await app.post(`${path}/${item.id}`, { title: 'Yours' }, { key }),
      await app.post(`${path}/${item.id}/publish`, undefined, { key }),
      await app.post(`${path}/${item.id}/archive`, undefined, { key }),
    ]
    for (const { status, body } of answers) {
      expect([status, body.detail.code, body.detail.param]).toEqual([404, 'not_found', 'item_id'])
    }
    expect((await app.get(path, { key })).body.data).toEqual([])
  }
})

test('an idempotency key makes one item', async () => {
  const headers = { 'idempotency-key': 'item-1' }
  const first = await app.post(path, { title: 'Once' }, { headers })
  const again = await app.post(path, { title: 'Once' }, { headers })
  expect([again.status, again.body]).toEqual([201, first.body])
})
