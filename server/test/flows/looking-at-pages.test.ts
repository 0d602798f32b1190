import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BrowserPort } from '../../src/channels/browser/browser-port.ts'
import { chosenAtPage } from '../../src/channels/browser/page-variant-id.ts'
import type {
  ShopLook,
  ShopProduct,
  ShopWay,
  ShopWayRequest,
} from '../../src/channels/browser/shopping-words.ts'
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

const unpriced = { sku: null, selections: [], unitAmount: null, isAvailable: true }
const card = {
  ...shoe,
  title: 'Gift card',
  options: [],
  variants: [{ ...unpriced, unitAmount: 2500n }],
}

/** What the pages say, by their paths; every other one says nothing in time. */
const pages: Readonly<Record<string, ShopProduct>> = {
  '/shoe': shoe,
  '/card': card,
  '/unsure': { ...card, title: 'Kettle', currency: null, variants: [unpriced] },
  '/dear': card,
  '/half': { ...shoe, variants: [shoe.variants[0], { ...shoe.variants[1], unitAmount: null }] },
}

type Item = ShopWay['items'][number]

/** What becomes of an item on the way to the checkout. */
const items: Readonly<Record<string, Item>> = {
  ...Object.fromEntries(Object.entries(pages).map(([path, product]) => [path, { product, stop: null }])),
  '/nothing': { product: null, stop: { code: 'product_not_found', message: null } },
  '/robots': { product: null, stop: { code: 'captcha_blocked', message: null } },
  '/euros': { product: { ...card, currency: 'EUR' }, stop: { code: 'unsupported_currency', message: null } },
  '/several': { product: shoe, stop: { code: 'variant_required', message: 'Choose <b>Size</b> (41, 42).' } },
  '/gone': { product: shoe, stop: { code: 'product_out_of_stock', message: 'Sorry, gone.' } },
  '/members': { product: null, stop: { code: 'sign_in', message: null } },
}

/** The way of items that all went into the cart. */
const way: Omit<ShopWay, 'items'> = {
  currency: 'USD',
  country: null,
  mayBeGuest: true,
  reached: 'buyer',
  stop: null,
  isLate: false,
  sums: { subtotal: 2500n, fulfillment: null, tax: null, discount: null, total: 2500n },
  deliveries: [
    { label: 'Parcel', amount: 90n, isTaken: true },
    { label: 'Ask us', amount: null, isTaken: false },
  ],
  steps: [
    {
      page: 'checkout',
      url: 'https://classic.shop.test/checkout',
      pressed: [],
      controls: [{ label: 'E-mail\u202e', field: 'email', fate: 'typed', isRequired: true }],
      choices: [{ about: 'account', name: '', alternatives: ['Guest', 'Sign in'], taken: 'Guest' }],
    },
  ],
}

/** Ways that end otherwise, by the path of their first item. */
const ends: Readonly<Record<string, Partial<ShopWay>>> = {
  '/several': { reached: 'product', sums: null },
  '/gone': { reached: 'product', sums: null },
  '/members': { reached: 'product', sums: null, mayBeGuest: false },
  '/dear': { deliveries: [{ label: 'Courier', amount: 99_000n, isTaken: true }] },
  '/half': { stop: { code: 'merchant_unsupported', message: '“DNI” is required.' } },
}

let asked: ShopLook[] = []
let gone: ShopWayRequest[] = []
const nobodyBuys = () => Promise.reject(new Error('nothing is bought by those who look'))
const picture = Buffer.from('a picture')
const browser: BrowserPort = {
  price: nobodyBuys,
  place: nobodyBuys,
  health: () => Promise.resolve(null),
  async product(request) {
    asked.push(request)
    const { pathname } = new URL(request.url)
    if (pathname === '/hangs') return new Promise(() => undefined)
    const product = pages[pathname]
    if (product !== undefined) return { kind: 'product', product }
    if (pathname === '/nothing') return { kind: 'refused', code: 'product_not_found', message: null }
    return { kind: 'unavailable', why: 'the page does not answer' }
  },
  async way(request, { onEvidence }) {
    const paths = request.items.map(({ url }) => new URL(url).pathname)
    // It is asked again and again.
    if (!paths.includes('/busy')) gone.push(request)
    const found = paths.flatMap((path) => items[path] ?? [])
    if (paths.includes('/busy')) return { kind: 'no_room', why: 'too many carts wait for the browser' }
    if (found.length < paths.length) return { kind: 'unavailable', why: 'the page does not answer' }
    const at = new Date()
    const shown = { urlHost: 'classic.shop.test', totalText: null, hosts: [] }
    onEvidence({ stage: 'review', at, picture, ...shown })
    const country = request.buyer === 'demo' ? 'US' : null
    return { kind: 'way', ...way, country, items: found, ...ends[paths[0] ?? ''] }
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
  await openStrangers(buying).know('classic.shop.test', 'browser', ['pay.classic-till.test'])
})
beforeEach(() => {
  asked = []
  gone = []
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
      moreHosts: ['pay.classic-till.test'],
      currency: null,
    },
  ])
  expect(chosenAtPage({ id: body.variants[0].id })).toEqual({
    sku: 'shoe-41',
    selections: [{ name: 'Size', value: '41' }],
  })
})

