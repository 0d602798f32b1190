import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { type Buyer, type Buying, intentBody, startBuying } from '../harness/buying.ts'
import { openStrangers } from '../harness/strangers.ts'

let buying: Buying
let strangers: ReturnType<typeof openStrangers>
let buyer: Buyer
beforeAll(async () => {
  buying = await startBuying({ testClock: true, strangers: true })
  await installTestClock(buying.app.databaseUrl)
  strangers = openStrangers(buying)
  buyer = await buying.newBuyer()
  for (const host of ['ucp', 'tools.ucp', 'old.ucp', 'elsewhere.ucp'])
    await strangers.know(`${host}.shop.test`)
})
afterAll(() => buying?.stop())

type Wanted = {
  path: string
  host?: string
  quantity?: number
  variant?: object
  amount?: number
  method?: string
}

function urlOf({ path, host = 'ucp' }: Pick<Wanted, 'path' | 'host'>): string {
  return `https://${host}.shop.test/products/${path}`
}

function bodyOf({ amount = 2500, method = 'ship', ...item }: Wanted) {
  const { path, host: _, ...rest } = item
  const more = { preferences: { fulfillment: { method } } }
  return intentBody(buyer, [{ ...rest, url: urlOf({ ...item, path }), amount }], more)
}

function preview(wanted: Wanted, key = buyer.key) {
  return buying.app.post('/v1/purchase_intents/preview', bodyOf(wanted), { key })
}

function product(wanted: Pick<Wanted, 'path' | 'host'>, key: string | null = buyer.key) {
  const { hostname } = new URL(urlOf(wanted))
  const body = { id: urlOf(wanted), merchant: { domain: hostname } }
  return buying.app.post('/v1/catalog/product', body, { key })
}

/** What the shop was called for since then, by its own log. */
async function callsSince(before: number): Promise<string[]> {
  const log = await strangers.log('ucp')
  return log
    .slice(before)
    .filter(({ kind }) => kind !== 'cart')
    .map(({ kind, result }) => (kind === 'call' ? result : `${kind} ${result}`))
}

async function now(): Promise<number> {
  return (await strangers.log('ucp')).length
}

