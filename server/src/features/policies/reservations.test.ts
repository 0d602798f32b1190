import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import type { ActingContext } from '../../contract/context.ts'
import { statement } from '../../contract/statement.ts'
import { createIdSource, type Id } from '../../core/id.ts'
import type { Result } from '../../core/result.ts'
import { createReads, openUnit } from '../../platform/calls/unit.ts'
import { openPools, type Pools } from '../../platform/database/pool.ts'
import type { Hints } from '../../platform/hints/hints.ts'
import type { PolicyVerdict } from './decide-purchase.ts'
import { checkWindows } from './invariants.sql.ts'
import {
  insertPolicy,
  insertPolicyCounter,
  insertPolicyVersion,
  lockPolicy,
  selectApplicablePolicies,
  selectPolicy,
  updateCounterVersion,
  updatePolicyRow,
} from './policies.sql.ts'
import { type Policy, type PolicyRow, type PolicyWritten, renderPolicy } from './policy.ts'
import type { Purchase } from './purchase.ts'
import {
  admitPurchase,
  exchangeReservation,
  type HoldRefusal,
  type HoldRequest,
  releaseReservation,
  reserve,
  settleReservation,
} from './reservations.ts'
import { newPolicy, withWritten, writeOf } from './write-policy.ts'

let database: TestDatabase
let pools: Pools
let accountId: Id<'acct'>
const noHints: Hints = { publish: () => undefined, on: () => () => undefined }
const newId = createIdSource(randomBytes)
const profileId = 'prof_any'
const noon = new Date('2026-07-15T12:00:00.000Z')

beforeAll(async () => {
  database = await createTestDatabase()
  pools = openPools({
    url: database.url,
    writers: 16,
    readers: 2,
    applicationName: 'test',
    onError: () => undefined,
  })
})
afterAll(async () => {
  await pools.close()
  await database.drop()
})
beforeEach(async () => {
  accountId = newId('acct', noon.getTime())
  await pools.single(insertAccount({ id: accountId }))
})

const insertAccount = statement<never, { id: string }>(
  '',
  `insert into accounts (id, name, created_at) values ($id, 'Test', now())`,
)

/** One transaction, committed unless `work` answers a refusal or throws. */
async function inUnit<T>(work: (ctx: ActingContext) => Promise<T>, now = noon): Promise<T> {
  const tenant = { accountId, mode: 'test' } as const
  const origin = {
    tenant,
    actor: { type: 'system', id: 'test' } as const,
    requestId: newId('req', now.getTime()),
    now,
    newId: <P extends Parameters<typeof newId>[0]>(prefix: P) => newId(prefix, now.getTime()),
  }
  const unit = openUnit({ pools, hints: noHints }, origin)
  const unused = () => {
    throw new Error('policies seal nothing')
  }
  const ctx: ActingContext = {
    ...origin,
    random: randomBytes,
    reads: createReads(pools),
    tx: unit.tx,
    sealer: { seal: unused, open: unused, hashToken: unused },
    settings: { publicUrl: 'http://127.0.0.1', allowLoopback: true, livePayments: false },
  }
  try {
    const result = await work(ctx)
    await unit.finish()
    return result
  } catch (error) {
    await unit.rollback()
    throw error
  }
}

async function givenPolicy(written: PolicyWritten): Promise<PolicyRow> {
  return inUnit(async (ctx) => {
    const row = newPolicy(ctx, { name: 'Policy', currency: 'EUR', ...written })
    const write = writeOf(row, ctx.tenant)
    for (const insert of [insertPolicy, insertPolicyVersion]) ctx.tx.write(insert(write))
    ctx.tx.write(insertPolicyCounter(write))
    return row
  })
}

async function givenNewVersion(policy: PolicyRow, written: PolicyWritten): Promise<void> {
  const key = { account_id: accountId, mode: 'test', id: policy.id } as const
  await inUnit(async (ctx) => {
    const row = await ctx.tx.maybe(lockPolicy(key))
    if (!row) throw new Error('no policy')
    const next = { ...withWritten(row, written), version: row.version + 1 }
    ctx.tx.write(updatePolicyRow(writeOf(next, ctx.tenant)))
    ctx.tx.write(insertPolicyVersion(writeOf(next, ctx.tenant)))
    ctx.tx.write(updateCounterVersion({ ...key, version: next.version }))
  })
}

