import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const path = '/v1/rate_cards'
const parcel = {
  name: 'Parcel',
  fulfillment_type: 'shipping',
  currency: 'EUR',
  rate: { kind: 'flat', amount: 490 },
}

async function newMerchant() {
  const { keys } = await app.newAccount()
  const as = { key: keys.secret_test }
  const made = async (at: string, body: object): Promise<string> => {
    const answer = await app.post(at, body, as)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body.id
  }
  return {
    as,
    create: (over: object = {}) => app.post(path, { ...parcel, ...over }, as),
    newCard: (over: object = {}) => made(path, { ...parcel, ...over }),
    change: (id: string, over: object) => app.post(`${path}/${id}`, over, as),
    newMarket: (code: string, routing: object = {}) =>
      made('/v1/markets', { code, currency: 'EUR', default_locale: 'de', routing }),
    newLocation: (over: object = {}) =>
      made('/v1/business_locations', {
        name: 'Store',
        address: { line1: 'Unter den Linden 1', city: 'Berlin', country: 'DE' },
        timezone: 'Europe/Berlin',
        ...over,
      }),
  }
}

test('a card is a draft unless it is created active, and reads as it was answered', async () => {
  const merchant = await newMerchant()
  const market_ids = [await merchant.newMarket('de')]
  const location_ids = [await merchant.newLocation()]
  const full = {
    provider: 'DHL',
    currency: 'eur',
    market_ids,
    location_ids,
    timing: {
      handling: { min: 0, max: 1, unit: 'business_day' },
      transit: { min: 1, max: 3, unit: 'day' },
      cutoff_local_time: '14:00',
    },
    rate: {
      kind: 'free_above',
      threshold_amount: 5000,
      otherwise: {
        kind: 'tiered',
        basis: 'weight',
        tiers: [
          { up_to: 1000, amount: 490 },
          { up_to: null, label: 'heavy', amount: 990 },
        ],
      },
    },
    zones: [{ country: 'DE', subdivision: 'BE', city: 'Berlin', postal_prefixes: ['10'], radius_km: 12.5 }],
    labels: ['dry'],
    metadata: { contract: '7' },
  }
  const headers = { 'idempotency-key': 'card-1' }
  const created = await app.post(path, { ...parcel, ...full }, { ...merchant.as, headers })
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  expect(created.body).toMatchObject({ object: 'rate_card', status: 'draft', ...full, currency: 'EUR' })
  const again = await app.post(path, { ...parcel, ...full }, { ...merchant.as, headers })
  expect(again.body).toEqual(created.body)
  expect((await app.get(`${path}/${created.body.id}`, merchant.as)).body).toEqual(created.body)
  expect((await app.get(path, merchant.as)).body.data).toEqual([created.body])
  expect((await merchant.create({ status: 'active' })).body).toMatchObject({
    status: 'active',
    timing: {},
    provider: null,
    market_ids: [],
  })
})

const steps = (...tiers: object[]) => ({ rate: { kind: 'tiered', basis: 'weight', tiers } })
const named = (...tiers: object[]) => ({ rate: { kind: 'tiered', basis: 'label', tiers } })
const refused: [string, object, (string | number)[]][] = [
  ['a rate of another kind', { rate: { kind: 'auction' } }, ['rate', 'kind']],
  ['a negative amount', { rate: { kind: 'flat', amount: -1 } }, ['rate', 'amount']],
  ['an amount above the largest', { rate: { kind: 'flat', amount: 1e12 + 1 } }, ['rate', 'amount']],
  ['no tiers', steps(), ['rate', 'tiers']],
  [
    'tiers that do not ascend',
    steps({ up_to: 5, amount: 1 }, { up_to: 5, amount: 2 }),
    ['rate', 'tiers', 1, 'up_to'],
  ],
  [
    'an open tier before the last',
    steps({ amount: 1 }, { up_to: 5, amount: 2 }),
    ['rate', 'tiers', 0, 'up_to'],
  ],
  ['a broken weight', steps({ up_to: 1.5, amount: 1 }), ['rate', 'tiers', 0, 'up_to']],
  [
    'a label twice',
    named({ label: 'a', amount: 1 }, { label: 'A', amount: 2 }),
    ['rate', 'tiers', 1, 'label'],
  ],
  [
    'a tier by label without one',
    named({ amount: 1 }, { label: 'a', amount: 2 }),
    ['rate', 'tiers', 0, 'label'],
  ],
  ['a tier by label with an end', named({ label: 'a', up_to: 3, amount: 1 }), ['rate', 'tiers', 0, 'up_to']],
  [
    'free above inside of free above',
    {
      rate: {
        kind: 'free_above',
        threshold_amount: 9,
        otherwise: { kind: 'free_above', threshold_amount: 8, otherwise: { kind: 'free' } },
      },
    },
    ['rate', 'otherwise', 'kind'],
  ],
  [
    'tiers inside of free above that do not ascend',
    {
      rate: {
        kind: 'free_above',
        threshold_amount: 9,
        otherwise: steps({ up_to: 2, amount: 1 }, { up_to: 1, amount: 1 }).rate,
      },
    },
    ['rate', 'otherwise', 'tiers', 1, 'up_to'],
  ],
  [
    'a span that ends before it begins',
    { timing: { transit: { min: 3, max: 1, unit: 'day' } } },
    ['timing', 'transit', 'max'],
  ],
  ['a cutoff that is no time', { timing: { cutoff_local_time: '24:00' } }, ['timing', 'cutoff_local_time']],
  ['a zone without a country', { zones: [{ city: 'Berlin' }] }, ['zones', 0, 'country']],
  ['a card that is archived at once', { status: 'archived' }, ['status']],
]

