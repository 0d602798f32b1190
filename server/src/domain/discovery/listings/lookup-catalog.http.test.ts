import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'

let app: TestApp
let boot: { id: string; variants: { id: string }[] }

beforeAll(async () => {
  app = await startTestApp({
    limits: { discoveryTest: 10_000, discoveryLive: 10_000, discoveryAnonymousMinute: 10_000 },
  })
  await app.post('/v1/merchant', { slug: 'shoes', domain: 'shoes.example', currency: 'EUR' })
  const made = await app.post('/v1/merchant/catalog_items', {
    title: 'Trail boot',
    handle: 'trail-boot',
    url: 'https://shoes.example/boot?size=1',
    variants: [
      { sku: 'TB-42', price: 12_900, barcode: '4006381333931' },
      { sku: 'TB-43', price: 14_900 },
      { sku: 'TB-44' },
    ],
  })
  boot = made.body
  await app.post(`/v1/merchant/catalog_items/${boot.id}/publish`)
  await app.post('/v1/merchant/catalog_items', {
    title: 'Draft',
    handle: 'draft',
    variants: [{ sku: 'D-1', price: 1 }],
  })
})
afterAll(() => app.stop())

const merchant = { slug: 'shoes' }

async function lookup(ids: readonly string[], more: object = {}, key?: string) {
  const answer = await app.post('/v1/catalog/lookup', { ids, merchant, ...more }, key ? { key } : {})
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

test('each name means its variants, and each product comes once', async () => {
  const [first] = boot.variants
  const ids = [
    'TB-43',
    first?.id ?? '',
    '4006381333931',
    'trail-boot',
    'https://shoes.example/boot?size=1&utm_source=x',
    'TB-44',
    'nothing',
  ]
  const { products, missing_ids, messages } = await lookup(ids)
  expect(products).toHaveLength(1)
  expect(
    products[0].variants.map(({ sku, inputs }: { sku: string; inputs: object }) => [sku, inputs]),
  ).toEqual([
    [
      'TB-42',
      [
        { id: first?.id, match: 'exact' },
        { id: '4006381333931', match: 'barcode' },
        { id: 'trail-boot', match: 'handle' },
        { id: ids[4], match: 'url' },
      ],
    ],
    [
      'TB-43',
      [
        { id: 'TB-43', match: 'sku' },
        { id: 'trail-boot', match: 'handle' },
        { id: ids[4], match: 'url' },
      ],
    ],
  ])
  // A variant without a price is not for sale.
  expect(missing_ids).toEqual(['TB-44', 'nothing'])
  expect(messages).toMatchObject([{ code: 'not_found' }, { code: 'not_found' }])
})

test('the same name twice counts once', async () => {
  const { products, missing_ids, messages } = await lookup(['TB-43', 'nothing', 'TB-43', 'nothing'])
  expect(products[0].variants).toMatchObject([{ sku: 'TB-43', inputs: [{ id: 'TB-43', match: 'sku' }] }])
  expect([missing_ids, messages.length]).toEqual([['nothing'], 1])
})

test('a product is read by any of its names, with all variants that have a price', async () => {
  for (const id of [boot.id, 'TB-43', 'trail-boot', '4006381333931']) {
    const answer = await app.post('/v1/catalog/product', { id, merchant: { domain: 'SHOES.example' } })
    // The domain is only claimed.
    expect([answer.status, answer.body.detail.param]).toEqual([404, 'merchant'])
    const found = await app.post('/v1/catalog/product', { id, merchant })
    expect(found.body).toMatchObject({ id: boot.id, variants: [{ sku: 'TB-42' }, { sku: 'TB-43' }] })
  }
})

test('a draft, an item of another merchant and an unknown merchant are not found', async () => {
  expect((await lookup(['draft', 'D-1'])).missing_ids).toEqual(['draft', 'D-1'])
  for (const [param, body] of [
    ['id', { id: 'draft', merchant }],
    ['merchant', { id: boot.id, merchant: { slug: 'nobody' } }],
    ['merchant', { id: boot.id, merchant: { id: 'acct_nobody' } }],
  ] as const) {
    const answer = await app.post('/v1/catalog/product', body)
    expect([answer.status, answer.body.detail.param]).toEqual([404, param])
  }
  await app.post(
    '/v1/merchant',
    { slug: 'other', domain: 'other.example' },
    { key: app.stranger.keys.secret_test },
  )
  expect((await lookup([boot.id], { merchant: { slug: 'other' } })).missing_ids).toEqual([boot.id])
})

test('a merchant that is not public is looked up by nobody but itself', async () => {
  const hidden = await app.newAccount('Hidden')
  const key = hidden.keys.secret_test
  await app.post('/v1/merchant', { domain: 'hidden.example', currency: 'EUR' }, { key })
  const made = await app.post(
    '/v1/merchant/catalog_items',
    { title: 'Secret', variants: [{ price: 1 }] },
    { key },
  )
  await app.post(`/v1/merchant/catalog_items/${made.body.id}/publish`, undefined, { key })
  const byId = { merchant: { id: hidden.accountId } }
  expect((await lookup([made.body.id], byId)).missing_ids).toEqual([made.body.id])
  expect((await lookup([made.body.id], byId, key)).missing_ids).toEqual([])
})

test('an item whose address its merchant has left can be quoted at most', async () => {
  const seller = await app.newAccount('Mover')
  const item = { title: 'Lamp', variants: [{ price: 1, currency: 'EUR' }] }
  const key = seller.keys.secret_test
  await app.post('/v1/merchant', { slug: 'mover', domain: 'before.example' }, { key })
  const made = await app.post(
    '/v1/merchant/catalog_items',
    { ...item, url: 'https://shop.before.example/lamp' },
    { key },
  )
  await app.post(`/v1/merchant/catalog_items/${made.body.id}/publish`, undefined, { key })
  const isSold = async () =>
    (await app.post('/v1/catalog/product', { id: made.body.id, merchant: { slug: 'mover' } })).body
      .purchasable.purchase_intent
  expect(await isSold()).toBe(true)
  await app.post('/v1/merchant', { domain: 'after.example' }, { key })
  expect(await isSold()).toBe(false)
})

test('what is no request is told so', async () => {
  for (const body of [
    { ids: [], merchant },
    { ids: Array.from({ length: 11 }, (_, index) => `${index}`), merchant },
    { ids: ['a'] },
    { ids: ['a'], merchant: {} },
    { ids: [''], merchant },
  ])
    expect([body, (await app.post('/v1/catalog/lookup', body)).status]).toEqual([body, 422])
})