async function usage(policy: PolicyRow, now = noon): Promise<Policy['usage']> {
  const row = await pools.read(selectPolicy({ account_id: accountId, mode: 'test', id: policy.id }))
  if (!row[0]) throw new Error('no policy')
  return renderPolicy(row[0], { accountId, mode: 'test' }, now).usage
}

function request(intentId: string, amounts: Partial<Purchase> = {}): HoldRequest {
  return {
    intentId,
    profileId,
    apiKeyId: null,
    policyId: null,
    tolerancePercent: 5,
    purchase: {
      currency: 'EUR',
      expected: 100n,
      cap: 100n,
      feeAllowance: 0n,
      merchants: [{ domain: 'shop.example', mcc: '5411', country: 'DE' }],
      shippingCountry: 'DE',
      ...amounts,
    },
  }
}

/** `admitPurchase` with the policies read beforehand, as the caller does. */
async function admit(ctx: ActingContext, hold: HoldRequest, stepUp = false): Promise<PolicyVerdict> {
  const policies = await ctx.reads.rows(
    selectApplicablePolicies({
      account_id: accountId,
      mode: 'test',
      profile_id: hold.profileId,
      api_key_id: hold.apiKeyId,
      policy_id: hold.policyId,
    }),
  )
  return admitPurchase(ctx, { ...hold, policies, stepUp })
}

async function expectM7(): Promise<void> {
  const [row] = await pools.read(checkWindows({}))
  expect(row?.violations ?? []).toEqual([])
}

function capOf(result: Result<PolicyVerdict, HoldRefusal>): bigint | string {
  return result.ok ? result.value.cap : result.refusal.code
}

const dayLimit = (max_amount: number) => ({ intervals: [{ interval: 'day' as const, max_amount }] })

test('of 200 parallel reservations on a limit for ten exactly ten succeed, without a deadlock, and M7 holds all the way', async () => {
  // The same purchases under three policies whose limits bind in another order than their ids.
  const policies = [
    await givenPolicy({ limits: { intervals: [{ interval: 'month', max_amount: 5_000 }] } }),
    await givenPolicy({
      limits: {
        intervals: [
          { interval: 'all_time', max_count: 10 },
          { interval: 'day', max_amount: 1_000 },
        ],
      },
    }),
    await givenPolicy({ limits: { intervals: [{ interval: 'year', max_amount: 1_200 }] } }),
  ]
  let isDone = false
  const watch = (async () => {
    let looks = 0
    while (!isDone) {
      await expectM7()
      looks++
    }
    return looks
  })()
  const results = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      // Every third one names a policy, so that policies are reached by their scope and by their name.
      inUnit((ctx) => reserve(ctx, { ...request(`pi_${index}`), policyId: policies[index % 3]?.id ?? null })),
    ),
  )
  isDone = true
  expect(await watch).toBeGreaterThan(0)
  expect(results.filter(({ ok }) => ok)).toHaveLength(10)
  const refusals = results.flatMap((result) => (result.ok ? [] : [result.refusal.code]))
  expect(new Set(refusals)).toEqual(new Set(['policy_limit_exceeded']))
  for (const policy of policies) {
    const [first] = await usage(policy)
    expect(first).toMatchObject({ reserved: 1_000, spent: 0, count: 10 })
  }
  await expectM7()
})

test('reserving, exchanging, settling and giving back in parallel leave the counters equal to their reservations', async () => {
  const policy = await givenPolicy({ limits: dayLimit(100_000) })
  await givenPolicy({ limits: { intervals: [{ interval: 'week', max_amount: 100_000, max_count: 500 }] } })
  const rounds = Array.from({ length: 60 }, async (_, index) => {
    const intentId = `pi_${index}`
    await inUnit((ctx) => reserve(ctx, request(intentId)))
    if (index % 2 === 0) await inUnit((ctx) => exchangeReservation(ctx, request(intentId, { cap: 150n })))
    if (index % 3 === 0) await inUnit((ctx) => settleReservation(ctx, { intentId, actual: 70n }))
    if (index % 3 === 1) await inUnit((ctx) => releaseReservation(ctx, { intentId }))
  })
  await Promise.all(rounds)
  expect(await usage(policy)).toMatchObject([{ spent: 20 * 70, count: 40, reserved: 10 * 150 + 10 * 100 }])
  await expectM7()
})

