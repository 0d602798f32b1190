import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const path = '/v1/markets'
const euro = { code: 'eu', currency: 'EUR', default_locale: 'en' }

/** A merchant of its own, so that markets do not stand in each other's way. */
async function newMerchant() {
  const { keys } = await app.newAccount()
  const as = { key: keys.secret_test }
  return {
    as,
    create: (over: object) => app.post(path, { ...euro, ...over }, as),
    change: (id: string, over: object) => app.post(`${path}/${id}`, over, as),
  }
}

const germany = { include: [{ country: 'DE' }] }

test('a market reads as it was answered, with the members that were left out filled in', async () => {
  const headers = { 'idempotency-key': 'market-1' }
  const body = {
    code: 'de_b2c',
    currency: 'eur',
    default_locale: 'de-de',
    locales: ['de-DE', 'en'],
    routing: { include: [{ country: 'DE', subdivisions: ['DE-by', 'BY'], postal_prefixes: ['8 0'] }] },
  }
  const created = await app.post(path, body, { headers })
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  expect(created.body).toMatchObject({
    object: 'market',
    status: 'active',
    code: 'de_b2c',
    name: 'de_b2c',
    currency: 'EUR',
    default_locale: 'de-DE',
    locales: ['de-DE', 'en'],
    routing: {
      include: [{ country: 'DE', subdivisions: ['BY'], postal_prefixes: ['80'] }],
      exclude: [],
      priority: 0,
      is_fallback: false,
    },
  })
  expect((await app.post(path, body, { headers })).body).toEqual(created.body)
  expect((await app.get(`${path}/${created.body.id}`)).body).toEqual(created.body)
  expect((await app.get(path)).body.data[0]).toEqual(created.body)
  const changed = await app.post(`${path}/${created.body.id}`, { name: 'Bavaria', currency: 'CHF' })
  expect(changed.body).toMatchObject({
    name: 'Bavaria',
    currency: 'CHF',
    routing: created.body.routing,
    locales: ['de-DE', 'en'],
  })
})

const refused: [string, object, (string | number)[]][] = [
  ['a currency that is none', { currency: 'EUX' }, ['currency']],
  ['a locale that is none', { default_locale: 'not a locale' }, ['default_locale']],
  ['a default locale that is not among the locales', { locales: ['fr'] }, ['default_locale']],
  ['a code with blanks', { code: 'the north' }, ['code']],
  [
    'a country that is none',
    { routing: { include: [{ country: 'XX' }] } },
    ['routing', 'include', 0, 'country'],
  ],
  ['an unknown field of routing', { routing: { weight: 1 } }, ['routing', 'weight']],
]

test.each(refused)('%s is refused', async (_, over, loc) => {
  const { create } = await newMerchant()
  const { status, body } = await create(over)
  expect([status, body.detail[0].loc]).toEqual([422, ['body', ...loc]])
})

test('more regions than can be told apart are refused', async () => {
  const { create } = await newMerchant()
  const subdivisions = Array.from({ length: 100 }, (_, index) => `S${index}`)
  const postal_prefixes = Array.from({ length: 51 }, (_, index) => `${index}`)
  const { status, body } = await create({
    routing: { include: [{ country: 'DE', subdivisions, postal_prefixes }] },
  })
  expect([status, body.detail[0].loc]).toEqual([422, ['body', 'routing', 'include']])
})

test('a code is unique in any case, and free again once its market is archived', async () => {
  const { create, change, as } = await newMerchant()
  const { body: first } = await create({})
  const second = await create({ code: 'EU' })
  expect([second.status, second.body.detail.code]).toEqual([409, 'code_in_use'])
  const { body: other } = await create({ code: 'us' })
  const renamed = await change(other.id, { code: 'eu' })
  expect([renamed.status, renamed.body.detail.code]).toEqual([409, 'code_in_use'])
  await app.post(`${path}/${first.id}/archive`, undefined, as)
  expect((await change(other.id, { code: 'eu' })).body.code).toBe('eu')
})

test('markets overlap where they include the same region at the same priority, and the refusal names the other', async () => {
  const { create, change } = await newMerchant()
  const { body: first } = await create({ routing: germany })
  const second = await create({ code: 'de', routing: germany })
  expect([second.status, second.body.detail.code, second.body.detail.param]).toEqual([
    409,
    'market_overlap',
    'routing.include',
  ])
  expect(second.body.detail.message).toContain('Market eu also includes DE')
  expect((await create({ code: 'de-2', routing: { ...germany, priority: 1 } })).status).toBe(201)
  const bavaria = { include: [{ country: 'DE', subdivisions: ['BY'] }] }
  expect((await create({ code: 'by', routing: bavaria })).status).toBe(201)
  const { body: austria } = await create({ code: 'at', routing: { include: [{ country: 'AT' }] } })
  const moved = await change(austria.id, { routing: germany })
  expect(moved.body.detail).toMatchObject({ code: 'market_overlap' })
  // A market may be written again as it stands.
  expect((await change(first.id, { routing: germany })).status).toBe(200)
})

test('a region that a market excludes is free for another', async () => {
  const { create } = await newMerchant()
  const mainland = {
    include: [{ country: 'DE', postal_prefixes: ['1', '2'] }],
    exclude: [{ country: 'DE', postal_prefixes: ['2'] }],
  }
  await create({ routing: mainland })
  const north = { include: [{ country: 'DE', postal_prefixes: ['2'] }] }
  expect((await create({ code: 'north', routing: north })).status).toBe(201)
})

