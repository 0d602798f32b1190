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
  const { accountId } = app.account
  // No worker serves them: they wait until the end of the test.
  const waiting = ['/a', '/b'].map((path) => ask(path))
  await expect.poll(() => looksOf(accountId), { interval: 20 }).toHaveLength(2)
  // Who asks for what is under way begins nothing.
  waiting.push(ask('/a'))
  await expect.poll(async () => (await ask('/a')).body.scope, { interval: 20 }).toBe('account.look_waits')
  // Another account has its own places and its own rate, and its own looks.
  const stranger = app.stranger.keys.secret_test
  const theirs = ['/a', '/c'].map((path) => ask(path, stranger))
  await expect.poll(() => looksOf(app.stranger.accountId), { interval: 20 }).toHaveLength(2)
  const refused = await ask('/d', stranger)
  expect(refused).toMatchObject({ status: 429, body: { scope: 'account.looks', limit: 2 } })
  expect(await looksOf(app.stranger.accountId)).toHaveLength(2)
  expect((await Promise.all([...waiting, ...theirs])).map(({ status }) => status)).toEqual([
    202, 202, 202, 202, 202,
  ])
})