test('a preview says in the shop’s words why it cannot be bought, and takes the id of a variant', async () => {
  const several = await preview([{ path: '/several' }])
  expect(several.status).toBe(200)
  const [merchant] = several.body.merchants
  expect(merchant).toMatchObject({
    channel: 'browser',
    offer: null,
    problems: [{ item: 0, code: 'variant_required', merchant_message: 'Choose Size (41, 42).' }],
    products: [{ variant_id: null, unit_amount: null, price_note: null }],
    checkout: { reached: 'product', guests: true, cart: null },
  })
  const [first] = merchant.products[0].variants
  const one = await preview([{ path: '/shoe', variant: { id: first.id } }])
  expect(one.body.merchants[0]).toMatchObject({
    problems: [],
    products: [{ variant_id: first.id, unit_amount: 9900, currency_code: 'USD' }],
  })
  expect(gone.at(-1)?.items[0]?.variant).toEqual({
    sku: 'shoe-41',
    selections: [{ name: 'Size', value: '41' }],
  })
  const sold = await preview([{ path: '/gone', variant: { selections: [{ name: 'size', value: '42' }] } }])
  expect(sold.body.merchants[0].problems).toEqual([
    { item: 0, code: 'product_out_of_stock', merchant_message: 'Sorry, gone.' },
  ])
})

test('a preview goes the way to the checkout as nobody: what its cart says is no offer, and no step or picture is told', async () => {
  const { body } = await preview([{ path: '/card' }])
  expect(body.offer).toBeNull()
  const [merchant] = body.merchants
  expect(merchant.checkout).toEqual({
    reached: 'buyer',
    guests: true,
    cart: { subtotal: 2500, fulfillment: null, tax: null, discount: null, total: 2500, currency_code: 'USD' },
  })
  expect(merchant.delivery_options).toEqual([{ title: 'Parcel', amount: 90, latest_at: null, chosen: true }])
  expect(gone).toHaveLength(1)
  expect(gone[0]).toMatchObject({ buyer: 'nobody', currency: 'USD', moreHosts: ['pay.classic-till.test'] })
  expect(JSON.stringify(gone, (_, part) => (typeof part === 'bigint' ? Number(part) : part))).not.toMatch(
    /Lovelace|@|97201|Portland/,
  )
  const [row] = await buying.sql<{ answer: string }>(
    'select answer::text from looks where host = $1 and request::text like $2',
    ['classic.shop.test', '%/card%'],
  )
  expect(row?.answer).not.toMatch(/"steps"|"pictures"/)
})

test('a way of delivery that is dearer than allowed is a problem before anybody buys', async () => {
  const { body } = await preview([{ path: '/dear' }])
  expect(body.merchants[0].problems).toEqual([{ item: 0, code: 'fulfillment_fee_exceeded' }])
})

test('a shop that sells to customers alone, and a field that nobody can fill in, are problems of the whole purchase', async () => {
  const members = await preview([{ path: '/members' }])
  expect(members.body.merchants[0]).toMatchObject({
    supported: true,
    problems: [{ item: 0, code: 'merchant_auth_failed' }],
    checkout: { guests: false },
  })
  const half = await preview([{ path: '/half' }, { path: '/card' }])
  expect(half.body.merchants[0].problems).toEqual(
    [0, 1].map((item) => ({ item, code: 'merchant_unsupported', merchant_message: '“DNI” is required.' })),
  )
})

