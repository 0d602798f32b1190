import { expect, test } from 'vitest'
import {
  accountId,
  dayLimit,
  givenPolicy,
  inUnit,
  pools,
  request,
  usage,
  usePolicyDatabase,
} from '../../../test/harness/policy-units.ts'
import { statement } from '../../contract/statement.ts'
import { reserve, settleReservation } from './reservations.ts'

usePolicyDatabase()

type Key = { account_id: string; policy_id: string }
type Stored = { windows: { day?: { start: string; reserved: string; spent: string; count: number } } }

const selectCounter = statement<Stored, Key>(
  '',
  `select windows from policy_counters where account_id = $account_id and mode = 'test' and policy_id = $policy_id`,
)
/** As the version before writes what a purchase of it holds. */
const writeCounter = statement<never, Key & { windows: string }>(
  '',
  `update policy_counters set windows = $windows::jsonb
   where account_id = $account_id and mode = 'test' and policy_id = $policy_id`,
)

test('the version before reads what this one counts, and this one what that one counts', async () => {
  const policy = await givenPolicy({ limits: dayLimit(1_000) })
  const key = { account_id: accountId, policy_id: policy.id }
  await inUnit((ctx) => reserve(ctx, request('pi_1')))
  const [row] = await pools.read(selectCounter(key))
  const day = { start: '2026-07-15', reserved: '100', spent: '0', count: 1 }
  expect(row?.windows.day).toEqual(day)
  const windows = { ...row?.windows, day: { ...day, reserved: '250', count: 2 } }
  await pools.single(writeCounter({ ...key, windows: JSON.stringify(windows) }))
  expect(await usage(policy)).toMatchObject([{ reserved: 250, count: 2 }])
  await inUnit((ctx) => settleReservation(ctx, { intentId: 'pi_1', actual: 40n }))
  expect(await usage(policy)).toMatchObject([{ reserved: 150, spent: 40, count: 2 }])
  const [settled] = await pools.read(selectCounter(key))
  expect(settled?.windows.day).toEqual({ ...day, reserved: '150', spent: '40', count: 2 })
})

test('each version makes policies that the other one knows', async () => {
  const policy = await givenPolicy({ limits: dayLimit(1_000) })
  expect(await pools.read(selectCounter({ account_id: accountId, policy_id: policy.id }))).toEqual([
    { windows: {} },
  ])
  const made = await pools.single({
    name: '',
    text: `with made as (
        insert into policies (account_id, mode, id, name, scope_default, scope_profile_ids, scope_agent_ids, terms, version, seq, created_at,
          updated_at)
        values ($1, 'test', 'pol_before', 'Before', true, '{}', '{}', '{}', 1, 1, now(), now()))
      insert into policy_counters (account_id, mode, policy_id, policy_version, windows) values ($1, 'test', 'pol_before', 1, '{}')`,
    values: [accountId],
  })
  expect(made.rowCount).toBe(1)
})
