import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const path = '/v1/promotions'
const arm = { kind: 'percent', value: 1000, ttl_minutes: 30 }
const complete = { name: 'Spring', currency: 'eur', arms: [arm] }
const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()

async function create(body: object = complete) {
  const answer = await app.post(path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}

async function newMarket(code: string): Promise<string> {
  const market = await app.post('/v1/markets', { code, currency: 'EUR', default_locale: 'de' })
  expect(market.status).toBe(201)
  return market.body.id
}

const move = (id: string, verb: string) => app.post(`${path}/${id}/${verb}`)

async function eventsOf(id: string): Promise<string[]> {
  const rows = await app.parts.pools.read<{ type: string }>({
    name: '',
    text: 'select type from events where aggregate_id = $1 order by sequence',
    values: [id],
  })
  return rows.map(({ type }) => type)
}

test('a promotion starts as a draft, needs a name and nothing else, and is read back as it was made', async () => {
  const bare = await create({ name: 'Bare' })
  expect(bare).toMatchObject({
    object: 'promotion',
    mode: 'test',
    status: 'draft',
    market_id: null,
    currency: null,
    arms: [],
    caps: { total_uses: null, uses_per_identity: null, budget_amount: null },
    identity: { rule: 'any' },
    targets: { catalog_item_ids: [], categories: [], min_subtotal_amount: null },
    usage: { uses: 0, discount_amount: 0 },
  })
  expect((await app.get(`${path}/${bare.id}`)).body).toEqual(bare)
  const full = await create({
    ...complete,
    starts_at: '2030-01-01T00:00:00Z',
    ends_at: '2030-02-01T00:00:00+01:00',
    arms: [arm, { id: 'free', kind: 'free_fulfillment', ttl_minutes: 5, weight: 3 }],
    caps: { total_uses: 10 },
    identity: { rule: 'email' },
    targets: { categories: ['tea'] },
    metadata: { crm: '7' },
  })
  expect(full).toMatchObject({
    currency: 'EUR',
    starts_at: '2030-01-01T00:00:00.000Z',
    ends_at: '2030-01-31T23:00:00.000Z',
    arms: [
      { id: 'arm_1', ...arm, weight: 1 },
      { id: 'free', kind: 'free_fulfillment', value: null, ttl_minutes: 5, weight: 3 },
    ],
    caps: { total_uses: 10, uses_per_identity: null, budget_amount: null },
    targets: { categories: ['tea'], catalog_item_ids: [] },
    metadata: { crm: '7' },
  })
  const headers = { 'idempotency-key': 'promotion-1' }
  const first = await app.post(path, complete, { headers })
  const again = await app.post(path, complete, { headers })
  expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true'])
})

test.each<[object, (string | number)[]]>([
  [{}, ['body', 'name']],
  [{ ...complete, currency: 'XXX' }, ['body', 'currency']],
  [{ ...complete, arms: [{ ...arm, kind: 'half' }] }, ['body', 'arms', 0, 'kind']],
  [{ ...complete, arms: [{ ...arm, ttl_minutes: 0 }] }, ['body', 'arms', 0, 'ttl_minutes']],
  [
    {
      ...complete,
      arms: [
        { ...arm, id: 'a' },
        { ...arm, id: 'a' },
      ],
    },
    ['body', 'arms', 1, 'id'],
  ],
  [{ ...complete, caps: { total_uses: 0 } }, ['body', 'caps', 'total_uses']],
  [{ ...complete, identity: { rule: 'everybody' } }, ['body', 'identity', 'rule']],
  [{ ...complete, starts_at: 'tomorrow' }, ['body', 'starts_at']],
  [{ ...complete, targets: { skus: [] } }, ['body', 'targets', 'skus']],
])('%j is refused where it is wrong', async (body, loc) => {
  const answer = await app.post(path, body)
  expect([answer.status, answer.body.detail[0].loc]).toEqual([422, loc])
})

test('what a promotion names is the merchant own: items of others, and markets that never were, answer 404', async () => {
  const key = app.stranger.keys.secret_test
  const item = (await app.post('/v1/merchant/catalog_items', { title: 'Theirs' }, { key })).body
  const unknown = { ...complete, targets: { catalog_item_ids: ['cat_01jb2w9m4ye6xs3kq8t7v5c0zd'] } }
  const foreign = { ...complete, targets: { catalog_item_ids: [item.id] } }
  const [one, two] = [await app.post(path, unknown), await app.post(path, foreign)]
  expect([one.status, one.body.detail.param]).toEqual([404, 'targets.catalog_item_ids'])
  expect({ ...two.body.detail, request_id: '' }).toEqual({ ...one.body.detail, request_id: '' })
  const market = await app.post(path, { ...complete, market_id: 'nowhere' })
  expect([market.status, market.body.detail.param]).toEqual([404, 'market_id'])
})

test('publishing names everything that is missing, and begins at once or when it is said to', async () => {
  const bare = await create({ name: 'Bare', arms: [{ kind: 'percent' }], ends_at: hours(-1) })
  const refused = await move(bare.id, 'publish')
  expect([refused.status, refused.body.detail.code]).toEqual([409, 'promotion_not_publishable'])
  for (const gap of ['`currency`', '`ends_at`', '`ttl_minutes`', '`value`'])
    expect(refused.body.detail.message).toContain(gap)
  const now = await create()
  const published = await move(now.id, 'publish')
  expect([published.status, published.body.status]).toEqual([200, 'active'])
  expect(published.body.starts_at).toBe(published.body.published_at)
  expect((await move(now.id, 'publish')).body).toEqual(published.body)
  const later = await create({ ...complete, starts_at: hours(1), ends_at: hours(2) })
  expect((await move(later.id, 'publish')).body.status).toBe('scheduled')
  expect(await eventsOf(later.id)).toEqual(['promotion.created', 'promotion.published'])
})

test('a draft whose market was archived is not published, and says why', async () => {
  const [gone, open] = [await newMarket('gone'), await newMarket('open')]
  const draft = await create({ ...complete, market_id: gone })
  await app.post(`/v1/markets/${gone}/archive`)
  const refused = await move(draft.id, 'publish')
  expect([refused.status, refused.body.detail.code]).toEqual([409, 'promotion_not_publishable'])
  expect(refused.body.detail.message).toContain('`market_id` names a market that is archived')
  await app.post(`${path}/${draft.id}`, { market_id: open })
  expect((await move(draft.id, 'publish')).body.status).toBe('active')
})

test('it is paused, resumed, ended and archived; what cannot go there says what it is; twice changes nothing', async () => {
  const { id } = await create()
  for (const verb of ['pause', 'resume', 'end']) {
    const { status, body } = await move(id, verb)
    expect([verb, status, body.detail.code]).toEqual([verb, 409, 'promotion_state_conflict'])
    expect(body.detail.message).toContain('draft')
  }
  await move(id, 'publish')
  expect((await move(id, 'archive')).status).toBe(409)
  for (const [verb, status] of [
    ['pause', 'paused'],
    ['resume', 'active'],
    ['end', 'ended'],
    ['archive', 'archived'],
  ] as const) {
    const first = await move(id, verb)
    const second = await move(id, verb)
    expect([verb, first.body.status, second.status]).toEqual([verb, status, 200])
    expect(second.body).toEqual(first.body)
  }
  expect((await move(id, 'publish')).body.detail.code).toBe('promotion_state_conflict')
  expect(await eventsOf(id)).toEqual(
    ['created', 'published', 'paused', 'resumed', 'ended', 'archived'].map((type) => `promotion.${type}`),
  )
})

test('once people were offered it, only what makes no offer untrue can change', async () => {
  const { id } = await create()
  const change = (body: object) => app.post(`${path}/${id}`, body)
  expect((await change({ arms: [{ ...arm, value: 500 }], currency: 'USD' })).body.currency).toBe('USD')
  await move(id, 'publish')
  const refused = await change({ name: 'Other', arms: [arm] })
  expect([refused.status, refused.body.detail.code, refused.body.detail.param]).toEqual([
    409,
    'promotion_not_editable',
    'arms',
  ])
  const changed = await change({ name: 'Other', caps: { total_uses: 5 }, ends_at: hours(5) })
  expect(changed.body).toMatchObject({ name: 'Other', caps: { total_uses: 5, budget_amount: null } })
  const more = await change({ caps: { budget_amount: 100 } })
  expect(more.body.caps).toEqual({ total_uses: 5, budget_amount: 100, uses_per_identity: null })
  expect((await change({ ends_at: hours(-1) })).body.detail.code).toBe('promotion_not_publishable')
  await move(id, 'end')
  expect((await change({ ends_at: null })).body.detail.code).toBe('promotion_not_editable')
  expect((await change({ name: 'Past' })).body.name).toBe('Past')
  await move(id, 'archive')
  expect((await change({ name: 'Never' })).body.detail.code).toBe('promotion_not_editable')
})

test('a status changes with the time before it is written: reads, lists and moves go by the clock', async () => {
  const { id } = await create({ ...complete, name: 'Timed', starts_at: hours(1), ends_at: hours(2) })
  await move(id, 'publish')
  await run(`update promotions set starts_at = now() - interval '1 hour' where id = $1`, id)
  expect((await app.get(`${path}/${id}`)).body.status).toBe('active')
  expect((await move(id, 'pause')).body.status).toBe('paused')
  await run(`update promotions set ends_at = now() where id = $1`, id)
  expect((await app.get(`${path}/${id}`)).body.status).toBe('ended')
  expect(
    (await app.get(`${path}?status=ended&q=timed`)).body.data.map((one: { id: string }) => one.id),
  ).toEqual([id])
  expect((await app.get(`${path}?status=paused&q=timed`)).body.data).toEqual([])
  expect((await move(id, 'resume')).body.detail.code).toBe('promotion_state_conflict')
  expect((await move(id, 'archive')).body.status).toBe('archived')
  expect(await eventsOf(id)).toEqual(
    ['created', 'published', 'started', 'paused', 'ended', 'archived'].map((type) => `promotion.${type}`),
  )
})

test('lists are paged, filtered by state, market and text', async () => {
  const key = app.stranger.keys.secret_test
  const market = { code: 'eu', currency: 'EUR', default_locale: 'en', routing: { is_fallback: true } }
  const market_id = (await app.post('/v1/markets', market, { key })).body.id
  const own = await app.post(path, { ...complete, name: '100 % Tea', market_id }, { key })
  const other = await app.post(path, { ...complete, name: 'Cups' }, { key })
  const idsOf = async (query: string) =>
    (await app.get(`${path}?${query}`, { key })).body.data.map((one: { id: string }) => one.id)
  expect(await idsOf('')).toEqual([other.body.id, own.body.id])
  expect(await idsOf('q=100%20%25%20tea')).toEqual([own.body.id])
  expect(await idsOf(`q=${other.body.id.toUpperCase()}`)).toEqual([other.body.id])
  expect(await idsOf(`market_id=${market_id}`)).toEqual([own.body.id])
  expect(await idsOf('status=active')).toEqual([])
  expect(await idsOf('limit=1&offset=1')).toEqual([own.body.id])
  for (const marketId of ['x'.repeat(65), ''])
    expect((await app.get(`${path}?market_id=${marketId}`, { key })).status).toBe(422)
})

test("another account's promotion answers like one that never existed, to every operation", async () => {
  const { id } = await create()
  const key = app.stranger.keys.secret_test
  const calls = ['publish', 'pause', 'resume', 'end', 'archive'].map((verb) => ['POST', `/${verb}`] as const)
  for (const [method, rest] of [['GET', ''] as const, ['POST', ''] as const, ...calls]) {
    const body = method === 'POST' && rest === '' ? { body: { name: 'Mine' } } : {}
    const foreign = await app.request(method, `${path}/${id}${rest}`, { key, ...body })
    const unknown = await app.request(method, `${path}/promo_01jb2w9m4ye6xs3kq8t7v5c0zd${rest}`, {
      key,
      ...body,
    })
    expect([method, rest, foreign.status]).toEqual([method, rest, 404])
    expect({ ...foreign.body.detail, request_id: '' }).toEqual({ ...unknown.body.detail, request_id: '' })
  }
  expect((await app.get(`${path}/${id}`)).body.status).toBe('draft')
})

test('tools answer as REST does', async () => {
  const made = await app.mcp('v1_create_promotion', complete)
  expect(made.status).toBe(201)
  const published = await app.mcp('v1_publish_promotion', { promotion_id: made.body.id })
  expect(published.body.status).toBe('active')
  expect((await app.mcp('v1_get_promotion', { promotion_id: made.body.id })).body).toEqual(published.body)
  expect((await app.get(`${path}/${made.body.id}`)).body).toEqual(published.body)
})

async function run(text: string, ...values: unknown[]): Promise<void> {
  await app.parts.pools.single({ name: '', text, values })
}