test('a price that the page does not say for sure is not guessed, is told as a sentence, and is no reason to fail', async () => {
  const { body } = await preview([{ path: '/unsure' }])
  expect(body.merchants[0]).toMatchObject({
    supported: true,
    problems: [],
    products: [{ title: 'Kettle', unit_amount: null, currency_code: null }],
  })
  expect(body.merchants[0].products[0].price_note).toContain('does not say for sure what one unit costs')
  const known = await preview([{ path: '/shoe', variant: { selections: [{ name: 'Size', value: '41' }] } }])
  expect(known.body.merchants[0].products[0]).toMatchObject({ unit_amount: 9900, price_note: null })
})

test('several items of one shop are one way, and are judged one by one', async () => {
  const { body } = await preview([
    { path: '/card' },
    { path: '/nothing' },
    { path: '/robots' },
    { path: '/euros' },
  ])
  expect(body.merchants).toHaveLength(1)
  expect(gone).toHaveLength(1)
  expect(body.merchants[0].problems).toEqual([
    { item: 1, code: 'product_not_found' },
    { item: 2, code: 'captcha_blocked' },
    { item: 3, code: 'unsupported_currency' },
  ])
  expect(body.merchants[0].products.map(({ item }: { item: number }) => item)).toEqual([0, 3])
})

test('that our own browser is full is never told as the silence of a shop: the preview is still looking', async () => {
  const { status, body, headers } = await preview([{ path: '/busy' }])
  expect([status, headers.get('retry-after')]).toEqual([202, '5'])
  expect(body.merchants[0]).toMatchObject({ looking: true, problems: [] })
})

const check = (body: object, key = buyer.key) =>
  buying.app.post('/v1/shops/check', { url: 'https://classic.shop.test/card', ...body }, { key })

test('a check says each step, with the field that each control would get, in words without anything unseen', async () => {
  const { status, body } = await check({})
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body).toMatchObject({
    object: 'shop_check',
    shop: 'classic.shop.test',
    channel: 'browser',
    buyer: 'nobody',
    country: null,
    verdict: 'can_buy',
    code: null,
    checkout: { reached: 'buyer', guests: true },
    steps: [
      {
        page: 'checkout',
        controls: [{ label: 'E-mail', field: 'email', fate: 'typed', required: true }],
        choices: [{ about: 'account', takes: 'Guest' }],
      },
    ],
  })
  expect(body).not.toHaveProperty('pictures')
  expect(gone).toMatchObject([{ buyer: 'nobody', currency: null }])
  const tool = await buying.app.mcp('v1_check_shop', { url: body.url }, { key: buyer.key })
  expect(tool.body).toEqual(body)
})

test('pictures are answered where they are asked for, of a buyer who was made up alone', async () => {
  const demo = await check({ buyer: 'demo', pictures: true })
  expect(demo.body).toMatchObject({ buyer: 'demo', country: 'US' })
  expect(demo.body.pictures).toEqual([
    { stage: 'review', url_host: 'classic.shop.test', png: picture.toString('base64') },
  ])
  expect((await check({ buyer: 'demo' })).body).not.toHaveProperty('pictures')
  expect(gone).toHaveLength(1)
  expect((await check({ pictures: true })).body.pictures).toEqual([])
})

test('a check contacts no shop that the registry does not know, for nobody who may not check', async () => {
  const unknown = await check({ url: 'https://unknown.shop.test/card' })
  expect([unknown.status, unknown.body.detail.message]).toEqual([
    404,
    'unknown.shop.test is not in the registry of test mode, so nobody contacts it.',
  ])
  for (const preset of ['buyer_agent', 'read_only'] as const) {
    const key = await buying.app.newKey(buying.app.account, 'test', preset)
    expect((await check({}, key.token)).status).toBe(403)
  }
  expect(gone).toEqual([])
  expect((await check({}, buying.app.stranger.keys.secret_test)).status).toBe(200)
  // The look of one account is not shown to another.
  expect(gone).toHaveLength(1)
})

test('a check tells what a person can do something about from what nobody can', async () => {
  const at = async (path: string) => {
    const { body } = await check({ url: `https://classic.shop.test${path}` })
    return [body.verdict, body.code, body.merchant_message ?? null]
  }
  expect(await at('/members')).toEqual(['needs_person', 'merchant_auth_failed', null])
  expect(await at('/gone')).toEqual(['cannot_buy', 'product_out_of_stock', 'Sorry, gone.'])
  expect(await at('/half')).toEqual(['cannot_buy', 'merchant_unsupported', '“DNI” is required.'])
  expect(await at('/silent')).toEqual(['not_known', 'merchant_unavailable', null])
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
