import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const path = '/v1/onboarding_links'
const onboarding = { use_case: { type: 'account_onboarding' } }
const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'GB' }

test('only the reply to create shows the link; reads, lists and replays do not, and the token stands nowhere', async () => {
  const headers = { 'idempotency-key': 'link-1' }
  const created = await app.post(path, { ...onboarding, metadata: { crm: '7' } }, { headers })
  expect(created.status).toBe(201)
  const { url, ...rest } = created.body
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1\/onboarding\/onb_[0-9A-Za-z]{33}$/)
  expect(rest).toMatchObject({
    object: 'onboarding_link',
    mode: 'test',
    status: 'pending',
    ...onboarding,
    profile: { id: expect.stringMatching(/^prof_/) },
    opened_at: null,
    completed_at: null,
    revoked_at: null,
    metadata: { crm: '7' },
  })
  expect(Date.parse(rest.expires_at) - Date.parse(rest.created_at)).toBe(24 * 3_600_000)
  const again = await app.post(path, { ...onboarding, metadata: { crm: '7' } }, { headers })
  const read = await app.get(`${path}/${rest.id}`)
  const list = await app.get(`${path}?status=pending&profile_id=${rest.profile.id}`)
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
  expect([again.body, read.body, list.body.data]).toEqual([rest, rest, [rest]])
  expect((await app.get(`/v1/profiles/${rest.profile.id}`)).status).toBe(404)
  const token = url.split('/').at(-1)
  const stored = await app.parts.pools.read<{ text: string }>({
    name: '',
    text: `select (select string_agg(o::text, '') from onboarding_links o) || (select string_agg(e::text, '') from events e) ||
      (select string_agg(i::text, '') from idempotency_keys i) as text`,
    values: [],
  })
  expect(stored[0]?.text.length).toBeGreaterThan(1000)
  expect(stored[0]?.text).not.toContain(token)
})

test('account_update names a profile of the caller that is not archived; account_onboarding names none', async () => {
  const profile = (await app.post('/v1/profiles', ada)).body
  const update = { use_case: { type: 'account_update' }, profile: { id: profile.id } }
  expect((await app.post(path, update)).body).toMatchObject({
    status: 'pending',
    profile: { id: profile.id },
  })
  const missing = await app.post(path, { use_case: update.use_case })
  expect([missing.status, missing.body.detail[0].type]).toEqual([422, 'missing'])
  const named = await app.post(path, { ...onboarding, profile: { id: profile.id } })
  expect([named.status, named.body.detail[0].loc]).toEqual([422, ['body', 'profile']])
  const stranger = app.stranger.keys.secret_test
  const foreign = await app.post(path, update, { key: stranger })
  const unknown = await app.post(
    path,
    { ...update, profile: { id: 'prof_01jb2w9m4ye6xs3kq8t7v5c0zd' } },
    { key: stranger },
  )
  expect([foreign.status, foreign.body.detail.param]).toEqual([404, 'profile.id'])
  expect({ ...foreign.body.detail, request_id: '' }).toEqual({ ...unknown.body.detail, request_id: '' })
  await app.post(`/v1/profiles/${profile.id}/archive`)
  const archived = await app.post(path, update)
  expect([archived.status, archived.body.detail.code]).toEqual([409, 'profile_archived'])
})

test('a link of another account answers like one that never existed', async () => {
  const { id } = (await app.post(path, onboarding)).body
  const key = app.stranger.keys.secret_test
  for (const [method, target] of [
    ['GET', `${path}/${id}`],
    ['POST', `${path}/${id}/revoke`],
  ] as const) {
    const { status, body } = await app.request(method, target, { key })
    expect([status, body.detail.code, body.detail.param]).toEqual([404, 'not_found', 'link_id'])
  }
  expect((await app.get(path, { key })).body.data).toEqual([])
})

test('an agent that may not write profiles cannot make links to them', async () => {
  const { token } = await app.newKey(app.account, 'test', 'buyer_agent')
  const { status, body } = await app.post(path, onboarding, { key: token })
  expect([status, body.detail.code]).toEqual([403, 'insufficient_scope'])
})

test('revoking is final and can be said twice', async () => {
  const { id } = (await app.post(path, onboarding)).body
  const revoked = await app.post(`${path}/${id}/revoke`)
  expect([revoked.status, revoked.body.status]).toEqual([200, 'revoked'])
  expect((await app.post(`${path}/${id}/revoke`)).body).toEqual(revoked.body)
  const events = await app.parts.pools.read<{ type: string }>({
    name: '',
    text: 'select type from events where aggregate_id = $1 order by sequence',
    values: [id],
  })
  expect(events.map(({ type }) => type)).toEqual(['onboarding_link.created', 'onboarding_link.revoked'])
})

test('tools answer as REST does', async () => {
  const made = await app.mcp('v1_create_onboarding_link', onboarding)
  expect([made.status, typeof made.body.url]).toEqual([201, 'string'])
  const { url: _, ...rest } = made.body
  const read = await app.mcp('v1_get_onboarding_link', { link_id: rest.id })
  expect(read.body).toEqual(rest)
  expect((await app.get(`${path}/${rest.id}`)).body).toEqual(rest)
})
