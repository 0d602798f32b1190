import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const path = '/v1/rate_cards'
const berlin = { country: 'DE', state: 'BE', city: 'Berlin', postal_code: '10117' }

/** A merchant with markets, a store, and a card of every kind. */
async function newMerchant() {
  const { keys } = await app.newAccount()
  const as = { key: keys.secret_test }
  const made = async (at: string, body: object): Promise<string> => {
    const answer = await app.post(at, body, as)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body.id
  }
  const market = await made('/v1/markets', {
    code: 'de',
    currency: 'EUR',
    default_locale: 'de',
    routing: { include: [{ country: 'DE' }] },
  })
  const store = await made('/v1/business_locations', {
    name: 'Store',
    address: { line1: 'Unter den Linden 1', city: 'Berlin', country: 'DE' },
    timezone: 'Europe/Berlin',
    latitude: 52.517,
    longitude: 13.3889,
  })
  const card = (name: string, rate: object, over: object = {}) =>
    made(path, { name, fulfillment_type: 'shipping', currency: 'EUR', status: 'active', rate, ...over })
  return {
    as,
    market,
    store,
    card,
    made,
    calculate: (body: object) => app.post(`${path}/calculate`, body, as),
  }
}

const parcelToBerlin = {
  address: { ...berlin, latitude: 52.5208, longitude: 13.4094 },
  items: [{ quantity: 2, amount: 1500, weight_grams: 700 }],
  at: '2026-11-20T12:00:00Z',
}

type NewCard = Awaited<ReturnType<typeof newMerchant>>['card']

test('the answer names the market, every option with its arrival, the cheapest and fastest, and skipped cards with the reason', async () => {
  const { card, calculate, market, store } = await newMerchant()
  const parcel = await parcelCard(card, { market, store })
  const courier = await courierCard(card, { store })
  const france = await card('France', { kind: 'free' }, { zones: [{ country: 'FR' }] })
  const dollars = await card('Dollars', { kind: 'free' }, { currency: 'USD' })
  await card('A draft', { kind: 'free' }, { status: 'draft' })
  const { status, body: answer } = await calculate(parcelToBerlin)
  expect(status, JSON.stringify(answer)).toBe(200)
  expect(answer).toEqual({
    object: 'rate_calculation',
    mode: 'test',
    market: { id: market, code: 'de', matched_by: 'country' },
    currency: 'EUR',
    order_value: 3000,
    item_count: 2,
    weight_grams: 1400,
    options: [
      {
        rate_card_id: courier,
        name: 'Courier',
        provider: null,
        fulfillment_type: 'delivery',
        amount: 900,
        currency: 'EUR',
        earliest: '2026-11-20T13:00:00.000Z',
        latest: '2026-11-20T14:00:00.000Z',
        explanation: 'The tier up to 5 covers a distance of 1.5 km.',
      },
      {
        rate_card_id: parcel,
        name: 'Parcel',
        provider: 'DHL',
        fulfillment_type: 'shipping',
        amount: 990,
        currency: 'EUR',
        earliest: '2026-11-23T12:00:00.000Z',
        latest: '2026-11-25T12:00:00.000Z',
        explanation: 'The tier without end covers a weight of 1400 g.',
      },
    ],
    selected: {
      cheapest: { rate_card_id: courier, explanation: 'It has the lowest amount.' },
      fastest: { rate_card_id: courier, explanation: 'It has the earliest arrival.' },
    },
    skipped: [
      {
        rate_card_id: france,
        name: 'France',
        code: 'zone_mismatch',
        message: 'It does not deliver to DE BE 10117 Berlin.',
      },
      {
        rate_card_id: dollars,
        name: 'Dollars',
        code: 'currency_mismatch',
        message: 'It is priced in USD, not in EUR.',
      },
    ],
  })
  expect((await calculate(parcelToBerlin)).body).toEqual(answer)
  const shipped = await calculate({ ...parcelToBerlin, fulfillment_types: ['shipping'] })
  expect(shipped.body.options.map(({ name }: { name: string }) => name)).toEqual(['Parcel'])
  const told = await calculate({ ...parcelToBerlin, distance_km: 25, fulfillment_types: ['delivery'] })
  expect(told.body.skipped[0]).toMatchObject({
    code: 'zone_mismatch',
    message: expect.stringContaining('25 km away'),
  })
})

function parcelCard(card: NewCard, { market, store }: { market: string; store: string }): Promise<string> {
  return card(
    'Parcel',
    {
      kind: 'tiered',
      basis: 'weight',
      tiers: [
        { up_to: 1000, amount: 490 },
        { up_to: null, amount: 990 },
      ],
    },
    {
      provider: 'DHL',
      market_ids: [market],
      location_ids: [store],
      timing: {
        handling: { min: 0, max: 1, unit: 'business_day' },
        transit: { min: 1, max: 2, unit: 'business_day' },
        cutoff_local_time: '14:00',
      },
    },
  )
}

function courierCard(card: NewCard, { store }: { store: string }): Promise<string> {
  return card(
    'Courier',
    {
      kind: 'tiered',
      basis: 'distance',
      tiers: [
        { up_to: 5, amount: 900 },
        { up_to: 30, amount: 1900 },
      ],
    },
    {
      fulfillment_type: 'delivery',
      location_ids: [store],
      zones: [{ country: 'DE', radius_km: 20 }],
      timing: { transit: { min: 1, max: 2, unit: 'hour' } },
    },
  )
}

