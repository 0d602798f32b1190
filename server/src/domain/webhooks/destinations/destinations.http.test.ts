import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestAccount, type TestApp } from '../../../../test/harness/app.ts'
import { newDestination, newEventDestination } from '../../../../test/harness/deliveries.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

type Backend = {
  name: string
  responds_to_quotes?: boolean
  event_types: string[]
  webhook: { endpoint_url: string }
}
type Side = { audience: string; path: string; param: string; backend: Backend; create: typeof newDestination }

const webhook = { endpoint_url: 'https://merchant.example/hooks' }
const merchants: Side = {
  audience: 'merchants',
  path: '/v1/merchant/destinations',
  param: 'destination_id',
  backend: { name: 'Backend', responds_to_quotes: false, event_types: ['order.requested'], webhook },
  create: newDestination,
}
const buyers: Side = {
  audience: 'buyers',
  path: '/v1/event_destinations',
  param: 'event_destination_id',
  backend: { name: 'Backend', event_types: ['purchase_intent.succeeded', 'order.requested'], webhook },
  create: newEventDestination,
}
const sides = [merchants, buyers]
const { path, backend } = merchants

test.each(sides)(
  'of $audience: create reveals the secret once; reads, replays and changes show only its prefix',
  async ({ path, backend }) => {
    const headers = { 'idempotency-key': 'destination-1' }
    const created = await app.post(path, backend, { headers })
    expect(created.status).toBe(201)
    const { secret, ...rest } = created.body.secret
    expect(secret).toMatch(/^whsec_[0-9A-Za-z]{33}$/)
    expect(secret.startsWith(rest.prefix)).toBe(true)
    expect(created.body).toMatchObject({
      object: 'destination',
      mode: 'test',
      status: 'enabled',
      can_respond_to_orders: false,
      ...backend,
    })
    const again = await app.post(path, backend, { headers })
    const read = await app.get(`${path}/${created.body.id}`)
    const list = await app.get(path)
    expect(again.body).toEqual(read.body)
    expect(read.body.secret).toEqual({ prefix: rest.prefix })
    expect(list.body.data[0]).toEqual(read.body)
    for (const answer of [again, read, list]) expect(JSON.stringify(answer.body)).not.toContain(secret)
  },
)

test('subscribing to requested, confirmed and rejected orders gives the authority to answer them', async () => {
  const { id } = await newDestination(app, backend.webhook.endpoint_url, { event_types: ['order.requested'] })
  const event_types = ['order.rejected', 'order.requested', 'order.confirmed']
  const { status, body } = await app.post(`${path}/${id}`, { event_types })
  expect([status, body.can_respond_to_orders]).toEqual([200, true])
  expect(new Set(body.event_types)).toEqual(new Set(event_types))
})

test.each(sides)(
  'of $audience: targets that must not be called are refused where they are named, and loopback is for test mode alone',
  async ({ path, backend, create }) => {
    const live = app.account.keys.secret_live
    const bad = [
      'https://10.0.0.1/',
      'https://192.168.1.1/',
      'https://169.254.169.254/',
      'https://printer.local/',
      'https://[::ffff:10.0.0.1]/',
    ]
    for (const endpoint_url of [...bad, 'http://127.0.0.1:1/', 'http://merchant.example/']) {
      const { status, body } = await app.post(path, { ...backend, webhook: { endpoint_url } }, { key: live })
      expect([endpoint_url, status]).toEqual([endpoint_url, 422])
      expect(body.detail[0]).toMatchObject({ type: 'value_error', loc: ['body', 'webhook', 'endpoint_url'] })
    }
    for (const endpoint_url of [
      'https://user:secret@merchant.example/',
      'http://merchant.example/',
      'ftp://merchant.example/',
      'merchant.example',
    ]) {
      const { status, body } = await app.post(path, { ...backend, webhook: { endpoint_url } })
      expect([endpoint_url, status]).toEqual([endpoint_url, 422])
      expect(JSON.stringify(body)).not.toContain('secret@')
    }
    for (const endpoint_url of bad) {
      expect((await app.post(path, { ...backend, webhook: { endpoint_url } })).status).toBe(422)
    }
    const { id } = await create(app, 'http://127.0.0.1:1/')
    expect((await app.post(`${path}/${id}`, { webhook: { endpoint_url: 'https://10.0.0.1/' } })).status).toBe(
      422,
    )
  },
)

test.each(sides)(
  'of $audience: event types are a closed list and all faults come back at once',
  async ({ path }) => {
    const { status, body } = await app.post(path, {
      event_types: ['order.exploded'],
      webhook: {},
      nonsense: 1,
    })
    expect(status).toBe(422)
    const faults = body.detail.map((issue: { type: string; loc: unknown[] }) => [
      issue.type,
      issue.loc.join('.'),
    ])
    expect(faults).toEqual(
      expect.arrayContaining([
        ['missing', 'body.name'],
        ['enum', 'body.event_types.0'],
        ['missing', 'body.webhook.endpoint_url'],
        ['extra_forbidden', 'body.nonsense'],
      ]),
    )
  },
)

