import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'GB' }

test('a profile needs a name, an e-mail address and a country, and starts active', async () => {
  const created = await app.post('/v1/profiles', ada)
  expect(created.status).toBe(201)
  expect(created.headers.get('request-id')).toMatch(/^req_/)
  expect(created.body).toMatchObject({
    object: 'profile',
    mode: 'test',
    profile_type: 'consumer',
    status: 'active',
    ...ada,
  })
  expect((await app.get(`/v1/profiles/${created.body.id}`)).body).toEqual(created.body)
})

test('the first address of a type becomes its default and a date of birth is never read back', async () => {
  const address = {
    address_type: 'both',
    line1: '1 St James Square',
    city: 'London',
    postal_code: 'SW1Y 4JH',
    country: 'GB',
  }
  const { status, body } = await app.post('/v1/profiles', {
    ...ada,
    phone: '+44 20 7946 0958',
    dob: { day: 10, month: 12, year: 1915 },
    addresses: [address, { ...address, address_type: 'billing' }],
    metadata: { crm: '42' },
  })
  expect(status).toBe(201)
  expect(body.phone).toBe('+442079460958')
  expect(body.dob_provided).toBe(true)
  expect(JSON.stringify(body)).not.toContain('1915')
  expect(body.addresses.map((one: { is_default: boolean }) => one.is_default)).toEqual([true, false])
  expect(body.addresses[0].recipient_name).toBe('Ada Lovelace')
})

test('all faults of a request come back at once, none with the rejected value', async () => {
  const { status, body } = await app.post('/v1/profiles', {
    first_name: 7,
    last_name: 7,
    email: 'nobody',
    country: 'Neverland',
    extra: true,
    dob: { day: 30, month: 2, year: 2000 },
  })
  expect(status).toBe(422)
  const faults = body.detail.map((issue: { type: string; loc: unknown[] }) => [
    issue.type,
    issue.loc.join('.'),
  ])
  expect(faults).toEqual(
    expect.arrayContaining([
      ['string_type', 'body.first_name'],
      ['string_type', 'body.last_name'],
      ['value_error', 'body.email'],
      ['extra_forbidden', 'body.extra'],
    ]),
  )
  expect(JSON.stringify(body)).not.toContain('Neverland')
})

test('a card number in a name is refused and not echoed', async () => {
  const { status, body } = await app.post('/v1/profiles', { ...ada, last_name: '4242 4242 4242 4242' })
  expect(status).toBe(422)
  expect(JSON.stringify(body)).not.toContain('4242')
})

test('no credentials, a foreign kind of key and a narrow key are refused', async () => {
  const none = await app.post('/v1/profiles', ada, { key: null })
  expect([none.status, none.headers.get('www-authenticate'), none.body.detail.code]).toEqual([
    401,
    'Bearer',
    'unauthorized',
  ])
  const publishable = await app.post('/v1/profiles', ada, { key: app.account.keys.publishable_test })
  expect([publishable.status, publishable.body.detail.code]).toEqual([403, 'publishable_key_not_allowed'])
  const agent = await app.post('/v1/profiles', ada, { key: app.account.keys.agent_test })
  expect([agent.status, agent.body.detail.code]).toEqual([403, 'insufficient_scope'])
})

test('another tenant and the other mode cannot tell a foreign id from one that never existed', async () => {
  const { body } = await app.post('/v1/profiles', ada)
  for (const key of [app.stranger.keys.secret_test, app.account.keys.secret_live]) {
    const foreign = await app.get(`/v1/profiles/${body.id}`, { key })
    const unknown = await app.get('/v1/profiles/prof_01jb2w9m4ye6xs3kq8t7v5c0zd', { key })
    expect(foreign.status).toBe(404)
    expect({ ...foreign.body.detail, request_id: '' }).toEqual({ ...unknown.body.detail, request_id: '' })
  }
})

test('a replayed idempotency key answers the first reply, with another request it conflicts', async () => {
  const headers = { 'idempotency-key': 'profile-1' }
  const first = await app.post('/v1/profiles', ada, { headers })
  const second = await app.post('/v1/profiles', ada, { headers })
  expect(second.status).toBe(201)
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect(second.body).toEqual(first.body)
  const other = await app.post('/v1/profiles', { ...ada, first_name: 'Grace' }, { headers })
  expect([other.status, other.body.detail.code]).toEqual([409, 'idempotency_key_conflict'])
})

test('fifty equal requests with one key at once make one profile', async () => {
  const headers = { 'idempotency-key': 'profile-race' }
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => app.post('/v1/profiles', ada, { headers })),
  )
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]))
  expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
})
