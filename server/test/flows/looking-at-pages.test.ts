import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BrowserPort } from '../../src/channels/browser/browser-port.ts'
import { chosenAtPage } from '../../src/channels/browser/page-variant-id.ts'
import type { ShopLook, ShopProductAnswer } from '../../src/channels/browser/shopping-words.ts'
import { type Buyer, type Buying, intentBody, startBuying } from '../harness/buying.ts'
import { openStrangers } from '../harness/strangers.ts'

const shoe = {
  title: 'Trail shoe',
  description: 'Runs uphill.',
  images: ['https://classic.shop.test/shoe.png', 'javascript:alert(1)'],
  currency: 'USD',
  options: [{ name: 'Size', values: ['41', '42'] }],
  variants: [
    { sku: 'shoe-41', selections: [{ name: 'Size', value: '41' }], unitAmount: 9900n, isAvailable: true },
    { sku: 'shoe-42', selections: [{ name: 'Size', value: '42' }], unitAmount: 10_900n, isAvailable: false },
  ],
} as const

const card = {
  ...shoe,
  title: 'Gift card',
  options: [],
  variants: [{ sku: null, selections: [], unitAmount: 2500n, isAvailable: true }],
}

/** What the pages say, by their paths; every other one says nothing in time. */
const pages: Readonly<Record<string, ShopProductAnswer>> = {
  '/shoe': { kind: 'product', product: shoe },
  '/card': { kind: 'product', product: card },
  '/euros': { kind: 'product', product: { ...card, currency: 'EUR' } },
  '/nothing': { kind: 'refused', code: 'product_not_found', message: null },
  '/robots': { kind: 'refused', code: 'captcha_blocked', message: null },
  '/unsure': {
    kind: 'product',
    product: {
      ...card,
      title: 'Kettle',
      currency: null,
      variants: [{ sku: null, selections: [], unitAmount: null, isAvailable: true }],
    },
  },
  '/choices': { kind: 'product', product: { ...shoe, currency: null, variants: [] } },
  '/half': {
    kind: 'product',
    product: { ...shoe, variants: [shoe.variants[0], { ...shoe.variants[1], unitAmount: null }] },
  },
  '/free': { kind: 'product', product: { ...card, variants: [] } },
}

let asked: ShopLook[] = []
const nobodyBuys = () => Promise.reject(new Error('nothing is bought by those who look'))
const browser: BrowserPort = {
  price: nobodyBuys,
  place: nobodyBuys,
  health: () => Promise.resolve(null),
  async product(request) {
    asked.push(request)
    if (request.url.endsWith('/hangs')) return new Promise(() => undefined)
    return pages[new URL(request.url).pathname] ?? { kind: 'unavailable', why: 'the page does not answer' }
  },
}

let buying: Buying
let buyer: Buyer
let worker: ReturnType<Buying['startWorker']>
beforeAll(async () => {
  buying = await startBuying({ strangers: true })
  await buying.stopWorker()
  worker = buying.startWorker({ browser })
  buyer = await buying.newBuyer()
  await openStrangers(buying).know('classic.shop.test', 'browser')
})
beforeEach(() => {
  asked = []
})
afterAll(() => buying?.stop())

type Line = { path: string; amount?: number; variant?: object }

function preview(lines: readonly Line[]) {
  const items = lines.map(({ path, ...item }) => ({ ...item, url: `https://classic.shop.test${path}` }))
  return buying.app.post('/v1/purchase_intents/preview', intentBody(buyer, items, {}), { key: buyer.key })
}

const product = (path: string) =>
  buying.app.post(
    '/v1/catalog/product',
    { id: `https://classic.shop.test${path}`, merchant: { domain: 'classic.shop.test' } },
    { key: buyer.key },
  )

