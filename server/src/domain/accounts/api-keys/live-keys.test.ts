import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { statement } from '../../../contract/statement.ts'
import { runAs } from '../../../platform/calls/run-as.ts'
import { isKeyLive } from './live-keys.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

test('whether a key is live is known of the acting key, of no key, and of unknown, revoked and expired ones', async () => {
  const { accountId } = await app.newAccount()
  const { id, agentId } = await app.newKey({ accountId, keys: app.account.keys }, 'test', 'full')
  const as = { tenant: { accountId, mode: 'test' }, actor: { type: 'system', id: 'test' } } as const
  const isLive = (keyId: string | null, ofAgent: string | null = agentId) =>
    runAs(app.parts, as, (ctx) => isKeyLive(ctx, { keyId, agentId: ofAgent }))
  expect([await isLive(id), await isLive(null, null), await isLive('key_unknown')]).toEqual([
    true,
    true,
    false,
  ])
  expect(await isLive(id, 'agent_another')).toBe(false)
  // A person acts by the key of a page.
  expect(await isLive(id, null)).toBe(true)
  await app.parts.pools.single(endKey({ id, revoked_at: new Date(), expires_at: null }))
  expect([await isLive(id), await isLive(id, null)]).toEqual([false, false])
  await app.parts.pools.single(endKey({ id, revoked_at: null, expires_at: new Date(0) }))
  expect(await isLive(id)).toBe(false)
})

const endKey = statement<never, { id: string; revoked_at: Date | null; expires_at: Date | null }>(
  '',
  `update api_keys set revoked_at = $revoked_at, expires_at = $expires_at where id = $id`,
)
