import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { runImports } from '../../../../test/harness/imports.ts'
import { advanceTestClock, installTestClock } from '../../../platform/clock/test-clock.ts'
import { silentLog } from '../../../platform/logs/logs.ts'
import { defaultRetention } from '../../../platform/retention/retention.ts'
import { runSweep } from '../../../platform/retention/run-sweep.ts'
import { sweepImports } from './sweep-imports.sql.ts'

const day = 86_400

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ testClock: true })
  await installTestClock(app.databaseUrl)
  for (const key of [app.account.keys.secret_test, app.stranger.keys.secret_test])
    await app.post('/v1/merchant', { domain: 'tea.example', currency: 'EUR' }, { key })
})
afterAll(() => app.stop())

const sweep = () => runSweep({ ...app.parts, log: silentLog(), retention: defaultRetention }, sweepImports)

async function send(rows: number, key = app.account.keys.secret_test): Promise<string> {
  const raw = Array.from({ length: rows }, (_, row) => JSON.stringify({ title: row })).join('\n')
  const headers = { 'content-type': 'application/x-ndjson' }
  const { status, body } = await app.post('/v1/merchant/catalog_items/import', undefined, {
    raw,
    headers,
    key,
  })
  expect(status).toBe(201)
  return body.id
}

test('the faults of an import go a week after its end and its counts stay, and an unread file stays whole', async () => {
  const old = await send(450)
  const other = await send(1, app.stranger.keys.secret_test)
  await runImports(app)
  await app.sql(
    `insert into catalog_import_pieces (account_id, mode, import_id, position, content)
     select account_id, mode, id, 0, 'left over' from catalog_imports where id = $1`,
    [old],
  )
  await advanceTestClock(app.databaseUrl, 7 * day - 60)
  expect((await sweep()).rows).toBe(0)
  await advanceTestClock(app.databaseUrl, 120)
  const waiting = await send(2)
  expect((await sweep()).rows).toBe(450 + 1 + 1)
  const shown = (await app.get(`/v1/merchant/catalog_imports/${old}`)).body
  expect(shown).toMatchObject({ progress: { rows: 450, failed: 450 }, errors: [] })
  expect(
    await app.sql('select from catalog_import_errors where import_id = any ($1)', [[old, other]]),
  ).toEqual([])
  await advanceTestClock(app.databaseUrl, 30 * day)
  expect((await sweep()).rows).toBe(0)
  await runImports(app)
  expect((await app.get(`/v1/merchant/catalog_imports/${waiting}`)).body.progress.failed).toBe(2)
})
