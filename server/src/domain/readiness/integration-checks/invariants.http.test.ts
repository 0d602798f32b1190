import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '../../../../test/harness/app.ts'
import { type Delivering, startDelivering } from '../../../../test/harness/deliveries.ts'
import { placeOrder } from '../../../../test/harness/orders.ts'
import { runInvariants } from '../../../platform/audit/invariants.ts'
import { merchantInvariants } from '../../selling/merchant/invariants.sql.ts'
import { integrationCheckInvariants } from './invariants.sql.ts'
import { newOrderChecks } from './order-checks.testing.ts'
import { checkWork } from './work.ts'

let delivering: Delivering
let app: TestApp
let database: Client
beforeAll(async () => {
  delivering = await startDelivering({}, [checkWork])
  ;({ app } = delivering)
  database = new Client({ connectionString: app.databaseUrl })
  await database.connect()
})
afterAll(async () => {
  await database.end()
  await delivering.stop()
})

async function broken(): Promise<string[]> {
  const all = [...integrationCheckInvariants, ...merchantInvariants]
  const { invariants } = await runInvariants(app.parts, all)
  for (const { id, checked } of invariants)
    expect(Number(checked), `${id} looks at something`).toBeGreaterThan(0)
  return invariants.filter(({ violations }) => violations.length > 0).map(({ id }) => id)
}

test.each([
  ['S2-checks', 'update integration_checks set seq = seq + 1', 'update integration_checks set seq = seq - 1'],
  [
    'E2-checks',
    "update orders set responded_by_type = 'api_key' where responded_by_type = 'destination'",
    "update orders set responded_by_type = 'destination' where responded_by_id like 'dest_%'",
  ],
  [
    'W2-checks',
    "update integration_checks set deadline_at = now() - interval '61 seconds' where due_at is not null",
    "update integration_checks set deadline_at = now() + interval '1 hour' where due_at is not null",
  ],
  [
    'W2-domains',
    "update domain_verifications set due_at = now() - interval '61 seconds'",
    'update domain_verifications set due_at = now()',
  ],
])('%s notices when it is broken', async (id, damage, repair) => {
  const checks = await newOrderChecks(delivering)
  const proving = await checks.connect()
  await checks.finished(proving, await checks.provenOrder(proving))
  await checks.start(proving, await placeOrder(app, app.account, checks.shop))
  await database.query(
    `insert into domain_verifications (account_id, mode, id, domain, token, status, asked, due_at, created_at, updated_at)
     values ($1, 'test', $2, 'shop.example', 'token', 'pending', 1, now(), now(), now())`,
    [checks.seller.accountId, app.parts.newId('chk', Date.now())],
  )
  expect(await broken()).toEqual([])
  await database.query(damage)
  expect(await broken()).toEqual([id])
  await database.query(repair)
})