test('one merchant and mode has one designated responder; archiving it frees the designation, disabling does not', async () => {
  const merchant = await app.newAccount()
  const as = { key: merchant.keys.secret_test }
  const responder = { ...backend, responds_to_quotes: true, event_types: [] }
  const first = await app.post(path, responder, as)
  expect(first.body.event_types).toEqual(['quote.requested'])
  const second = await app.post(path, responder, as)
  expect([second.status, second.body.detail.code]).toEqual([409, 'responder_conflict'])
  const other = await app.post(path, backend, as)
  const promoted = await app.post(`${path}/${other.body.id}`, { responds_to_quotes: true }, as)
  expect([promoted.status, promoted.body.detail.code]).toEqual([409, 'responder_conflict'])
  expect((await app.post(path, responder, { key: merchant.keys.secret_live })).status).toBe(201)
  await app.post(`${path}/${first.body.id}/disable`, undefined, as)
  expect((await app.post(path, responder, as)).status).toBe(409)
  expect((await app.post(`${path}/${first.body.id}/archive`, undefined, as)).body.status).toBe('archived')
  expect((await app.post(path, responder, as)).status).toBe(201)
})

test('twenty responders created at once leave one', async () => {
  const merchant = await app.newAccount()
  const responder = { ...backend, responds_to_quotes: true }
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => app.post(path, responder, { key: merchant.keys.secret_test })),
  )
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1)
  expect(answers.filter((answer) => answer.body.detail?.code === 'responder_conflict')).toHaveLength(19)
})

test.each(sides)(
  'of $audience: a rotation keeps the secret before for 24 hours, and there are never three',
  async ({ path, backend, create }) => {
    const created = await create(app, backend.webhook.endpoint_url)
    const rotated = await app.post(`${path}/${created.id}/rotate_secret`)
    expect(rotated.status).toBe(200)
    expect(rotated.body.secret.secret).toMatch(/^whsec_/)
    expect(rotated.body.secret.secret).not.toBe(created.secret.secret)
    const ends = Date.parse(rotated.body.secret.previous_expires_at) - Date.parse(rotated.body.updated_at)
    expect(ends).toBe(24 * 3_600_000)
    const third = await app.post(`${path}/${created.id}/rotate_secret`)
    expect([third.status, third.body.detail.code, third.body.detail.retryable]).toEqual([
      409,
      'rotation_in_progress',
      true,
    ])
  },
)

test.each(sides)(
  'of $audience: enable, disable and archive are repeatable, and an archived destination changes no more',
  async ({ path, backend, create }) => {
    const { id } = await create(app, backend.webhook.endpoint_url)
    const post = (verb: string, body?: unknown) => app.post(`${path}/${id}/${verb}`, body)
    const disabled = await post('disable')
    expect([disabled.body.status, disabled.body.disabled_reason]).toEqual(['disabled', 'requested'])
    expect((await post('disable')).body).toEqual(disabled.body)
    for (const [verb, body] of [['test'], ['recover', { since: '2026-01-01T00:00:00Z' }]] as const) {
      const refused = await post(verb, body)
      expect([refused.status, refused.body.detail.code]).toEqual([409, 'destination_disabled'])
    }
    expect((await post('enable')).body).toMatchObject({ status: 'enabled', disabled_reason: null })
    const archived = await post('archive')
    expect((await post('archive')).body).toEqual(archived.body)
    for (const [verb, body] of [
      ['enable'],
      ['disable'],
      ['rotate_secret'],
      ['test'],
      ['recover', { since: '2026-01-01T00:00:00Z' }],
    ] as const) {
      const refused = await post(verb, body)
      expect([verb, refused.status, refused.body.detail.code]).toEqual([verb, 409, 'destination_archived'])
    }
    expect((await app.post(`${path}/${id}`, { name: 'New' })).body.detail.code).toBe('destination_archived')
  },
)

const evt = 'evt_01jb2w9m4ye6xs3kq8t7v5c0zd'
/** Every call about one destination. */
const callsOfOne: readonly [method: string, suffix: string, body?: unknown][] = [
  ['GET', ''],
  ['POST', '', { name: 'Mine' }],
  ['POST', '/rotate_secret'],
  ['POST', '/enable'],
  ['POST', '/disable'],
  ['POST', '/archive'],
  ['POST', '/test'],
  ['GET', '/events'],
  ['GET', `/events/${evt}`],
  ['POST', `/events/${evt}/redeliver`],
  ['POST', '/recover', { since: '2026-01-01T00:00:00Z' }],
]

