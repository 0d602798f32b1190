import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'

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
          { label: 'heavy', amount: 990 },
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

test('an archived card stays archived, and archiving it again changes nothing', async () => {
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
  for (const query of ['limit=201', 'q=', 'market_id=', `market_id=${'m'.repeat(65)}`, 'status=gone'])
    expect((await app.get(`${path}?${query}`, as)).status).toBe(422)
})

test("another tenant's card does not exist", async () => {
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

/** A second application on limits of its own, where they are reached with a few cards. */
describe('with little room', () => {
  let small: TestApp
  beforeAll(async () => {
    small = await startTestApp({ limits: { rateCards: 3, rateCardZones: 6, rateCardEntries: 5 } })
  })
  afterAll(() => small.stop())

  const refusal = { code: 'object_limit_reached' }
  const gb = (...postal_prefixes: string[]) => ({ country: 'GB', postal_prefixes })

  async function newSeller() {
    const as = { key: (await small.newAccount()).keys.secret_test }
    const create = (over: object = {}) => small.post(path, { ...parcel, status: 'active', ...over }, as)
    return {
      create,
      change: (id: string, over: object) => small.post(`${path}/${id}`, over, as),
      async newCard(over: object = {}): Promise<string> {
        const { status, body } = await create(over)
        expect(status, JSON.stringify(body)).toBe(201)
        return body.id
      },
    }
  }

  test('there is a maximum of active cards, also for requests at once, and an archived card makes room', async () => {
    const { newCard, change, create } = await newSeller()
    await Promise.all([newCard(), newCard()])
    const drafts = await Promise.all(Array.from({ length: 4 }, () => newCard({ status: 'draft' })))
    const answers = await Promise.all(drafts.map((id) => change(id, { status: 'active' })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
    const refused = await create()
    expect([refused.status, refused.body.detail]).toMatchObject([409, refusal])
    const active = drafts[answers.findIndex(({ status }) => status === 200)] ?? ''
    expect((await change(active, { status: 'inactive' })).status).toBe(200)
    expect((await create()).status).toBe(201)
  })

  test('zones are counted over all active cards, by their postal prefixes: at create, at a change and when a card becomes active', async () => {
    const { newCard, change, create } = await newSeller()
    const first = await newCard({ zones: [gb('A', 'B', 'C'), { country: 'US' }] })
    const over = [
      await create({ zones: [gb('D', 'E', 'F')] }),
      await change(first, { zones: [gb('A', 'B', 'C', 'D', 'E', 'F', 'G')] }),
      await change(await newCard({ zones: [gb('D', 'E', 'F')], status: 'draft' }), { status: 'active' }),
    ]
    for (const { status, body } of over)
      expect([status, body.detail]).toMatchObject([409, { ...refusal, param: 'zones' }])
    expect((await create({ zones: [gb('D', 'E')] })).status).toBe(201)
    expect((await change(first, { zones: [gb('A', 'B', 'C', 'D')] })).status).toBe(200)
  })

  test('tiers, labels, markets and locations are counted over all active cards', async () => {
    const { newCard, create } = await newSeller()
    const tiers = [{ up_to: 1, amount: 1 }, { amount: 2 }]
    const tiered = { kind: 'tiered', basis: 'weight', tiers }
    await newCard({ rate: { kind: 'free_above', threshold_amount: 9, otherwise: tiered }, labels: ['dry'] })
    const refused = await create({ rate: tiered, labels: ['dry'] })
    expect([refused.status, refused.body.detail]).toMatchObject([409, { ...refusal, param: 'rate' }])
    expect((await create({ rate: tiered })).status).toBe(201)
  })

  test('a rate card that is already over a limit is read as it is, and can only be made smaller', async () => {
    const { newCard, change, create } = await newSeller()
    const id = await newCard({ zones: [gb('A')] })
    const many = Array.from({ length: 20 }, (_, index) => `A${index}`)
    await small.sql('update rate_cards set zones = $1 where id = $2', [JSON.stringify([gb(...many)]), id])
    expect((await change(id, { name: 'Renamed' })).body.zones).toEqual([gb(...many)])
    expect((await change(id, { zones: [gb(...many, 'B')] })).status).toBe(409)
    expect((await change(id, { zones: [gb(...many.slice(1))] })).status).toBe(200)
    expect((await create({ zones: [gb('Z')] })).status).toBe(409)
    expect((await change(id, { status: 'inactive' })).status).toBe(200)
    expect((await change(id, { status: 'active' })).status).toBe(409)
  })
})