test('a reservation that waits behind a new version is judged by the new version', async () => {
  const policy = await givenPolicy({ limits: dayLimit(1_000) })
  const key = { account_id: accountId, mode: 'test', id: policy.id } as const
  let waiting: Promise<Result<PolicyVerdict, HoldRefusal>> | undefined
  await inUnit(async (ctx) => {
    const row = await ctx.tx.maybe(lockPolicy(key))
    if (!row) throw new Error('no policy')
    waiting = inUnit((other) => reserve(other, request('pi_1')))
    await somebodyWaits()
    const next = { ...withWritten(row, { limits: dayLimit(50) }), version: row.version + 1 }
    ctx.tx.write(updatePolicyRow(writeOf(next, ctx.tenant)))
    ctx.tx.write(insertPolicyVersion(writeOf(next, ctx.tenant)))
    ctx.tx.write(updateCounterVersion({ ...key, version: next.version }))
  })
  expect(await waiting?.then(capOf)).toBe('policy_limit_exceeded')
  await expectM7()
})

const countWaiting = statement<{ waiting: number }, Record<never, never>>(
  '',
  `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
)

async function somebodyWaits(): Promise<void> {
  for (;;) {
    const [row] = await pools.read(countWaiting({}))
    if (row && row.waiting > 0) return
  }
}

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

test('what is given back makes room again, once', async () => {
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

test('created intents count for the day whatever becomes of them, denied ones do not', async () => {
  await givenPolicy({ limits: { max_intents_per_day: 2 } })
  const results: string[] = []
  for (const id of ['pi_1', 'pi_2', 'pi_3'])
    results.push((await inUnit((ctx) => admit(ctx, request(id)))).result)
  expect(results).toEqual(['require_approval', 'require_approval', 'deny'])
  const tomorrow = new Date('2026-07-16T12:00:00.000Z')
  expect((await inUnit((ctx) => admit(ctx, request('pi_4')), tomorrow)).result).toBe('require_approval')
})

test('of 40 parallel creates under three intents a day exactly three are not denied', async () => {
  await givenPolicy({ limits: { max_intents_per_day: 3 } })
  const verdicts = await Promise.all(
    Array.from({ length: 40 }, (_, index) => inUnit((ctx) => admit(ctx, request(`pi_${index}`)))),
  )
  expect(verdicts.filter(({ result }) => result !== 'deny')).toHaveLength(3)
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
  await givenNewVersion(policy, { scope: { profile_ids: ['prof_other'] } })
  expect(
    await inUnit((ctx) => exchangeReservation(ctx, request('pi_1', { expected: 900n, cap: 900n }))).then(
      capOf,
    ),
  ).toBe(900n)
  expect(await usage(policy)).toMatchObject([{ reserved: 0, count: 0 }])
  await expectM7()
})

test('M7 finds a counter that says less than its reservations and a sum above the limit', async () => {
  const policy = await givenPolicy({ limits: dayLimit(100) })
  await inUnit((ctx) => reserve(ctx, request('pi_1')))
  const key = { account_id: accountId, policy_id: policy.id }
  await pools.single(setReserved({ ...key, reserved: '"0"' }))
  const [row] = await pools.read(checkWindows({}))
  expect(row?.violations).toEqual([`${policy.id} day 2026-07-15`])
  await pools.single(setReserved({ ...key, reserved: '"101"' }))
  await pools.single(setAmount({ ...key, amount: 101n }))
  const [second] = await pools.read(checkWindows({}))
  expect(second?.violations).toContain(`${policy.id} day 2026-07-15`)
  await pools.single(setAmount({ ...key, amount: 100n }))
  await pools.single(setReserved({ ...key, reserved: '"100"' }))
  await expectM7()
})

const setReserved = statement<never, { account_id: string; policy_id: string; reserved: string }>(
  '',
  `update policy_counters set windows = jsonb_set(windows, '{day,reserved}', $reserved::jsonb)
   where account_id = $account_id and mode = 'test' and policy_id = $policy_id`,
)
const setAmount = statement<never, { account_id: string; policy_id: string; amount: bigint }>(
  '',
  `update policy_reservations set amount = $amount
   where account_id = $account_id and mode = 'test' and policy_id = $policy_id`,
)
