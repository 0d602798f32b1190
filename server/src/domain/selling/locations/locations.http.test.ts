import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const path = '/v1/business_locations'
const store = {
  name: 'Berlin store',
  address: { line1: 'Unter den Linden 1', city: 'Berlin', country: 'DE' },
  timezone: 'Europe/Berlin',
}

async function newLocation(over: object = {}): Promise<string> {
  const { status, body } = await app.post(path, { ...store, ...over })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id
}

test('a location is private and active at first, and reads as it was answered', async () => {
  const headers = { 'idempotency-key': 'location-1' }
  const created = await app.post(path, store, { headers })
  expect(created.status).toBe(201)
  expect(created.body).toMatchObject({
    object: 'business_location',
    mode: 'test',
    status: 'active',
    name: 'Berlin store',
    address: { ...store.address, line2: null, state: null, postal_code: null },
    timezone: 'Europe/Berlin',
    visibility: 'private',
    hours: [],
    latitude: null,
    longitude: null,
    source: null,
    metadata: {},
  })
  expect((await app.post(path, store, { headers })).body).toEqual(created.body)
  expect((await app.get(`${path}/${created.body.id}`)).body).toEqual(created.body)
  expect((await app.get(path)).body.data[0]).toEqual(created.body)
})

test('a change replaces what it names and keeps the rest', async () => {
  const id = await newLocation({ metadata: { floor: '2' } })
  const hours = [
    { weekday: 'monday', opens: '09:00', closes: '13:00' },
    { weekday: 'monday', opens: '14:00', closes: '24:00' },
  ]
  const { status, body } = await app.post(`${path}/${id}`, {
    hours,
    latitude: 52.517,
    longitude: 13.3889,
    visibility: 'public',
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    hours,
    latitude: 52.517,
    longitude: 13.3889,
    visibility: 'public',
    name: 'Berlin store',
    metadata: { floor: '2' },
  })
})

test('each change is one event with the next sequence, and a change of nothing is none', async () => {
  const id = await newLocation()
  const { body: renamed } = await app.post(`${path}/${id}`, { name: 'Store of Berlin' })
  expect((await app.post(`${path}/${id}`, {})).body).toEqual(renamed)
  const { body: archived } = await app.post(`${path}/${id}/archive`)
  expect((await app.post(`${path}/${id}/archive`)).body).toEqual(archived)
  const events = await app.sql<{ type: string; sequence: number; object: string }>(
    'select type, sequence, object from events where aggregate_id = $1 order by sequence',
    [id],
  )
  expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
    ['business_location.created', 1],
    ['business_location.updated', 2],
    ['business_location.archived', 3],
  ])
  expect(events.slice(1).map(({ object }) => JSON.parse(object))).toEqual([renamed, archived])
})

test('a time zone in any case is kept as its database spells it, and a link stays a link', async () => {
  const { body: made } = await app.post('/v1/business_locations', { ...store, timezone: 'america/chicago' })
  expect(made.timezone).toBe('America/Chicago')
  const path = `/v1/business_locations/${made.id}`
  const { body: changed } = await app.post(path, { timezone: 'ASIA/calcutta' })
  expect(changed.timezone).toBe('Asia/Calcutta')
  expect((await app.post(path, { timezone: 'IST' })).status).toBe(422)
})

const refused: [string, object, (string | number)[]][] = [
  ['a country that is none', { address: { ...store.address, country: 'XX' } }, ['address', 'country']],
  ['an offset instead of a time zone', { timezone: '+02:00' }, ['timezone']],
  ['an abbreviation instead of a time zone', { timezone: 'CST' }, ['timezone']],
  ['half a point', { latitude: 52.5 }, ['longitude']],
  ['a point beyond the pole', { latitude: 91, longitude: 0 }, ['latitude']],
  [
    'hours that close before they open',
    { hours: [{ weekday: 'monday', opens: '18:00', closes: '02:00' }] },
    ['hours', 0, 'closes'],
  ],
  [
    'hours that overlap',
    {
      hours: [
        { weekday: 'friday', opens: '09:00', closes: '13:00' },
        { weekday: 'friday', opens: '12:00', closes: '18:00' },
      ],
    },
    ['hours', 1],
  ],
]