test.each(refused)('%s is refused, when created and when changed', async (_, over, loc) => {
  const { create, change, newCard } = await newMerchant()
  const id = await newCard()
  for (const { status, body } of [await create(over), await change(id, over)])
    expect([status, body.detail[0].loc]).toEqual([422, ['body', ...loc]])
})

test('everything in which a card contradicts itself is named at once', async () => {
  const { create } = await newMerchant()
  const backwards = { min: 3, max: 1, unit: 'day' }
  const { status, body } = await create({
    ...steps({ amount: 1 }, { up_to: 2, amount: 1 }, { up_to: 1.5, amount: 1 }),
    timing: { handling: backwards, transit: backwards },
  })
  expect([status, body.detail.map(({ loc }: { loc: unknown }) => loc)]).toEqual([
    422,
    [
      ['body', 'rate', 'tiers', 0, 'up_to'],
      ['body', 'rate', 'tiers', 2, 'up_to'],
      ['body', 'timing', 'handling', 'max'],
      ['body', 'timing', 'transit', 'max'],
    ],
  ])
})

test('markets and locations must be there, be the tenant’s own, and not be archived', async () => {
  const merchant = await newMerchant()
  const other = await newMerchant()
  const id = await merchant.newCard()
  const foreign = { market_ids: [await other.newMarket('de')], location_ids: [await other.newLocation()] }
  const own = { market_ids: [await merchant.newMarket('de')], location_ids: [await merchant.newLocation()] }
  await app.post(`/v1/markets/${own.market_ids[0]}/archive`, undefined, merchant.as)
  await app.post(`/v1/business_locations/${own.location_ids[0]}/archive`, undefined, merchant.as)
  for (const name of ['market_ids', 'location_ids'] as const) {
    const gone = name === 'market_ids' ? 'market_archived' : 'location_archived'
    for (const [value, code] of [
      [foreign[name], 'not_found'],
      [['unknown'], 'not_found'],
      [own[name], gone],
    ] as const) {
      for (const answer of [
        await merchant.create({ [name]: value }),
        await merchant.change(id, { [name]: value }),
      ])
        expect([answer.body.detail.code, answer.body.detail.param]).toEqual([code, name])
    }
  }
})

test('an archived card is for good, and archiving it again changes nothing', async () => {
  const { newCard, change, as } = await newMerchant()
  const id = await newCard({ status: 'active' })
  const archived = await app.post(`${path}/${id}/archive`, undefined, as)
  expect(archived.body).toMatchObject({ status: 'archived', archived_at: expect.any(String) })
  expect((await app.post(`${path}/${id}/archive`, undefined, as)).body).toEqual(archived.body)
  const changed = await change(id, { status: 'active' })
  expect([changed.status, changed.body.detail.code]).toEqual([409, 'rate_card_archived'])
})

test('lists are narrowed by type, market, state and text', async () => {
  const { newCard, newMarket, as } = await newMerchant()
  const market = await newMarket('de')
  const first = await newCard({ name: 'Slow boat', provider: 'Maersk', market_ids: [market] })
  const second = await newCard({ fulfillment_type: 'pickup', status: 'active' })
  const listed = async (query: string) =>
    (await app.get(`${path}?${query}`, as)).body.data.map(({ id }: { id: string }) => id)
  expect(await listed('')).toEqual([second, first])
  expect(await listed('fulfillment_type=pickup')).toEqual([second])
  expect(await listed(`market_id=${market}`)).toEqual([first])
  expect(await listed('market_id=mkt_unknown')).toEqual([])
  expect(await listed('status=draft')).toEqual([first])
  expect(await listed('q=BOAT')).toEqual([first])
  expect(await listed('q=maersk')).toEqual([first])
  expect(await listed(`q=${first}`)).toEqual([first])
  expect(await listed('limit=1&offset=1')).toEqual([first])
  for (const query of ['limit=201', 'q=', `market_id=${'m'.repeat(65)}`, 'status=gone'])
    expect((await app.get(`${path}?${query}`, as)).status).toBe(422)
})

test("another tenant's card is none", async () => {
  const { newCard } = await newMerchant()
  const id = await newCard()
  for (const as of [{ key: app.account.keys.secret_live }, { key: app.stranger.keys.secret_test }]) {
    const answers = [
      await app.get(`${path}/${id}`, as),
      await app.post(`${path}/${id}`, { name: 'Mine' }, as),
      await app.post(`${path}/${id}/archive`, undefined, as),
    ]
    for (const { status, body } of answers)
      expect([status, body.detail.code, body.detail.param]).toEqual([404, 'not_found', 'rate_card_id'])
  }
})

test('a thousand cards are active at most, and not one more at once', async () => {
  const { newCard, change, create, as } = await newMerchant()
  const first = await newCard({ status: 'active' })
  await app.parts.pools.single({
    name: '',
    text: `insert into rate_cards (account_id, mode, id, name, fulfillment_type, currency, market_ids, timing, rate, zones, labels,
        location_ids, status, metadata, seq, created_at, updated_at)
      select account_id, mode, substr(id, 1, 26) || lpad(i::text, 3, '0'), name, fulfillment_type, currency, market_ids, timing, rate, zones,
        labels, location_ids, status, metadata, seq, created_at, updated_at from rate_cards, generate_series(1, 998) as i where id = $1`,
    values: [first],
  })
  const drafts = await Promise.all(Array.from({ length: 4 }, () => newCard()))
  const answers = await Promise.all(drafts.map((id) => change(id, { status: 'active' })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
  const refusal = await create({ status: 'active' })
  expect([refusal.status, refusal.body.detail.code]).toEqual([409, 'object_limit_reached'])
  await app.post(`${path}/${first}/archive`, undefined, as)
  expect((await create({ status: 'active' })).status).toBe(201)
})
