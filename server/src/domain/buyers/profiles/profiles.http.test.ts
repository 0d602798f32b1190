import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const address = {
  address_type: 'billing',
  line1: '1 St James Square',
  city: 'London',
  postal_code: 'SW1Y 4LB',
  country: 'GB',
}

async function newProfile(fields: object = {}): Promise<{ id: string; updated_at: string }> {
  const { status, body } = await app.post('/v1/profiles', {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.com',
    country: 'GB',
    ...fields,
  })
  expect(status).toBe(201)
  return body
}

test('an update changes what it names, refuses unknown fields, and leaves the rest', async () => {
  const profile = await newProfile({ metadata: { a: '1', b: '2' } })
  const { status, body } = await app.post(`/v1/profiles/${profile.id}`, {
    first_name: 'Augusta',
    metadata: { c: '3' },
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({ first_name: 'Augusta', last_name: 'Lovelace', metadata: { c: '3' } })
  const refused = await app.post(`/v1/profiles/${profile.id}`, { status: 'active' })
  expect([refused.status, refused.body.detail[0].type]).toEqual([422, 'extra_forbidden'])
  const impossible = await app.post(`/v1/profiles/${profile.id}`, { dob: { day: 31, month: 4, year: 1990 } })
  expect([impossible.status, impossible.body.detail[0].loc]).toEqual([422, ['body', 'dob']])
})

test('an archived profile stays readable, can be archived again, and takes no change', async () => {
  const profile = await newProfile()
  const archived = await app.post(`/v1/profiles/${profile.id}/archive`)
  expect([archived.status, archived.body.status]).toEqual([200, 'archived'])
  expect((await app.post(`/v1/profiles/${profile.id}/archive`)).body).toEqual(archived.body)
  expect((await app.get(`/v1/profiles/${profile.id}`)).body.status).toBe('archived')
  for (const [path, change] of [
    ['', { first_name: 'X' }],
    ['/addresses', address],
  ] as const) {
    const refused = await app.post(`/v1/profiles/${profile.id}${path}`, change)
    expect([refused.status, refused.body.detail.code]).toEqual([409, 'profile_archived'])
  }
  const issuing = await app.post(`/v1/profiles/${profile.id}/issuing`)
  expect([issuing.status, issuing.body.detail.code]).toEqual([409, 'profile_not_active'])
})

test('a new default address takes the default from every address whose type it shares', async () => {
  const profile = await newProfile({ addresses: [address, { ...address, address_type: 'shipping' }] })
  const { status, body } = await app.post(`/v1/profiles/${profile.id}/addresses`, {
    ...address,
    address_type: 'both',
    is_default: true,
    recipient_name: 'Charles Babbage',
  })
  expect(status).toBe(201)
  expect(body.addresses.map((one: { is_default: boolean }) => one.is_default)).toEqual([false, false, true])
  expect(body.addresses[2].recipient_name).toBe('Charles Babbage')
})

test('issuing lists the missing parts, and is enabled in test mode once none is missing', async () => {
  const profile = await newProfile()
  const early = await app.post(`/v1/profiles/${profile.id}/issuing`)
  expect(early.body.issuing).toEqual({
    state: 'pending_requirements',
    requirements: ['dob', 'phone', 'billing_address'],
  })
  await app.post(`/v1/profiles/${profile.id}`, {
    phone: '+442079460958',
    dob: { day: 10, month: 12, year: 1980 },
  })
  await app.post(`/v1/profiles/${profile.id}/addresses`, address)
  const settled = await app.post(`/v1/profiles/${profile.id}/issuing`)
  expect(settled.body.issuing).toEqual({ state: 'enabled', requirements: [] })
})

test('live mode takes no request for a verification that nobody would decide', async () => {
  const as = { key: app.account.keys.secret_live }
  const whole = {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.com',
    country: 'GB',
    phone: '+442079460958',
    dob: { day: 10, month: 12, year: 1980 },
    addresses: [address],
  }
  for (const body of [whole, { ...whole, phone: null }]) {
    const { id } = (await app.post('/v1/profiles', body, as)).body
    const { status, body: refused } = await app.post(`/v1/profiles/${id}/issuing`, undefined, as)
    expect([status, refused.detail.code]).toEqual([409, 'issuing_not_available'])
    expect(refused.detail.message).toContain('operator')
    expect((await app.get(`/v1/profiles/${id}`, as)).body.issuing).toEqual({
      state: 'not_requested',
      requirements: [],
    })
  }
})

test('concurrent updates of one profile are all kept, one after another', async () => {
  const profile = await newProfile()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      app.post(`/v1/profiles/${profile.id}/addresses`, { ...address, line1: `${index} Street` }),
    ),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect((await app.get(`/v1/profiles/${profile.id}`)).body.addresses).toHaveLength(20)
})

test('the list filters, searches without wildcards of its own, pages, and is newest first', async () => {
  const { keys } = await app.newAccount()
  const mine = { key: keys.secret_test }
  for (const name of ['Anna', 'Bo_b', 'Bobb', 'Carl%']) {
    const body = {
      first_name: name,
      last_name: 'Test',
      email: `${name[0]}@example.com`,
      country: name === 'Anna' ? 'DE' : 'GB',
    }
    expect((await app.post('/v1/profiles', body, mine)).status).toBe(201)
  }
  const names = async (query: string) =>
    (await app.get(`/v1/profiles?${query}`, mine)).body.data.map(
      (one: { first_name: string }) => one.first_name,
    )
  expect(await names('')).toEqual(['Carl%', 'Bobb', 'Bo_b', 'Anna'])
  expect(await names('country=DE')).toEqual(['Anna'])
  expect(await names('q=BO_')).toEqual(['Bo_b'])
  expect(await names('q=l%25')).toEqual(['Carl%'])
  expect(await names('created_before=2000-01-01T00:00:00Z')).toEqual([])
  const page = await app.get('/v1/profiles?limit=2&offset=1&mode=live', mine)
  expect(page.body).toMatchObject({ object: 'list', total: 4, limit: 2, offset: 1, has_more: true })
  expect((await app.get('/v1/profiles?offset=9', mine)).body).toMatchObject({
    data: [],
    total: 4,
    has_more: false,
  })
})

test.each([
  ['q=', 'string_too_short'],
  ['limit=0', 'greater_than_equal'],
  ['limit=201', 'less_than_equal'],
  ['limit=ten', 'int_parsing'],
  ['offset=-1', 'greater_than_equal'],
  ['status=asleep', 'enum'],
  ['created_after=yesterday', 'value_error'],
  ['page=2', 'extra_forbidden'],
  ['q=a%00b', 'value_error'],
])('a list query with %s is refused as %s', async (query, type) => {
  const { status, body } = await app.get(`/v1/profiles?${query}`)
  expect([status, body.detail[0].type]).toEqual([422, type])
})

test.each([
  'created_after=2026-01-01T00:00:00%2B16:00',
  'created_before=2026-01-01T00:00:00-23:59',
  'created_after=0001-01-01T00:00:00Z',
  'offset=9007199254740991',
])('a list takes every moment and every offset that its format knows: %s', async (query) => {
  expect((await app.get(`/v1/profiles?${query}`)).status).toBe(200)
})

test('a NUL in a path is refused before it reaches the database', async () => {
  const { status, body } = await app.get('/v1/profiles/prof_%00')
  expect([status, body.detail[0].loc]).toEqual([422, ['path', 'profile_id']])
})

test('every operation on a profile of another account answers as if it had never existed', async () => {
  const { id } = await newProfile()
  for (const key of [app.stranger.keys.secret_test, app.account.keys.secret_live]) {
    expect((await app.get(`/v1/profiles/${id}`, { key })).status).toBe(404)
    for (const [path, body] of [
      ['', { first_name: 'X' }],
      ['/archive', undefined],
      ['/addresses', address],
      ['/issuing', undefined],
    ] as const) {
      const foreign = await app.post(`/v1/profiles/${id}${path}`, body, { key })
      const unknown = await app.post(`/v1/profiles/prof_01jb2w9m4ye6xs3kq8t7v5c0zd${path}`, body, { key })
      expect([foreign.status, foreign.body.detail.code]).toEqual([404, 'not_found'])
      expect({ ...foreign.body.detail, request_id: '' }).toEqual({ ...unknown.body.detail, request_id: '' })
    }
  }
})
