import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../server/test/harness/app.ts'
import { newBuyer } from '../../../server/test/harness/buyers.ts'
import { driveScript } from './drive-script.ts'
import { purchaseDocuments } from './purchase-documents.ts'

const folder = join(import.meta.dirname, '../../pgbench')

test('every script that a benchmark compares us with can write its rows', async () => {
  const app = await startTestApp()
  const { profileId } = await newBuyer(app)
  const { body: policy } = await app.post('/v1/policies', {
    name: 'Bench',
    currency: 'USD',
    limits: { intervals: [{ interval: 'day', max_amount: 1_000_000 }] },
  })
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  expect(scripts.length).toBeGreaterThan(1)
  for (const script of scripts) {
    const before = await purchases(app)
    const { operations } = await driveScript({
      url: app.databaseUrl,
      path: join(folder, script),
      seconds: 0.02,
      clients: 2,
      given: {
        account: app.account.accountId,
        profile: profileId,
        policy: policy.id,
        run: script.slice(0, 7),
        n: '0',
        ...purchaseDocuments,
      },
    })
    expect((await purchases(app)) - before, script).toBe(operations)
    expect(operations, script).toBeGreaterThan(0)
  }
  await app.stop()
})

async function purchases(app: Awaited<ReturnType<typeof startTestApp>>): Promise<number> {
  const [found] = await app.sql<{ count: number }>('select count(*)::int as count from purchase_intents')
  return found?.count ?? 0
}
