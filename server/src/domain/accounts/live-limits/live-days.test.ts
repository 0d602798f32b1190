import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Spine, startSpine } from '../../../../test/harness/spine.ts'
import type { Tenant } from '../../../contract/context.ts'
import { endLiveDay, holdLiveDay } from './live-limits.sql.ts'

let spine: Spine
let tenant: Tenant
beforeAll(async () => {
  spine = await startSpine()
  tenant = { ...spine.newTenant(), mode: 'live' }
})
afterAll(() => spine?.close())

const day = '2026-05-01'
const now = new Date(`${day}T12:00:00Z`)

function hold(intent: string, amount: bigint, most: bigint) {
  const of = { account_id: tenant.accountId, mode: tenant.mode, intent_id: intent }
  return spine.pools.single(holdLiveDay({ ...of, currency: 'USD', day, amount, most, now }))
}

async function end(intent: string, charged: bigint): Promise<void> {
  const of = { account_id: tenant.accountId, mode: tenant.mode, intent_id: intent }
  await spine.pools.single(endLiveDay({ ...of, charged }))
}

async function used(): Promise<number> {
  const [row] = await spine.sql<{ used: string }>('select used from live_days where day = $1', [day])
  return Number(row?.used)
}

test('a day takes as much as its limit and not a cent more, whatever was read before', async () => {
  await hold('pi_1', 600n, 1000n)
  await hold('pi_2', 400n, 1000n)
  await expect(hold('pi_3', 1n, 1000n)).rejects.toThrow()
  expect(await used()).toBe(1000)
})

test('what ends gives back what it did not cost, once, and what it costs above its hold is not given back', async () => {
  await end('pi_1', 250n)
  await end('pi_1', 0n)
  expect(await used()).toBe(650)
  await end('pi_2', 9999n)
  expect(await used()).toBe(650)
  await hold('pi_1', 350n, 1000n)
  expect(await used()).toBe(1000)
  expect(
    await spine.sql(
      'select number, amount::int, charged::int from live_holds where intent_id = $1 order by 1',
      ['pi_1'],
    ),
  ).toEqual([
    { number: 1, amount: 600, charged: 250 },
    { number: 2, amount: 350, charged: null },
  ])
})
