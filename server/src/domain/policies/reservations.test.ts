import { expect, test } from 'vitest'
import {
  accountId,
  admit,
  capOf,
  dayLimit,
  expectM7,
  givenPolicy,
  inUnit,
  lock,
  pools,
  request,
  usage,
  usePolicyDatabase,
  writeVersion,
} from '../../../test/harness/policy-units.ts'
import { statement } from '../../contract/statement.ts'
import { checkWindows } from './invariants.sql.ts'
import { exchangeReservation, releaseReservation, reserve, settleReservation } from './reservations.ts'

usePolicyDatabase()

test('the cap is lowered to what the window has left and no further than the expected amount', async () => {
  const policy = await givenPolicy({ limits: dayLimit(250) })
  expect(await inUnit((ctx) => reserve(ctx, request('pi_1', { cap: 130n }))).then(capOf)).toBe(130n)
  expect(await inUnit((ctx) => reserve(ctx, request('pi_2', { cap: 130n }))).then(capOf)).toBe(120n)
  expect(await inUnit((ctx) => reserve(ctx, request('pi_3'))).then(capOf)).toBe('policy_limit_exceeded')
  expect(await usage(policy)).toMatchObject([{ limit: 250, reserved: 250, remaining: 0, count: 2 }])
  await inUnit((ctx) => settleReservation(ctx, { intentId: 'pi_1', actual: 101n }))
  expect(await usage(policy)).toMatchObject([{ reserved: 120, spent: 101, remaining: 29 }])
})

test('a policy that denies for another reason than a full window says so', async () => {
  await givenPolicy({ limits: dayLimit(50), merchants: { block: ['shop.example'] } })
  expect(await inUnit((ctx) => reserve(ctx, request('pi_1'))).then(capOf)).toBe('policy_denied')
})

test('windows begin again at midnight, and a late settlement corrects the day it was reserved in', async () => {
  const policy = await givenPolicy({
    limits: {
      intervals: [
        { interval: 'day', max_amount: 100 },
        { interval: 'month', max_amount: 500 },
      ],
    },
  })
  const [evening, morning] = [new Date('2026-07-15T23:59:59.999Z'), new Date('2026-07-16T00:00:00.000Z')]
  await inUnit((ctx) => reserve(ctx, request('pi_1')), evening)
  expect(await inUnit((ctx) => reserve(ctx, request('pi_2')), morning).then(capOf)).toBe(100n)
  await inUnit((ctx) => settleReservation(ctx, { intentId: 'pi_1', actual: 40n }), morning)
  expect(await usage(policy, morning)).toMatchObject([
    { window_start: '2026-07-16T00:00:00.000Z', reserved: 100, spent: 0, count: 1 },
    { window_start: '2026-07-01T00:00:00.000Z', reserved: 100, spent: 40, count: 2 },
  ])
  expect(await pools.read(selectDays({ account_id: accountId, policy_id: policy.id }))).toEqual([
    { start: '2026-07-15', reserved: 0n, spent: 40n, count: 1 },
    { start: '2026-07-16', reserved: 100n, spent: 0n, count: 1 },
  ])
  // A process whose clock is a moment behind finds the new day, not an empty old one.
  expect(await inUnit((ctx) => reserve(ctx, request('pi_3')), evening).then(capOf)).toBe(
    'policy_limit_exceeded',
  )
  await expectM7()
})

test('a settlement after midnight and before the next purchase corrects the old day', async () => {
  const policy = await givenPolicy({ limits: dayLimit(100) })
  const [evening, morning] = [new Date('2026-07-15T23:00:00.000Z'), new Date('2026-07-16T01:00:00.000Z')]
  await inUnit((ctx) => reserve(ctx, request('pi_1')), evening)
  await inUnit((ctx) => settleReservation(ctx, { intentId: 'pi_1', actual: 60n }), morning)
  expect(await usage(policy, evening)).toMatchObject([{ reserved: 0, spent: 60, count: 1 }])
  expect(await usage(policy, morning)).toMatchObject([{ reserved: 0, spent: 0, count: 0 }])
  await expectM7()
})

test('released money makes room again, once', async () => {
  const policy = await givenPolicy({
    limits: { intervals: [{ interval: 'day', max_amount: 100, max_count: 1 }] },
  })
  await inUnit((ctx) => reserve(ctx, request('pi_1')))
  expect(await inUnit((ctx) => reserve(ctx, request('pi_2'))).then(capOf)).toBe('policy_limit_exceeded')
  await inUnit((ctx) => releaseReservation(ctx, { intentId: 'pi_1' }))
  await inUnit((ctx) => releaseReservation(ctx, { intentId: 'pi_1' }))
  await inUnit((ctx) => settleReservation(ctx, { intentId: 'pi_1', actual: 100n }))
  expect(await usage(policy)).toMatchObject([{ reserved: 0, spent: 0, count: 0 }])
  expect(await inUnit((ctx) => reserve(ctx, request('pi_2'))).then(capOf)).toBe(100n)
})

