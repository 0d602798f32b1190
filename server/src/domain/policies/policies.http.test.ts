import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { newBuyer } from '../../../test/harness/buyers.ts'
import { statement } from '../../contract/statement.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const unknownPolicy = 'pol_01jb2w9m4ye6xs3kq8t7v5c0zd'
const groceries = {
  name: 'Groceries',
  currency: 'eur',
  limits: {
    per_transaction_max: 10_000,
    intervals: [
      { interval: 'day', max_amount: 20_000, max_count: 3 },
      { interval: 'all_time', max_count: 100 },
    ],
  },
  mcc: { allow: ['5411'] },
  merchants: { block: ['Bad.Example'] },
  approval: { mode: 'above_threshold', auto_approve_up_to: 5_000 },
}

test('a name is enough, and such a policy applies to everything and limits nothing', async () => {
  const { status, body } = await app.post('/v1/policies', { name: 'Any' })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    object: 'policy',
    mode: 'test',
    name: 'Any',
    currency: null,
    scope: { profile_ids: [], api_key_ids: [], default: true },
    limits: {
      per_transaction_max: null,
      intervals: [],
      max_intents_per_day: null,
      max_fulfillment_fee: null,
    },
    approval: null,
    price_drift: { tolerance_percent: null, on_exceed: 'reapprove' },
    version: 1,
    usage: [],
    approved_by: null,
    archived_at: null,
  })
  expect((await app.get(`/v1/policies/${body.id}`)).body).toEqual(body)
})

test('currency is returned upper case, domains lower case, and an expiry is filled in', async () => {
  const { status, body } = await app.post('/v1/policies', groceries)
  expect(status).toBe(201)
  expect(body).toMatchObject({
    currency: 'EUR',
    merchants: { allow: [], block: ['bad.example'] },
    approval: { mode: 'above_threshold', auto_approve_up_to: 5_000, expires_after_minutes: 10_080 },
  })
  expect(body.usage).toMatchObject([
    { interval: 'day', limit: 20_000, reserved: 0, spent: 0, count: 0, remaining: 20_000 },
    { interval: 'all_time', limit: null, remaining: null, window_start: body.created_at },
  ])
})

const refused: [string, object, string][] = [
  ['amounts without a currency', { limits: { per_transaction_max: 1 } }, 'body.currency'],
  [
    'a threshold mode without a threshold',
    { currency: 'EUR', approval: { mode: 'above_threshold' } },
    'body.approval.auto_approve_up_to',
  ],
  [
    'a threshold without its mode',
    { currency: 'EUR', approval: { mode: 'always', auto_approve_up_to: 1 } },
    'body.approval.auto_approve_up_to',
  ],
  [
    'never without an amount limit',
    { approval: { mode: 'never' }, limits: { intervals: [{ interval: 'day', max_count: 1 }] } },
    'body.approval.mode',
  ],
  [
    'never with a fee limit only',
    { currency: 'EUR', approval: { mode: 'never' }, limits: { max_fulfillment_fee: 1 } },
    'body.approval.mode',
  ],
  [
    'one interval twice',
    {
      limits: {
        intervals: [
          { interval: 'day', max_count: 1 },
          { interval: 'day', max_count: 2 },
        ],
      },
    },
    'body.limits.intervals.1.interval',
  ],
  [
    'an interval without a limit',
    { limits: { intervals: [{ interval: 'day' }] } },
    'body.limits.intervals.0',
  ],
  [
    'an end before the beginning',
    { valid_from: '2026-02-01T00:00:00Z', valid_until: '2026-02-01T00:00:00Z' },
    'body.valid_until',
  ],
  ['a category that is none', { mcc: { block: ['54'] } }, 'body.mcc.block.0'],
  ['an unknown limit', { limits: { per_minute: 1 } }, 'body.limits.per_minute'],
  [
    'an amount above the largest',
    { currency: 'EUR', limits: { per_transaction_max: 1_000_000_000_001 } },
    'body.limits.per_transaction_max',
  ],
]