test.each(sides)(
  'of $audience: only the owner finds a destination, in every operation',
  async ({ path, backend, param, create }) => {
    const { id } = await create(app, backend.webhook.endpoint_url)
    const unknown = 'dest_01jb2w9m4ye6xs3kq8t7v5c0zd'
    for (const [method, suffix, body] of callsOfOne) {
      const ask = (destination: string, account: TestAccount, mode: 'test' | 'live') =>
        app.request(method, `${path}/${destination}${suffix}`, { body, key: account.keys[`secret_${mode}`] })
      const never = await ask(unknown, app.account, 'test')
      expect([method, suffix, never.status, never.body.detail.param]).toEqual([method, suffix, 404, param])
      for (const [account, mode] of [
        [app.stranger, 'test'],
        [app.account, 'live'],
      ] as const) {
        const foreign = await ask(id, account, mode)
        expect(foreign.status).toBe(404)
        expect({ ...foreign.body.detail, request_id: '' }).toEqual({ ...never.body.detail, request_id: '' })
      }
    }
  },
)

test.each(sides)(
  'of $audience: a list holds the destinations of its own account and mode, and no others',
  async ({ path, backend, create }) => {
    const merchant = await app.newAccount()
    const { secret_test, secret_live } = merchant.keys
    const url = backend.webhook.endpoint_url
    const inTest = await create(app, url, {}, secret_test)
    const inLive = await create(app, url, {}, secret_live)
    await create(app, url, {}, app.stranger.keys.secret_test)
    for (const [key, id] of [
      [secret_test, inTest.id],
      [secret_live, inLive.id],
    ] as const) {
      const { body } = await app.get(path, { key })
      expect([body.total, body.data.map((one: { id: string }) => one.id)]).toEqual([1, [id]])
    }
  },
)

test.each(sides)(
  'of $audience: every operation needs a key with the scope',
  async ({ path, backend, create }) => {
    const { id } = await create(app, backend.webhook.endpoint_url)
    const reader = await app.newKey(app.account, 'test', 'read_only')
    for (const verb of ['rotate_secret', 'enable', 'disable', 'archive', 'test']) {
      expect((await app.post(`${path}/${id}/${verb}`, undefined, { key: null })).status).toBe(401)
      const { status, body } = await app.post(`${path}/${id}/${verb}`, undefined, { key: reader.token })
      expect([status, body.detail.code]).toEqual([403, 'insufficient_scope'])
    }
    expect((await app.post(path, backend, { key: reader.token })).status).toBe(403)
    expect((await app.get(`${path}/${id}/events`, { key: reader.token })).status).toBe(200)
    expect((await app.get(path, { key: app.account.keys.agent_test })).status).toBe(403)
    expect((await app.get(path, { key: null })).status).toBe(401)
  },
)

test("an id of one audience's destination does not exist for the other", async () => {
  for (const [of, other] of [
    [merchants, buyers],
    [buyers, merchants],
  ] as const) {
    const { id } = await of.create(app, webhook.endpoint_url)
    const at = `${other.path}/${id}`
    for (const [method, suffix, body] of callsOfOne) {
      const { status, body: answer } = await app.request(method, `${at}${suffix}`, { body })
      expect([method, suffix, status, answer.detail?.param]).toEqual([method, suffix, 404, other.param])
    }
    expect((await app.get(`${of.path}/${id}`)).body).toMatchObject({ id, name: 'Backend', status: 'enabled' })
    const { body: list } = await app.get(other.path)
    expect(list.data.map((one: { id: string }) => one.id)).not.toContain(id)
  }
})

test('a buyer names families of events, which are stored and shown type by type; it responds to nothing', async () => {
  const { status, body } = await app.post(buyers.path, {
    ...buyers.backend,
    event_types: ['quote.*', 'order.confirmed'],
  })
  expect([status, body.responds_to_quotes, body.can_respond_to_orders]).toEqual([201, false, false])
  expect(body.event_types).toContain('quote.requested')
  expect(body.event_types).not.toContain('quote.*')
  const all = await app.post(`${buyers.path}/${body.id}`, { event_types: ['order.*'] })
  expect(all.body.can_respond_to_orders).toBe(false)
  for (const bad of [
    { responds_to_quotes: false },
    { event_types: ['payment.captured'] },
    { event_types: ['*'] },
  ]) {
    expect((await app.post(buyers.path, { ...buyers.backend, ...bad })).status).toBe(422)
  }
})

test('an agent that shops may not change where the events of its account go', async () => {
  for (const preset of ['buyer_agent', 'merchant_backend'] as const) {
    const { token: key } = await app.newKey(app.account, 'test', preset)
    expect((await app.post(buyers.path, buyers.backend, { key })).status).toBe(403)
    expect((await app.get(buyers.path, { key })).status).toBe(403)
  }
})