test('an exchange sees the window without what it replaces, and changes nothing when refused', async () => {
  const policy = await givenPolicy({ limits: dayLimit(200) })
  await inUnit((ctx) => reserve(ctx, request('pi_1')))
  const dearer = request('pi_1', { expected: 180n, cap: 190n })
  expect(await inUnit((ctx) => exchangeReservation(ctx, dearer)).then(capOf)).toBe(190n)
  const tooDear = request('pi_1', { expected: 201n, cap: 201n })
  expect(await inUnit((ctx) => exchangeReservation(ctx, tooDear)).then(capOf)).toBe('policy_limit_exceeded')
  expect(await usage(policy)).toMatchObject([{ reserved: 190, count: 1 }])
  await expectM7()
})

test('a second part of a purchase that was counted already is held and not counted again', async () => {
  const policy = await givenPolicy({
    limits: { intervals: [{ interval: 'day', max_amount: 500, max_count: 1 }] },
  })
  await inUnit((ctx) => reserve(ctx, request('pi_1')))
  await inUnit((ctx) => settleReservation(ctx, { intentId: 'pi_1', actual: 30n }))
  expect(await inUnit((ctx) => reserve(ctx, request('pi_1', { expected: 70n, cap: 70n }))).then(capOf)).toBe(
    70n,
  )
  expect(await usage(policy)).toMatchObject([{ reserved: 70, spent: 30, count: 1 }])
  await expectM7()
})

test('created intents count for the day in every end, and denied ones do not', async () => {
  await givenPolicy({ limits: { max_intents_per_day: 2 } })
  const results: string[] = []
  for (const id of ['pi_1', 'pi_2', 'pi_3'])
    results.push((await inUnit((ctx) => admit(ctx, request(id)))).result)
  expect(results).toEqual(['require_approval', 'require_approval', 'deny'])
  const tomorrow = new Date('2026-07-16T12:00:00.000Z')
  expect((await inUnit((ctx) => admit(ctx, request('pi_4')), tomorrow)).result).toBe('require_approval')
})

test('a purchase that is allowed unattended holds its cap, never above the threshold; a step-up holds nothing', async () => {
  const policy = await givenPolicy({
    limits: dayLimit(1_000),
    approval: { mode: 'above_threshold', auto_approve_up_to: 110 },
  })
  expect(await inUnit((ctx) => admit(ctx, request('pi_1', { cap: 150n })))).toMatchObject({
    result: 'allow',
    cap: 110n,
  })
  expect(await inUnit((ctx) => admit(ctx, request('pi_2', { cap: 150n }), true))).toMatchObject({
    result: 'require_approval',
    cap: 150n,
  })
  expect(await usage(policy)).toMatchObject([{ reserved: 110, count: 1 }])
})

test('a policy archived or narrowed away from a purchase still gets back what the purchase held of it', async () => {
  const policy = await givenPolicy({ limits: dayLimit(200) })
  await inUnit((ctx) => reserve(ctx, request('pi_1')))
  await inUnit(async (ctx) =>
    writeVersion(ctx, await lock(ctx, policy), { scope: { profile_ids: ['prof_other'] } }),
  )
  expect(
    await inUnit((ctx) => exchangeReservation(ctx, request('pi_1', { expected: 900n, cap: 900n }))).then(
      capOf,
    ),
  ).toBe(900n)
  expect(await usage(policy)).toMatchObject([{ reserved: 0, count: 0 }])
  await expectM7()
})

test('M7 finds a window that says less than its reservations and a sum above the limit', async () => {
  const policy = await givenPolicy({ limits: dayLimit(100) })
  await inUnit((ctx) => reserve(ctx, request('pi_1')))
  const key = { account_id: accountId, policy_id: policy.id }
  await pools.single(setReserved({ ...key, reserved: 0n }))
  const [row] = await pools.read(checkWindows({}))
  expect(row?.violations).toEqual([`${policy.id} day 2026-07-15`])
  await pools.single(setReserved({ ...key, reserved: 101n }))
  await pools.single(setAmount({ ...key, amount: 101n }))
  const [second] = await pools.read(checkWindows({}))
  expect(second?.violations).toContain(`${policy.id} day 2026-07-15`)
  await pools.single(setAmount({ ...key, amount: 100n }))
  await pools.single(setReserved({ ...key, reserved: 100n }))
  await expectM7()
})

const selectDays = statement<
  { start: string; reserved: bigint; spent: bigint; count: number },
  { account_id: string; policy_id: string }
>(
  '',
  `select start, reserved, spent, count from policy_windows
   where account_id = $account_id and mode = 'test' and policy_id = $policy_id and interval = 'day' order by start`,
)
const setReserved = statement<never, { account_id: string; policy_id: string; reserved: bigint }>(
  '',
  `update policy_windows set reserved = $reserved
   where account_id = $account_id and mode = 'test' and policy_id = $policy_id and interval = 'day'`,
)
const setAmount = statement<never, { account_id: string; policy_id: string; amount: bigint }>(
  '',
  `update policy_reservations set amount = $amount
   where account_id = $account_id and mode = 'test' and policy_id = $policy_id`,
)
