import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestAccount, type TestApp } from '../../../test/harness/app.ts'
import { type StoppedClock, stopClock } from '../../../test/harness/stopped-clock.ts'
import type { Mode } from '../../contract/context.ts'
import { issueKey, revokeKey } from '../../domain/accounts/api-keys/public.ts'
import { runAs } from '../../platform/calls/run-as.ts'

const page = 'https://shop.example'

let app: TestApp
let clock: StoppedClock
let key: string
let item: { id: string; accountId: string }
beforeAll(async () => {
  app = await startTestApp({
    testClock: true,
    limits: { discoveryTest: 20, discoveryLive: 20, discoveryAnonymousMinute: 3 },
  })
  clock = await stopClock(app.parts.pools, new Date('2026-03-01T12:00:00Z'))
  const open = { key: app.account.keys.secret_test }
  await app.post('/v1/merchant', { domain: 'tea.example', currency: 'EUR' }, open)
  const made = await app.post(
    '/v1/merchant/catalog_items',
    { title: 'Tea', variants: [{ price: 590 }] },
    open,
  )
  await app.post(`/v1/merchant/catalog_items/${made.body.id}/publish`, undefined, open)
  item = { id: made.body.id, accountId: app.account.accountId }
  key = (await issue()).token
})
afterAll(() => app.stop())

type Issue = { account?: TestAccount; mode?: Mode; origins?: string[]; expiresAt?: Date }

function asOperator<T>(
  { account = app.account, mode = 'test' }: Issue,
  work: Parameters<typeof runAs<T>>[2],
): Promise<T> {
  const tenant = { accountId: account.accountId, mode }
  return runAs(app.parts, { tenant, actor: { type: 'system', id: 'test' } }, work)
}

function issue({ origins = [page], expiresAt, ...of }: Issue = {}) {
  return asOperator(of, async (ctx) =>
    issueKey(ctx, {
      kind: 'publishable',
      name: 'page',
      preset: 'full',
      origins,
      expiresAt: expiresAt ?? null,
    }),
  )
}

type From = { origin?: string | null; key?: string | null; method?: string; path?: string; body?: unknown }

/** A request as a browser would send it for a page; `origin` null: as a program sends it. */
function ask({ origin = page, key: shown = key, method = 'POST', path = '/v1/catalog', body }: From = {}) {
  return app.request(method, path, {
    key: shown,
    headers: origin === null ? {} : { origin },
    ...(method === 'POST' ? { body: body ?? { query: 'tea' } } : {}),
  })
}

const told = ({ status, body }: Answer) => (status < 300 ? status : [status, body?.detail?.code])

const shared = ({ headers }: Answer) =>
  ['access-control-allow-origin', 'vary', 'access-control-expose-headers'].map((name) => headers.get(name))

const exposed = 'Request-Id, Retry-After, X-RateLimit-Limit, X-RateLimit-Window, Service-Attribution-Id'
const toPage = [page, 'Origin', exposed]
const toEveryPage = ['*', null, exposed]
const toNoPage = [null, null, null]

const open = ['/v1/catalog', '/v1/catalog/lookup', '/v1/catalog/product']

test('a page whose origin the key was made for searches, looks up and reads a product', async () => {
  const merchant = { id: app.stranger.accountId }
  const bodies = [{ query: 'tea' }, { ids: [item.id], merchant }, { id: item.id, merchant }]
  await app.post('/v1/merchant', { domain: 'other.example' }, { key: app.stranger.keys.secret_test })
  for (const [index, path] of open.entries()) {
    const answer = await ask({ path, body: bodies[index] })
    // Nothing is listed yet, and the stranger sells nothing.
    expect([path, told(answer), ...shared(answer)]).toEqual([
      path,
      index === 2 ? [404, 'not_found'] : 200,
      ...toPage,
    ])
  }
})

test.each([
  ['no origin', null],
  ['another origin', 'https://evil.example'],
  ['a subdomain', 'https://www.shop.example'],
  ['its name as the beginning of another', 'https://shop.example.evil.example'],
  ['another port', 'https://shop.example:8443'],
  ['http instead of https', 'http://shop.example'],
  ['other letters', 'https://SHOP.example'],
  ['a path', 'https://shop.example/'],
  ['a sandboxed frame', 'null'],
  ['two origins', `${page}, https://evil.example`],
])('a publishable key opens nothing from %s', async (_, origin) => {
  const answer = await ask({ origin })
  expect(told(answer)).toEqual([403, 'origin_not_allowed'])
  expect(answer.body.detail.message).toContain('--origin')
  // The page that asks may read why it was refused; a program is no page.
  const isOne = origin !== null && !origin.includes(' ')
  expect(answer.headers.get('access-control-allow-origin')).toBe(isOne ? origin : null)
})

test('a key without origins opens nothing from anywhere, and one with several from each of them', async () => {
  const [none, two] = [
    await issue({ origins: [] }),
    await issue({ origins: [page, 'http://localhost:3000'] }),
  ]
  expect(told(await ask({ key: none.token }))).toEqual([403, 'origin_not_allowed'])
  expect(told(await ask({ key: none.token, origin: null }))).toEqual([403, 'origin_not_allowed'])
  for (const origin of [page, 'http://localhost:3000'])
    expect(told(await ask({ key: two.token, origin }))).toBe(200)
  expect(told(await ask({ key: app.account.keys.publishable_test }))).toEqual([403, 'origin_not_allowed'])
})

test('a key that was made with no scopes, or with every scope, opens the same', async () => {
  for (const scopes of [[], ['merchant:write', 'purchase_intents:approve', 'keys:write']]) {
    const made = await issue()
    await app.sql('update api_keys set scopes = $2 where id = $1', [made.key.id, scopes])
    expect(told(await ask({ key: made.token }))).toBe(200)
    expect(told(await ask({ key: made.token, path: '/v1/merchant', method: 'GET' }))).toEqual([
      403,
      'publishable_key_not_allowed',
    ])
  }
})