test.each(refused)('refused: %s', async (_, fields, loc) => {
  const { status, body } = await app.post('/v1/policies', { name: 'Wrong', ...fields })
  expect(status).toBe(422)
  expect(body.detail.map((issue: { loc: unknown[] }) => issue.loc.join('.'))).toContain(loc)
})

test('a scope names only profiles and keys of its own account and mode', async () => {
  const own = await app.newKey(app.account, 'test', 'full')
  const foreign = await app.newKey(app.stranger, 'test', 'full')
  const inLive = await app.newKey(app.account, 'live', 'full')
  const scoped = (api_key_ids: string[]) =>
    app.post('/v1/policies', { name: 'Scoped', scope: { api_key_ids } })
  expect((await scoped([own.id])).body.scope).toEqual({
    profile_ids: [],
    api_key_ids: [own.agentId],
    payment_method_ids: [],
    default: false,
  })
  for (const id of [
    foreign.id,
    inLive.id,
    foreign.agentId,
    inLive.agentId,
    'key_unknown',
    'agent_unknown',
    '__proto__',
  ]) {
    const { status, body } = await scoped([own.id, id])
    expect([status, body.detail.code, body.detail.param]).toEqual([404, 'not_found', 'scope.api_key_ids'])
  }
  const profiles = [
    await newBuyer(app, { card: null, key: foreign.token }),
    await newBuyer(app, { card: null, key: inLive.token }),
    { profileId: 'prof_unknown' },
  ]
  for (const { profileId: id } of profiles) {
    const { status, body } = await app.post('/v1/policies', { name: 'Scoped', scope: { profile_ids: [id] } })
    expect([status, body.detail.code, body.detail.param]).toEqual([404, 'not_found', 'scope.profile_ids'])
  }
})

test('an update makes a version, replaces what it names, keeps the rest, and never moves the currency', async () => {
  const { body: policy } = await app.post('/v1/policies', groceries)
  const path = `/v1/policies/${policy.id}`
  const { status, body } = await app.post(path, {
    limits: { per_transaction_max: 1 },
    mcc: {},
    description: 'Less',
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    version: 2,
    name: 'Groceries',
    description: 'Less',
    limits: { per_transaction_max: 1, intervals: [] },
    mcc: { allow: [], block: [] },
    merchants: policy.merchants,
    approval: policy.approval,
  })
  expect((await app.get(path)).body).toEqual(body)
  expect((await app.post(path, { approval: null })).body).toMatchObject({ version: 3, approval: null })
  expect((await app.post(path, {})).body.version).toBe(3)
  for (const currency of ['USD', null]) {
    const moved = await app.post(path, { currency, limits: {} })
    expect([moved.status, moved.body.detail[0].loc]).toEqual([422, ['body', 'currency']])
  }
  const never = await app.post(path, { approval: { mode: 'never' }, limits: {} })
  expect([never.status, never.body.detail[0].loc]).toEqual([422, ['body', 'approval', 'mode']])
})

test('an archived policy leaves the list, takes no change, and comes back', async () => {
  const { body: policy } = await app.post('/v1/policies', groceries)
  const path = `/v1/policies/${policy.id}`
  const archived = await app.post(`${path}/archive`)
  expect(archived.body.archived_at).not.toBeNull()
  expect((await app.post(`${path}/archive`)).body).toEqual(archived.body)
  expect((await app.post(path, { name: 'No' })).body.detail.code).toBe('policy_archived')
  const ids = async (query: string) =>
    (await app.get(`/v1/policies${query}`)).body.data.map(({ id }: { id: string }) => id)
  expect(await ids('')).not.toContain(policy.id)
  expect((await ids('?include_archived=true'))[0]).toBe(policy.id)
  const back = await app.post(`${path}/unarchive`)
  expect(back.body).toMatchObject({ archived_at: null, version: 1 })
  expect((await app.post(`${path}/unarchive`)).body).toEqual(back.body)
  expect((await ids(''))[0]).toBe(policy.id)
})