test.each(refused)('%s is refused, when created and when changed', async (_, over, loc) => {
  const id = await newLocation()
  for (const answer of [await app.post(path, { ...store, ...over }), await app.post(`${path}/${id}`, over)]) {
    expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['body', ...loc]])
  }
})

test('everything in which a location contradicts itself is named at once', async () => {
  const closed = { opens: '18:00', closes: '02:00' }
  const hours = [
    { weekday: 'monday', ...closed },
    { weekday: 'friday', ...closed },
  ]
  const { status, body } = await app.post(path, { ...store, latitude: 52.5, hours })
  expect([status, body.detail.map(({ loc }: { loc: unknown }) => loc)]).toEqual([
    422,
    [
      ['body', 'hours', 0, 'closes'],
      ['body', 'hours', 1, 'closes'],
      ['body', 'longitude'],
    ],
  ])
})

test('only its provider changes a location, until the provider is disconnected', async () => {
  const id = await newLocation({ source: { provider: 'maps', fields: ['name', 'hours'] } })
  const change = (body: object) => app.post(`${path}/${id}`, body)
  const refusal = await change({ name: 'Mine', visibility: 'public' })
  expect([refusal.status, refusal.body.detail.code, refusal.body.detail.param]).toEqual([
    409,
    'field_owned_by_provider',
    'name',
  ])
  expect((await change({ source: null, name: 'Mine' })).status).toBe(409)
  expect((await change({ source: { provider: 'other', fields: [] }, name: 'Mine' })).status).toBe(409)
  expect((await change({ visibility: 'public' })).body).toMatchObject({ name: 'Berlin store' })
  const synced = await change({ source: { provider: 'maps', fields: ['hours'] }, name: 'From the map' })
  expect(synced.body).toMatchObject({
    name: 'From the map',
    source: { provider: 'maps', fields: ['hours'] },
  })
  expect((await change({ source: null })).body.source).toBeNull()
  expect((await change({ hours: [] })).status).toBe(200)
})

test('an archived location stays readable and is changed no more', async () => {
  const id = await newLocation()
  const archived = await app.post(`${path}/${id}/archive`)
  expect(archived.body).toMatchObject({ status: 'archived', archived_at: expect.any(String) })
  expect((await app.post(`${path}/${id}/archive`)).body).toEqual(archived.body)
  expect((await app.get(`${path}/${id}`)).body).toEqual(archived.body)
  const changed = await app.post(`${path}/${id}`, { name: 'Again' })
  expect([changed.status, changed.body.detail.code]).toEqual([409, 'location_archived'])
})

test("another tenant's location does not exist", async () => {
  const id = await newLocation()
  const live = { key: app.account.keys.secret_live }
  const stranger = { key: app.stranger.keys.secret_test }
  for (const as of [live, stranger]) {
    const answers = [
      await app.get(`${path}/${id}`, as),
      await app.post(`${path}/${id}`, { name: 'Mine' }, as),
      await app.post(`${path}/${id}/archive`, undefined, as),
    ]
    for (const { status, body } of answers)
      expect([status, body.detail.code, body.detail.param]).toEqual([404, 'not_found', 'location_id'])
    expect((await app.get(path, as)).body.data).toEqual([])
  }
})

test('an account holds a thousand locations, archived ones not counted, and not one more at once', async () => {
  const account = await app.newAccount()
  const key = account.keys.secret_test
  const { body: first } = await app.post(path, store, { key })
  await app.parts.pools.single({
    name: '',
    text: `insert into business_locations (account_id, mode, id, name, address, timezone, visibility, hours, source_fields, status, metadata,
        seq, created_at, updated_at)
      select account_id, mode, split_part(id, '_', 1) || '_' || lpad(i::text, 26, '0'), name, address, timezone, visibility, hours, source_fields, status, metadata, seq, created_at,
        updated_at from business_locations, generate_series(1, 998) as i where id = $1`,
    values: [first.id],
  })
  const answers = await Promise.all(Array.from({ length: 5 }, () => app.post(path, store, { key })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409])
  const refusal = answers.find(({ status }) => status === 409)
  expect(refusal?.body.detail.code).toBe('object_limit_reached')
  await app.post(`${path}/${first.id}/archive`, undefined, { key })
  expect((await app.post(path, store, { key })).status).toBe(201)
  const { body: page } = await app.get(`${path}?limit=1`, { key })
  expect([page.data.length, page.total, page.has_more]).toEqual([1, 1001, true])
})
