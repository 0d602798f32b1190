import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { runAs } from '../../../platform/calls/run-as.ts'
import { addEntry, registryAccount } from '../../discovery/registry/public.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ limits: { looks: 2, lookWaits: 3 } })
  const tenant = { accountId: registryAccount, mode: 'test' } as const
  const actor = { type: 'system', id: 'operator:test' } as const
  await runAs(app.parts, { tenant, actor }, (ctx) =>
    addEntry(ctx, { origin: 'https://slow.shop.test', channel: 'browser', name: null }),
  )
})
afterAll(() => app?.stop())

function ask(path: string, key?: string) {
  const body = { id: `https://slow.shop.test${path}`, merchant: { domain: 'slow.shop.test' } }
  return app.post('/v1/catalog/product', body, key === undefined ? {} : { key })
}

const looksOf = (accountId: string) =>
  app.sql<{ host: string }>('select host from looks where account_id = $1', [accountId])

test('an account begins so many looks in a minute, and so many of its requests wait for them', async () => {
  // No worker serves them: they wait for as long as a request may.
  const begun = ['/a', '/b'].map((path) => ask(path))
  await expect.poll(() => looksOf(app.account.accountId), { interval: 20 }).toHaveLength(2)
  // What is under way is not begun again. Of these two, one finds no place.
  const joined = ['/a', '/a'].map((path) => ask(path))
  // Another account has its own places, its own rate and its own looks.
  const stranger = app.stranger.keys.secret_test
  const theirs = ['/a', '/c'].map((path) => ask(path, stranger))
  await expect.poll(() => looksOf(app.stranger.accountId), { interval: 20 }).toHaveLength(2)
  const refused = await ask('/d', stranger)
  expect([refused.status, refused.body.detail.scope]).toEqual([429, 'account.looks'])
  expect(await looksOf(app.stranger.accountId)).toHaveLength(2)
  const [first, second] = await Promise.all(joined)
  const turnedAway = first?.status === 429 ? first : second
  expect([first?.status, second?.status].sort()).toEqual([202, 429])
  expect(turnedAway?.body.detail.scope).toBe('account.look_waits')
  const rest = await Promise.all([...begun, ...theirs])
  expect(rest.map(({ status }) => status)).toEqual([202, 202, 202, 202])
})