test('a revoked key, an expired one and one that never existed are 401, which the page can read', async () => {
  const revoked = await issue()
  await asOperator({}, (ctx) => revokeKey(ctx, revoked.key.id))
  const expiring = await issue({ expiresAt: new Date('2026-03-01T12:00:10Z') })
  expect(told(await ask({ key: expiring.token }))).toBe(200)
  await clock.advance(10_000)
  const unknown = `pr_pk_test_${'a'.repeat(32)}`
  for (const dead of [revoked.token, expiring.token, unknown, 'nonsense']) {
    const answer = await ask({ key: dead })
    expect([told(answer), shared(answer)]).toEqual([[401, 'unauthorized'], toPage])
  }
})

test('a publishable key sees what everybody sees in its mode, and nothing private of its account', async () => {
  await clock.advance(60_000)
  const body = { id: item.id, merchant: { id: item.accountId } }
  const see = async (from: From) => told(await ask({ ...from, path: '/v1/catalog/product', body }))
  const strangers = await issue({ account: app.stranger })
  // A merchant without a slug is not public.
  expect(await see({ key: app.account.keys.secret_test, origin: null })).toBe(200)
  for (const hidden of [key, strangers.token]) expect(await see({ key: hidden })).toEqual([404, 'not_found'])
  await app.post('/v1/merchant', { slug: 'tea' }, { key: app.account.keys.secret_test })
  for (const seen of [key, strangers.token]) expect(await see({ key: seen })).toBe(200)
  const live = await issue({ mode: 'live' })
  expect(await see({ key: live.token })).toEqual([404, 'not_found'])
  expect(await see({ key: null })).toEqual([404, 'not_found'])
})

test('a page that is refused for its rate can read why, and the account and the other mode still have theirs', async () => {
  await clock.advance(60_000)
  const live = await issue({ mode: 'live' })
  for (let asked = 0; asked < 4; asked++) expect(told(await ask())).toBe(200)
  const refused = await ask()
  expect([told(refused), refused.body.detail.scope, shared(refused)]).toEqual([
    [429, 'rate_limited'],
    'ip',
    toPage,
  ])
  expect(refused.headers.get('x-ratelimit-limit')).toBe('4')
  for (let asked = 0; asked < 20; asked++)
    expect(told(await ask({ key: app.account.keys.secret_test, origin: null }))).toBe(200)
  expect(told(await ask({ key: live.token }))).toBe(200)
  expect(told(await ask({ key: (await issue({ account: app.stranger })).token }))).toBe(200)
})

test('what a page refuses for its origin counts nothing', async () => {
  await clock.advance(60_000)
  for (let asked = 0; asked < 40; asked++) await ask({ origin: 'https://evil.example' })
  expect(told(await ask())).toBe(200)
})

test('every page may read an answer without a key, and a program is told nothing about pages', async () => {
  await clock.advance(60_000)
  for (const origin of [page, 'null', 'http://localhost:1234']) {
    const answer = await ask({ key: null, origin })
    expect([told(answer), shared(answer)]).toEqual([200, toEveryPage])
  }
  const refused = await ask({ key: null })
  expect([told(refused), shared(refused)]).toEqual([[429, 'rate_limited'], toEveryPage])
  expect(shared(await ask({ key: app.account.keys.secret_test, origin: null }))).toEqual(toNoPage)
})

test('no page reads what was asked with a secret key', async () => {
  const answer = await ask({ key: app.account.keys.secret_test })
  expect([told(answer), shared(answer)]).toEqual([200, toNoPage])
})

test('no page makes the answer say more than an origin', async () => {
  await clock.advance(60_000)
  const long = `https://${'a'.repeat(400)}.example`
  for (const shown of [null, key]) expect(shared(await ask({ key: shown, origin: long }))).toEqual(toNoPage)
})

test('a key that anybody can copy takes neither places nor room from its account', async () => {
  const crowded = await startTestApp({ limits: { requests: 1, discoveryTest: 1000 } })
  const tenant = { accountId: crowded.account.accountId, mode: 'test' } as const
  const { token } = await runAs(
    crowded.parts,
    { tenant, actor: { type: 'system', id: 'test' } },
    async (ctx) => issueKey(ctx, { kind: 'publishable', name: 'page', preset: 'full', origins: [page] }),
  )
  const search = (shown: string, query: string) =>
    crowded.post('/v1/catalog', { query }, { key: shown, headers: { origin: page } })
  const atOnce = async (shown: string, count: number) => {
    const answers = await Promise.all(Array.from({ length: count }, () => search(shown, 'tea')))
    return new Set(answers.map(({ status }) => status))
  }
  const { secret_test: secret } = crowded.account.keys
  expect(await atOnce(secret, 20)).toEqual(new Set([200, 429]))
  // Not more than have a place among the searches of their tenant, where others would wait for it.
  expect(await atOnce(token, 4)).toEqual(new Set([200]))
  const long = 'x'.repeat(70_000)
  expect(told(await search(token, long))).toEqual([413, 'payload_too_large'])
  expect(told(await search(secret, long))).not.toEqual([413, 'payload_too_large'])
  await crowded.stop()
})

test('a key of a page opens no tool, and lists none', async () => {
  const tool = await app.mcp('v1_search_catalog', { query: 'tea' }, { key })
  expect([tool.status, tool.body.detail.code]).toEqual([403, 'publishable_key_not_allowed'])
  expect(tool.body.detail.message).toContain('REST')
})