test('lists are newest first, page, and count all', async () => {
  const owner = await app.newAccount()
  const key = owner.keys.secret_test
  for (const name of ['a', 'b', 'c']) await app.post('/v1/policies', { name }, { key })
  const { body } = await app.get('/v1/policies?limit=2&offset=1', { key })
  expect(body).toMatchObject({ object: 'list', total: 3, limit: 2, offset: 1, has_more: false })
  expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['b', 'a'])
})

test('foreign, unknown and other-mode policies are equally not there', async () => {
  const { body: policy } = await app.post('/v1/policies', groceries)
  const calls: [string, string, object | undefined][] = [
    ['GET', '', undefined],
    ['POST', '', { name: 'Mine' }],
    ['POST', '/archive', undefined],
    ['POST', '/unarchive', undefined],
  ]
  for (const [method, suffix, sent] of calls) {
    for (const key of [app.stranger.keys.secret_test, app.account.keys.secret_live]) {
      const options = sent ? { key, body: sent } : { key }
      const foreign = await app.request(method, `/v1/policies/${policy.id}${suffix}`, options)
      const unknown = await app.request(method, `/v1/policies/${unknownPolicy}${suffix}`, options)
      expect(foreign.status).toBe(404)
      expect({ ...foreign.body.detail, request_id: '' }).toEqual({ ...unknown.body.detail, request_id: '' })
    }
  }
  expect((await app.get(`/v1/policies/${policy.id}`)).body).toEqual(policy)
})

test('an agent may read and simulate policies and change none', async () => {
  const key = app.account.keys.agent_test
  const { body: policy } = await app.post('/v1/policies', groceries)
  expect((await app.get(`/v1/policies/${policy.id}`, { key })).status).toBe(200)
  for (const path of ['', `/${policy.id}`, `/${policy.id}/archive`, `/${policy.id}/unarchive`]) {
    const { status, body } = await app.post(`/v1/policies${path}`, path === '' ? groceries : undefined, {
      key,
    })
    expect([status, body.detail.code]).toEqual([403, 'insufficient_scope'])
  }
  expect((await app.post('/v1/policies', groceries, { key: null })).status).toBe(401)
})

test('a replayed idempotency key makes one policy and one version', async () => {
  const headers = { 'idempotency-key': 'policy-1' }
  const first = await app.post('/v1/policies', groceries, { headers })
  const again = await app.post('/v1/policies', groceries, { headers })
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  const path = `/v1/policies/${first.body.id}`
  for (const _ of [1, 2])
    expect((await app.post(path, { name: 'Renamed' }, { headers })).body.version).toBe(2)
})

test('an account holds 1,000 active policies and not one more, however many are asked for at once', async () => {
  const owner = await app.newAccount()
  const key = owner.keys.secret_test
  const create = () => app.post('/v1/policies', { name: 'One of many' }, { key })
  const { body: first } = await create()
  await app.parts.pools.single(copyPolicies({ account_id: owner.accountId, id: first.id, copies: 989 }))
  const statuses = (await Promise.all(Array.from({ length: 20 }, create))).map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(10)
  const { body } = await app.get('/v1/policies', { key })
  expect(body).toMatchObject({ total: 1000, limit: 1000, has_more: false })
  expect((await create()).body.detail.code).toBe('object_limit_reached')
  const [oldest] = body.data
  await app.post(`/v1/policies/${oldest.id}/archive`, undefined, { key })
  expect((await create()).status).toBe(201)
  const back = await app.post(`/v1/policies/${oldest.id}/unarchive`, undefined, { key })
  expect(back.body.detail.code).toBe('object_limit_reached')
})

const copyPolicies = statement<never, { account_id: string; id: string; copies: number }>(
  '',
  `insert into policies (account_id, mode, id, name, scope_default, scope_profile_ids, scope_agent_ids, terms, version, seq, created_at,
     updated_at)
   select p.account_id, p.mode, 'pol_' || lpad(n::text, 26, '0'), p.name, true, '{}', '{}', p.terms, 1, 1, p.created_at, p.updated_at
   from policies p, generate_series(1, $copies::int) n
   where p.account_id = $account_id and p.mode = 'test' and p.id = $id`,
)