describe('a preview at a stranger that speaks UCP', () => {
  const seen: readonly [string, Wanted, { offer: number | null; problems: string[]; left?: number }][] = [
    ['what it costs there', { path: 'kettle' }, { offer: 3240, problems: [] }],
    ['what it costs there over tools', { path: 'kettle', host: 'tools.ucp' }, { offer: 3240, problems: [] }],
    [
      'what it costs where only its id says what it is',
      { path: 'kettle', host: 'old.ucp', variant: { id: 'kettle' } },
      { offer: 3240, problems: [] },
    ],
    [
      'that one of several variants has to be named',
      { path: 'teapot' },
      { offer: null, problems: ['variant_required'] },
    ],
    [
      'what the variant costs that was named',
      { path: 'teapot', variant: { sku: 'teapot-large-sage' } },
      { offer: 3996, problems: [] },
    ],
    [
      'that a variant is sold out',
      { path: 'teapot', variant: { sku: 'teapot-small-rust' } },
      { offer: null, problems: ['product_out_of_stock'] },
    ],
    ['that there is nothing', { path: 'nothing' }, { offer: null, problems: ['product_not_found'] }],
    [
      'that there are too few',
      { path: 'last-two', quantity: 3 },
      { offer: null, problems: ['insufficient_stock'] },
    ],
    ['that there are none', { path: 'sold-out' }, { offer: null, problems: ['product_out_of_stock'] }],
    [
      'a price that its catalog does not name',
      { path: 'dearer-than-listed', amount: 2100 },
      { offer: 3240, problems: [] },
    ],
    [
      'that nothing of it can be paid',
      { path: 'kettle', host: 'elsewhere.ucp' },
      { offer: 3240, problems: ['merchant_unsupported'] },
    ],
    [
      'that its sums cannot be relied on',
      { path: 'miscounted' },
      { offer: null, problems: ['merchant_unsupported'] },
    ],
    [
      'that a person has to go on',
      { path: 'escalates-at-create' },
      { offer: null, problems: ['merchant_unsupported'] },
    ],
    [
      'that it answers nothing that can be read',
      { path: 'garbage-at-create' },
      { offer: null, problems: ['merchant_unavailable'], left: 1 },
    ],
    [
      'that it is somebody else who answers',
      { path: 'wrongly-signed' },
      { offer: null, problems: ['merchant_unavailable'], left: 1 },
    ],
  ]
  test.each(seen)('says %s', async (_name, wanted, { offer, problems, left = 0 }) => {
    const before = await now()
    const { status, body } = await preview(wanted)
    expect(status, JSON.stringify(body)).toBe(200)
    const [merchant] = body.merchants
    expect({
      offer: merchant.offer?.total ?? null,
      problems: merchant.problems.map(({ code }: { code: string }) => code),
    }).toEqual({ offer, problems })
    const calls = await callsSince(before)
    expect(calls.filter((call) => /^(charge|order)|^complete_/.test(call))).toEqual([])
    // What cannot be read has no id by which it could be cancelled, and nobody can complete it.
    const made = calls.filter((call) => /^create_checkout (incomplete|requires)/.test(call)).length
    expect(calls.filter((call) => call === 'cancel_checkout canceled')).toHaveLength(made - left)
  })

  test('names the ways of delivery, and the checkout knows no name and no address', async () => {
    const { body } = await preview({ path: 'kettle', quantity: 2 })
    const [merchant] = body.merchants
    expect(merchant.delivery_options.length).toBeGreaterThan(1)
    expect(merchant.delivery_options.filter(({ chosen }: { chosen: boolean }) => chosen)).toMatchObject([
      { amount: merchant.offer.fulfillment },
    ])
    expect(merchant.products).toMatchObject([{ item: 0, unit_amount: 2500, currency_code: 'USD' }])
    const log = await strangers.log('ucp')
    expect(log.filter(({ email }) => email !== null)).toEqual([])
  })

  test('shows ids by which the variant is bought', async () => {
    const { body } = await preview({ path: 'teapot', quantity: 1 })
    const { id } = body.merchants[0].products[0].variants.find(
      ({ options, availability }: { options: { label: string }[]; availability: { available: boolean } }) =>
        availability.available && options.some(({ label }) => label === 'Large'),
    )
    const named = { path: 'teapot', variant: { id }, amount: 3200 }
    expect((await preview(named)).body.merchants[0]).toMatchObject({
      problems: [],
      offer: { subtotal: 3200 },
    })
    const bought = await buying.buy(buyer, [{ url: urlOf(named), amount: 3200, variant: { id } }])
    expect(await buying.ended(buyer, bought.id)).toMatchObject({ status: 'succeeded' })
  })

  test('looks once for all who ask at once, and for those who ask within ten minutes', async () => {
    const before = await now()
    const wanted = { path: 'disclosed' }
    const answers = await Promise.all(Array.from({ length: 10 }, () => preview(wanted)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    await preview(wanted)
    const made = async () => (await callsSince(before)).filter((call) => call.startsWith('create_checkout'))
    expect(await made()).toHaveLength(1)
    await advanceTestClock(buying.app.databaseUrl, 601)
    await preview(wanted)
    expect(await made()).toHaveLength(2)
  })

  test('answers without a shop that takes long, and with it once it has answered', async () => {
    const wanted = { path: 'slow-at-create' }
    const first = await preview(wanted)
    expect(first.status).toBe(202)
    expect(Number(first.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(first.body.merchants).toMatchObject([{ looking: true, offer: null, problems: [] }])
    const then = await preview(wanted)
    expect(then.status).toBe(200)
    expect(then.body.merchants).toMatchObject([{ looking: false, offer: { total: 3240 } }])
  })

  test('asks a paid API for nothing: its answer is what is bought', async () => {
    await strangers.know('mpp.shop.test')
    const before = (await strangers.log('mpp')).length
    const { status, body } = await buying.app.post(
      '/v1/purchase_intents/preview',
      intentBody(buyer, [{ url: 'https://mpp.shop.test/forecast' }], {}),
      { key: buyer.key },
    )
    expect([status, body.offer]).toEqual([200, null])
    expect(body.merchants).toMatchObject([{ channel: 'mpp', supported: true, looking: false }])
    expect(await strangers.log('mpp')).toHaveLength(before)
  })

  test('asks each of several shops, and sums up what they say', async () => {
    const items = [
      { url: urlOf({ path: 'kettle' }), amount: 2500, quantity: 3 },
      { url: urlOf({ path: 'gift-card' }), amount: 2500 },
      { url: urlOf({ path: 'kettle', host: 'tools.ucp' }), amount: 2500 },
    ]
    const { body } = await buying.app.post('/v1/purchase_intents/preview', intentBody(buyer, items, {}), {
      key: buyer.key,
    })
    const totals = body.merchants.map(({ offer }: { offer: { total: number } }) => offer.total)
    expect(totals).toEqual([Math.floor((4 * 2500 + 500) * 1.08), 3240])
    expect(body.offer.total).toBe(totals[0] + totals[1])
  })

  test('contacts nobody whom the registry does not know', async () => {
    const { body } = await buying.app.post(
      '/v1/purchase_intents/preview',
      intentBody(buyer, [{ url: 'https://unknown.shop.test/products/kettle' }], {}),
      { key: buyer.key },
    )
    expect(body.merchants).toMatchObject([{ channel: 'simulated', looking: false, products: [] }])
    expect(await buying.sql(`select 1 from looks where host = 'unknown.shop.test'`)).toEqual([])
  })
})

describe('a product of a stranger, by its URL', () => {
  test('has its variants, with ids that a purchase takes', async () => {
    const { status, body } = await product({ path: 'teapot' })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toMatchObject({
      source: 'public_ucp',
      url: urlOf({ path: 'teapot' }),
      purchasable: { purchase_intent: true },
      variants: [
        { sku: 'teapot-small-sage', availability: { available: true } },
        { sku: 'teapot-small-rust', availability: { available: false } },
        { sku: 'teapot-large-sage', price: { amount: 3200, currency: 'USD' } },
      ],
    })
    const variant = { id: body.variants[0].id }
    expect((await preview({ path: 'teapot', variant })).body.merchants[0].offer).toMatchObject({
      subtotal: 2500,
    })
  })

  test('is the same by tool', async () => {
    const rest = await product({ path: 'kettle' })
    const tool = await buying.app.mcp(
      'v1_get_catalog_product',
      { id: urlOf({ path: 'kettle' }), merchant: { domain: 'ucp.shop.test' } },
      { key: buyer.key },
    )
    expect(tool.body).toEqual(rest.body)
  })

  test('makes no checkout', async () => {
    const before = await now()
    await product({ path: 'kettle', host: 'tools.ucp' })
    expect((await callsSince(before)).filter((call) => call.includes('checkout'))).toEqual([])
  })

  test('is none where nothing is, where the shop does not say, and where nobody may look', async () => {
    expect((await product({ path: 'nothing' })).status).toBe(404)
    expect((await product({ path: 'kettle', host: 'old.ucp' })).status).toBe(404)
    expect((await product({ path: 'kettle', host: 'unknown' })).status).toBe(404)
    expect((await product({ path: 'kettle' }, null)).status).toBe(404)
    const elsewhere = { id: urlOf({ path: 'kettle' }), merchant: { domain: 'old.ucp.shop.test' } }
    expect((await buying.app.post('/v1/catalog/product', elsewhere, { key: buyer.key })).status).toBe(404)
  })
})

test('nothing that was looked at is a purchase, and every sum is as it should be', async () => {
  const bought = await buying.sql(`select id from purchase_intents where mode = 'test'`)
  expect(bought).toHaveLength(1)
  await buying.audit()
})
