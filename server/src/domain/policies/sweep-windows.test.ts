import { expect, test } from 'vitest'
import {
  accountId,
  dayLimit,
  expectM7,
  givenPolicy,
  inUnit,
  pools,
  request,
  usePolicyDatabase,
} from '../../../test/harness/policy-units.ts'
import { statement } from '../../contract/statement.ts'
import { reserve, settleReservation } from './reservations.ts'
import { sweepWindows } from './windows.sql.ts'

usePolicyDatabase()

const selectWindows = statement<
  { interval: string; start: string },
  { account_id: string; policy_id: string }
>(
  '',
  `select interval, start from policy_windows
   where account_id = $account_id and mode = 'test' and policy_id = $policy_id order by interval, start`,
)

test('windows are swept when they ended long ago and hold nothing, and no window that runs is', async () => {
  const policy = await givenPolicy({ limits: dayLimit(1_000) })
  const days = ['2026-07-15', '2026-07-16', '2026-07-30'].map((day) => new Date(`${day}T12:00:00.000Z`))
  for (const [index, day] of days.entries()) await inUnit((ctx) => reserve(ctx, request(`pi_${index}`)), day)
  for (const intentId of ['pi_0', 'pi_2'])
    await inUnit((ctx) => settleReservation(ctx, { intentId, actual: 40n }))
  for await (const _ of sweepWindows.batches(pools, new Date('2026-07-31T12:00:00.000Z')));
  expect(await pools.read(selectWindows({ account_id: accountId, policy_id: policy.id }))).toEqual([
    { interval: 'all_time', start: '0001-01-01' },
    // The purchase of the 16th is still under way.
    { interval: 'day', start: '2026-07-16' },
    { interval: 'day', start: '2026-07-30' },
    { interval: 'month', start: '2026-07-01' },
    { interval: 'week', start: '2026-07-13' },
    { interval: 'week', start: '2026-07-27' },
    { interval: 'year', start: '2026-01-01' },
  ])
  await expectM7()
})
