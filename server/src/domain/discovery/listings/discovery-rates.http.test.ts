import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type StoppedClock, stopClock } from '../../../../test/harness/stopped-clock.ts'
import { runAs } from '../../../platform/calls/run-as.ts'
import { issueKey } from '../../accounts/api-keys/public.ts'

let app: TestApp
let clock: StoppedClock
beforeAll(async () => {
  app = await startTestApp({
    testClock: true,
    limits: { discoveryAnonymousMinute: 3, discoveryAnonymousHour: 4, discoveryTest: 2, discoveryLive: 3 },
    trustedProxies: ['127.0.0.1'],
  })
  clock = await stopClock(app.parts.pools, new Date('2026-03-01T12:00:00Z'))
  await app.post('/v1/merchant', { slug: 'tea', domain: 'tea.example' })
})
afterAll(() => app.stop())
// Nothing of the test before counts any more.
beforeEach(() => clock.advance(3_600_001))

const search = (key: string | null, from = '203.0.113.9') =>
  app.post('/v1/catalog', { query: 'tea' }, { key, headers: { 'x-forwarded-for': from } })

const told = ({ status, body, headers }: Answer) =>
  status === 200
    ? 200
    : {
        status,
        scope: body.detail.scope,
        limit: body.detail.limit,
        window: body.detail.window_seconds,
        after: [body.detail.retry_after_seconds, Number(headers.get('retry-after'))],
        headers: [Number(headers.get('x-ratelimit-limit')), Number(headers.get('x-ratelimit-window'))],
      }

const refused = (scope: string, limit: number, window: number, after: number) => ({
  status: 429,
  scope,
  limit,
  window,
  after: [after, after],
  headers: [limit, window],
})

test('an address without a key has so many in a minute and so many in an hour, and is told which is used up', async () => {
  for (let asked = 0; asked < 3; asked++) expect(told(await search(null))).toBe(200)
  await clock.advance(10_000)
  expect(told(await search(null))).toEqual(refused('ip', 3, 60, 50))
  expect(told(await search(null, '203.0.113.10'))).toBe(200)
  await clock.advance(50_001)
  expect(told(await search(null))).toBe(200)
  expect(told(await search(null))).toEqual(refused('ip', 4, 3600, 3540))
})

test('addresses of one v6 network count together', async () => {
  for (const host of ['1', '2', '3']) expect(told(await search(null, `2001:db8:1:1::${host}`))).toBe(200)
  expect(told(await search(null, '2001:db8:1:1:ffff::4'))).toEqual(refused('ip', 3, 60, 60))
  expect(told(await search(null, '2001:db8:1:2::1'))).toBe(200)
})

test('all keys of an account count together, each mode by itself', async () => {
  const another = await app.newKey(app.account, 'test', 'full')
  expect(told(await search(app.account.keys.secret_test))).toBe(200)
  expect(told(await search(another.token))).toBe(200)
  expect(told(await search(another.token, '203.0.113.11'))).toEqual(refused('api_key', 2, 1, 1))
  expect(told(await search(app.stranger.keys.secret_test))).toBe(200)
  for (let asked = 0; asked < 3; asked++) expect(told(await search(app.account.keys.secret_live))).toBe(200)
  expect(told(await search(app.account.keys.secret_live))).toEqual(refused('api_key', 3, 1, 1))
  await clock.advance(1_001)
  expect(told(await search(another.token))).toBe(200)
})

test('requests at the same moment, lookups, products and tools count together', async () => {
  const key = app.account.keys.secret_test
  const merchant = { slug: 'tea' }
  const answers = await Promise.all([
    search(key),
    app.post('/v1/catalog/lookup', { ids: ['a'], merchant }),
    app.post('/v1/catalog/product', { id: 'a', merchant }),
    app.mcp('v1_search_catalog', { query: 'tea' }),
  ])
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(2)
  const tool = await app.mcp('v1_search_catalog', { query: 'tea' })
  expect([tool.status, tool.isError, tool.body.detail.scope, tool.meta.retry_after]).toEqual([
    429,
    true,
    'api_key',
    1,
  ])
})

test('a request that is refused for itself counts nothing', async () => {
  const key = app.account.keys.secret_test
  for (let asked = 0; asked < 5; asked++)
    expect((await app.post('/v1/catalog', {}, { key })).status).toBe(422)
  expect(told(await search(key))).toBe(200)
})

describe('keys that stand in pages', () => {
  const page = 'https://shop.example'
  const issue = async () => {
    const tenant = { accountId: app.account.accountId, mode: 'test' } as const
    const issued = await runAs(app.parts, { tenant, actor: { type: 'system', id: 'test' } }, async (ctx) =>
      issueKey(ctx, { kind: 'publishable', name: 'page', preset: 'full', origins: [page], expiresAt: null }),
    )
    return issued.token
  }
  const searchFrom = async (key: string, from: string) => {
    const headers = { 'x-forwarded-for': from, origin: page }
    return told(await app.post('/v1/catalog', { query: 'tea' }, { key, headers }))
  }
  const limits = { discoveryTest: 10 }
  beforeAll(() => Object.assign(app.parts.settings.limits, limits))
  afterAll(() => Object.assign(app.parts.settings.limits, { discoveryTest: 2 }))

  test('are counted by address first, then by key, and last together: the account has its own', async () => {
    const [copied, other] = [await issue(), await issue()]
    const one = '203.0.113.20'
    expect([await searchFrom(copied, one), await searchFrom(copied, one)]).toEqual([200, 200])
    expect(await searchFrom(copied, one)).toEqual(refused('ip', 2, 1, 1))
    for (const last of [21, 21, 22]) expect(await searchFrom(copied, `203.0.113.${last}`)).toBe(200)
    expect(await searchFrom(copied, '203.0.113.23')).toEqual(refused('api_key', 5, 1, 1))
    for (const last of [20, 20, 21, 21, 22]) expect(await searchFrom(other, `203.0.113.${last}`)).toBe(200)
    expect(await searchFrom(await issue(), '203.0.113.24')).toEqual(refused('api_key', 10, 1, 1))
    for (let asked = 0; asked < 10; asked++)
      expect(told(await search(app.account.keys.secret_test))).toBe(200)
    expect(told(await search(app.account.keys.secret_test))).toEqual(refused('api_key', 10, 1, 1))
  })
})