test('the page of a product shows its variants, with ids that mean what is chosen there', async () => {
  const { status, body } = await product('/shoe')
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body).toMatchObject({
    source: 'page',
    title: 'Trail shoe',
    url: 'https://classic.shop.test/shoe',
    media: [{ url: 'https://classic.shop.test/shoe.png' }],
    variants: [
      { sku: 'shoe-41', price: { amount: 9900, currency: 'USD' }, availability: { available: true } },
      { sku: 'shoe-42', availability: { status: 'out_of_stock' } },
    ],
    purchasable: { purchase_intent: true, ucp: false },
  })
  expect(asked).toEqual([
    {
      url: 'https://classic.shop.test/shoe',
      site: 'https://classic.shop.test',
      merchantDomain: 'classic.shop.test',
      moreHosts: [],
      currency: null,
    },
  ])
  expect(chosenAtPage({ id: body.variants[0].id })).toEqual({
    sku: 'shoe-41',
    selections: [{ name: 'Size', value: '41' }],
  })
})

test('a preview asks for a variant, takes the id of one, and says which is sold out', async () => {
  const several = await preview([{ path: '/shoe' }])
  expect(several.status).toBe(200)
  const [merchant] = several.body.merchants
  expect(merchant).toMatchObject({
    channel: 'browser',
    offer: null,
    problems: [{ item: 0, code: 'variant_required' }],
  })
  const [first, second] = merchant.products[0].variants
  const one = await preview([{ path: '/shoe', variant: { id: first.id } }])
  expect(one.body.merchants[0]).toMatchObject({
    problems: [],
    products: [{ variant_id: first.id, unit_amount: 9900, currency_code: 'USD' }],
  })
  const gone = await preview([{ path: '/shoe', variant: { selections: [{ name: 'size', value: '42' }] } }])
  expect(gone.body.merchants[0].problems).toEqual([{ item: 0, code: 'product_out_of_stock' }])
  expect(second.availability.available).toBe(false)
})

test('a price that the page does not say for sure is not guessed, is told as a sentence, and is no reason to fail', async () => {
  const half = { selections: [{ name: 'Size', value: '42' }] }
  for (const [path, title, variant] of [
    ['/unsure', 'Kettle'],
    ['/choices', 'Trail shoe'],
    ['/half', 'Trail shoe', half],
  ] as const) {
    const { body } = await preview([{ path, ...(variant && { variant }) }])
    expect(body.merchants[0]).toMatchObject({
      supported: true,
      problems: [],
      products: [{ title, unit_amount: null, currency_code: null }],
    })
    expect(body.merchants[0].products[0].price_note).toContain('does not say for sure what one unit costs')
  }
  expect(asked.every(({ currency }) => currency === 'USD')).toBe(true)
  const known = await preview([{ path: '/half', variant: { selections: [{ name: 'Size', value: '41' }] } }])
  expect(known.body.merchants[0].products[0]).toMatchObject({ unit_amount: 9900, price_note: null })
})

test('several items of one shop are seen one by one', async () => {
  const { body } = await preview([
    { path: '/card' },
    { path: '/nothing' },
    { path: '/robots' },
    { path: '/euros' },
    { path: '/free' },
  ])
  expect(body.merchants).toHaveLength(1)
  expect(body.merchants[0].problems).toEqual([
    { item: 1, code: 'product_not_found' },
    { item: 2, code: 'captcha_blocked' },
    { item: 3, code: 'unsupported_currency' },
    { item: 4, code: 'product_not_found' },
  ])
  expect(body.merchants[0].products.map(({ item }: { item: number }) => item)).toEqual([0, 3])
  // What delivery and tax cost is not known before anybody gives a name and an address.
  expect(body.merchants[0].offer).toBeNull()
})

test('a page that does not answer is no product that is missing', async () => {
  const answer = await product('/silent')
  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).not.toBeNull()
  const { body } = await preview([{ path: '/silent' }])
  expect(body.merchants[0].problems).toEqual([{ item: 0, code: 'merchant_unavailable' }])
  expect((await product('/nothing')).status).toBe(404)
})

test('a look whose process stops is made by another one, while its caller waits', async () => {
  const stopped = buying.startWorker({ browser })
  await worker.stop()
  const waiting = product('/hangs')
  await expect.poll(() => asked.length, { interval: 20 }).toBe(1)
  await stopped.stop()
  worker = buying.startWorker({
    browser: { ...browser, product: () => Promise.resolve({ kind: 'product', product: card }) },
  })
  expect(await waiting).toMatchObject({ status: 200, body: { title: 'Gift card' } })
})