test('archiving a market frees its regions, and an archived one is changed no more', async () => {
  const { create, change, as } = await newMerchant()
  const { body: first } = await create({ routing: { ...germany, is_fallback: true } })
  const archived = await app.post(`${path}/${first.id}/archive`, undefined, as)
  expect(archived.body).toMatchObject({ status: 'archived', archived_at: expect.any(String) })
  expect((await app.post(`${path}/${first.id}/archive`, undefined, as)).body).toEqual(archived.body)
  expect((await create({ routing: { ...germany, is_fallback: true } })).status).toBe(201)
  const changed = await change(first.id, { name: 'Again' })
  expect([changed.status, changed.body.detail.code]).toEqual([409, 'market_archived'])
})

test('there is one fallback at most', async () => {
  const { create, change } = await newMerchant()
  await create({ code: 'rest', routing: { is_fallback: true } })
  const second = await create({ code: 'other', routing: { is_fallback: true } })
  expect(second.body.detail).toMatchObject({ code: 'market_overlap', param: 'routing.is_fallback' })
  expect(second.body.detail.message).toContain('Market rest is already the fallback')
  const { body: plain } = await create({ code: 'plain' })
  expect((await change(plain.id, { routing: { is_fallback: true } })).status).toBe(409)
})

test('of twenty overlapping markets created at once, one is there', async () => {
  const { create, as } = await newMerchant()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => create({ code: `m${index}`, routing: germany })),
  )
  const told = answers.map(({ status, body }) => (status === 201 ? 201 : body.detail.code))
  expect(told.toSorted()).toEqual([201, ...Array<string>(19).fill('market_overlap')])
  expect((await app.get(path, as)).body.total).toBe(1)
})

test('when two markets are moved onto one region at once, one gets it', async () => {
  const { create, change } = await newMerchant()
  const ids = await Promise.all(
    Array.from({ length: 6 }, async (_, index) => (await create({ code: `m${index}` })).body.id),
  )
  const answers = await Promise.all(ids.map((id) => change(id, { routing: germany })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
})

test("another tenant's market does not exist", async () => {
  const { create } = await newMerchant()
  const { body: market } = await create({})
  for (const as of [{ key: app.account.keys.secret_live }, { key: app.stranger.keys.secret_test }]) {
    const answers = [
      await app.get(`${path}/${market.id}`, as),
      await app.post(`${path}/${market.id}`, { name: 'Mine' }, as),
      await app.post(`${path}/${market.id}/archive`, undefined, as),
    ]
    for (const { status, body } of answers)
      expect([status, body.detail.code, body.detail.param]).toEqual([404, 'not_found', 'market_id'])
  }
})

test('an account holds a thousand markets, archived ones not counted', async () => {
  const { create, as } = await newMerchant()
  const { body: first } = await create({})
  await app.parts.pools.single({
    name: '',
    text: `insert into markets (account_id, mode, id, code, name, currency, default_locale, locales, include, exclude, priority, is_fallback,
        status, metadata, seq, created_at, updated_at)
      select account_id, mode, split_part(id, '_', 1) || '_' || lpad(i::text, 26, '0'), code || i, name, currency, default_locale, locales, include, exclude, priority, is_fallback, status,
        metadata, seq, created_at, updated_at from markets, generate_series(1, 999) as i where id = $1`,
    values: [first.id],
  })
  const refusal = await create({ code: 'one-more' })
  expect([refusal.status, refusal.body.detail.code]).toEqual([409, 'object_limit_reached'])
  const { body: page } = await app.get(path, as)
  expect([page.data.length, page.total, page.limit, page.has_more]).toEqual([1000, 1000, 1000, false])
  await app.post(`${path}/${first.id}/archive`, undefined, as)
  expect((await create({ code: 'one-more' })).status).toBe(201)
})

test('all markets together have a maximum of regions, and markets beyond it can only be made smaller', async () => {
  const small = await startTestApp({ limits: { marketRegions: 8 } })
  try {
    const as = { key: (await small.newAccount()).keys.secret_test }
    const create = (over: object) => small.post(path, { ...euro, ...over }, as)
    const change = (id: string, include: object[]) =>
      small.post(`${path}/${id}`, { routing: { include } }, as)
    const de = (...postal_prefixes: string[]) => ({ country: 'DE', postal_prefixes })
    const { body: first } = await create({
      code: 'one',
      routing: { include: [de('1', '2')], exclude: [{ country: 'DE', subdivisions: ['BE'] }] },
    })
    const beyond = [
      await create({ code: 'two', routing: { include: [de('3', '4', '5')] } }),
      await change(first.id, [de('1', '2', '3', '4', '5', '6', '7', '8')]),
    ]
    for (const { status, body } of beyond)
      expect([status, body.detail]).toMatchObject([409, { code: 'object_limit_reached', param: 'routing' }])
    expect((await create({ code: 'two', routing: { include: [de('3', '4')] } })).status).toBe(201)
    const many = ['1', '2', '11', '12', '13', '14', '15', '16', '17']
    await small.sql('update markets set include = $1 where id = $2', [
      JSON.stringify([{ country: 'DE', subdivisions: [], postal_prefixes: many }]),
      first.id,
    ])
    expect((await change(first.id, [de(...many, '18', '19', '20')])).status).toBe(409)
    expect((await change(first.id, [de(...many.slice(1))])).status).toBe(200)
  } finally {
    await small.stop()
  }
})