test('the market decides which cards hold, and what lies in none has only cards for everywhere', async () => {
  const { card, calculate, market, made } = await newMerchant()
  const alps = await made('/v1/markets', {
    code: 'alps',
    currency: 'EUR',
    default_locale: 'de',
    routing: {
      include: [{ country: 'DE', postal_prefixes: ['82'] }],
      exclude: [{ country: 'DE', postal_prefixes: ['829'] }],
    },
  })
  await card('Germany', { kind: 'flat', amount: 500 }, { market_ids: [market] })
  await card('Alps', { kind: 'flat', amount: 900 }, { market_ids: [alps] })
  await card('Everywhere', { kind: 'flat', amount: 5000 })
  const at = async (address: object) => {
    const { body } = await calculate({ address, currency: 'EUR', items: [{ amount: 1000 }] })
    return [body.market?.code, ...body.options.map(({ name }: { name: string }) => name)]
  }
  expect(await at(berlin)).toEqual(['de', 'Germany', 'Everywhere'])
  expect(await at({ country: 'DE', postal_code: '82467' })).toEqual(['alps', 'Alps', 'Everywhere'])
  expect(await at({ country: 'DE', postal_code: '82931' })).toEqual(['de', 'Germany', 'Everywhere'])
  expect(await at({ country: 'FR' })).toEqual([undefined, 'Everywhere'])
})

test('variants bring their price, weight and fulfilment label along', async () => {
  const { card, calculate, as } = await newMerchant()
  await app.post('/v1/merchant', { name: 'Shop', currency: 'EUR' }, as)
  const variants = [
    { price: 1200, weight_grams: 300, fulfillment_label: 'fragile' },
    { price: null },
    { price: 100, currency: 'USD' },
  ]
  const item = await app.post('/v1/merchant/catalog_items', { title: 'Vase', variants }, as)
  expect(item.body.variants[0]).toMatchObject({ weight_grams: 300, fulfillment_label: 'fragile' })
  expect(item.body.variants[1]).toMatchObject({ weight_grams: null, fulfillment_label: null })
  const [vase, unpriced, dollars] = item.body.variants.map(({ id }: { id: string }) => id)
  await card('Careful', {
    kind: 'tiered',
    basis: 'label',
    tiers: [{ label: 'fragile', amount: 1500 }, { amount: 300 }],
  })
  const answer = await calculate({
    address: berlin,
    items: [
      { catalog_variant_id: vase, quantity: 3 },
      { amount: 100, weight_grams: 5 },
    ],
  })
  expect(answer.body).toMatchObject({ currency: 'EUR', order_value: 3700, weight_grams: 905, item_count: 4 })
  expect(answer.body.options[0]).toMatchObject({ amount: 1500 })
  const foreign = await app.post(
    `${path}/calculate`,
    { currency: 'EUR', items: [{ catalog_variant_id: vase }] },
    { key: app.stranger.keys.secret_test },
  )
  expect([foreign.status, foreign.body.detail.code, foreign.body.detail.param]).toEqual([
    404,
    'not_found',
    'items[0].catalog_variant_id',
  ])
  for (const id of [unpriced, dollars]) {
    const refused = await calculate({ currency: 'EUR', items: [{ amount: 1 }, { catalog_variant_id: id }] })
    expect([refused.status, refused.body.detail[0].loc]).toEqual([
      422,
      ['body', 'items', 1, 'catalog_variant_id'],
    ])
  }
})

test('items of the catalog go the way of their kind: a file beside goods neither hides the parcel nor makes it dearer', async () => {
  const { card, calculate, as } = await newMerchant()
  const variantOf = async (item_type: string, variant: object): Promise<string> => {
    const variants = [{ price: 1000, currency: 'EUR', ...variant }]
    const item = await app.post('/v1/merchant/catalog_items', { title: item_type, item_type, variants }, as)
    return item.body.variants[0].id
  }
  const book = await variantOf('product', { weight_grams: 400 })
  const ebook = await variantOf('digital', {})
  const tiers = [{ up_to: 1000, amount: 300 }]
  await card('Parcel', { kind: 'tiered', basis: 'weight', tiers })
  await card('Download', { kind: 'flat', amount: 20 }, { fulfillment_type: 'digital' })
  await card('Visit', { kind: 'flat', amount: 4000 }, { fulfillment_type: 'service' })
  const items = [{ catalog_variant_id: book, quantity: 2 }, { catalog_variant_id: ebook }]
  const { body } = await calculate({ address: berlin, items })
  const told = body.options.map(({ name, amount }: { name: string; amount: number }) => [name, amount])
  expect(told).toEqual([
    ['Download', 20],
    ['Parcel', 300],
  ])
  expect(body.skipped).toMatchObject([{ name: 'Visit', code: 'no_items' }])
  expect(body).toMatchObject({ order_value: 3000, item_count: 3, weight_grams: null })
})

test('a merchant without cards has no options, and one without any currency is asked for it', async () => {
  const { keys } = await app.newAccount()
  const calculate = (body: object) => app.post(`${path}/calculate`, body, { key: keys.secret_test })
  const nothing = await calculate({ currency: 'eur', items: [{ amount: 100 }] })
  expect(nothing.body).toMatchObject({
    market: null,
    currency: 'EUR',
    options: [],
    selected: { cheapest: null, fastest: null },
    skipped: [],
  })
  const refused: [object, (string | number)[]][] = [
    [{ items: [{ amount: 100 }] }, ['currency']],
    [{ currency: 'EUR', items: [] }, ['items']],
    [{ currency: 'EUR', items: [{ amount: 1 }], at: '9999-12-31T00:00:00Z' }, ['at']],
    [{ currency: 'EUR', items: [{ quantity: 2, amount: 1e12 }] }, ['items']],
    [
      { currency: 'EUR', items: [{ amount: 1 }], address: { country: 'DE', latitude: 1 } },
      ['address', 'longitude'],
    ],
  ]
  for (const [body, loc] of refused) {
    const answer = await calculate(body)
    expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['body', ...loc]])
  }
})
