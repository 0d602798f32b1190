import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { newBuyer } from '../../../../test/harness/buyers.ts'
import { costOf } from '../../../../test/harness/explain.ts'
import { runningPurchase } from '../../../../test/harness/hand-worker.ts'
import { turnOf } from '../../../platform/work/turns.testing.ts'
import { claimCarts } from '../intents/writes.sql.ts'

/** What a worker cannot serve costs its claims nothing, however much of it is due. */
let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
  const { carts } = await runningPurchase(app, await newBuyer(app))
  await app.sql(
    `insert into carts select (jsonb_populate_record(c, jsonb_build_object('id', 'cart_x' || n, 'position', n,
       'channel', case when n % 1000 = 0 then 'simulated' else 'browser' end,
       'due_at', now() - make_interval(secs => 5000 - n)))).* from carts c, generate_series(1, 4000) as n where c.id = $1`,
    [carts[0]],
  )
  await app.sql('analyze carts')
})
afterAll(() => app.stop())

const claim = (limit: number) =>
  claimCarts({ ...turnOf(limit), modes: ['test', 'live'], channels: ['simulated', 'native'], of_ours: [] })

test('a claim steps over nothing that this worker has no means for', async () => {
  const client = new Client({ connectionString: app.databaseUrl })
  await client.connect()
  try {
    const { buffers } = await costOf(client, claim(1))
    expect(buffers).toBeLessThan(120)
  } finally {
    await client.end()
  }
})

test('among the rows that it has the means for, a worker gets those that are due longest, even if other rows are due before', async () => {
  const { rows } = await app.parts.pools.single(claim(2))
  expect(rows.map(({ id }) => id).sort()).toEqual(['cart_x1000', 'cart_x2000'])
})
