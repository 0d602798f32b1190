import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { newBuyer } from '../../../test/harness/buyers.ts'
import { runningPurchase } from '../../../test/harness/hand-worker.ts'
import { claimCarts } from './execution.sql.ts'

/** What a worker cannot serve costs its claims nothing, however much of it is due. */
let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
  const { carts } = await runningPurchase(app, await newBuyer(app))
  await app.sql(
    `insert into carts select (jsonb_populate_record(c, jsonb_build_object('id', 'cart_x' || n, 'position', n,
       'channel', case when n % 1000 = 0 then 'simulated' else 'browser' end,
       'due_at', now() - make_interval(secs => 30000 - n)))).* from carts c, generate_series(1, 20000) as n where c.id = $1`,
    [carts[0]],
  )
  await app.sql('analyze carts')
}, 60_000)
afterAll(() => app.stop())

const claim = (limit: number) =>
  claimCarts({ limit, lease_seconds: 30, modes: ['test', 'live'], channels: ['simulated', 'native'] })

test('a claim steps over nothing that this worker has no means for', async () => {
  const { text, values } = claim(1)
  const [first] = await app.sql<{
    'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }]
  }>(`explain (analyze, buffers, format json) ${text}`, values)
  const plan = first?.['QUERY PLAN'][0].Plan
  expect((plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)).toBeLessThan(100)
})

test('of what it has the means for it gets the longest due, whatever else is due before', async () => {
  const { rows } = await app.parts.pools.single(claim(3))
  expect(rows.map(({ id }) => id).sort()).toEqual(['cart_x2000', 'cart_x3000', 'cart_x4000'])
})
