import { expect, test } from 'vitest'
import {
  accountId,
  admit,
  admitUnchanged,
  dayLimit,
  expectM7,
  givenPolicy,
  inUnit,
  lock,
  pools,
  request,
  somebodyWaits,
  storedWindows,
  usePolicyDatabase,
  writeVersion,
} from '../../../test/harness/policy-units.ts'
import { statement } from '../../contract/statement.ts'
import { sqlState } from '../../platform/database/errors.ts'
import { insertPolicy } from './policies.sql.ts'
import type { PolicyRow } from './policy.ts'
import { reserve, settleReservation } from './reservations.ts'
import { rollTo, startsOf, type WindowStarts, withHeld } from './windows.ts'

usePolicyDatabase()

const unattended = { approval: { mode: 'above_threshold' as const, auto_approve_up_to: 10_000 } }

const insertControl = statement<never, { account_id: string; frozen: boolean; profiles: string[] }>(
  '',
  `insert into controls (account_id, mode, frozen, frozen_profile_ids, updated_at)
   values ($account_id, 'test', $frozen, $profiles, now())`,
)

const insertAccount = statement<never, { id: string }>(
  '',
  `insert into accounts (id, name, created_at) values ($id, 'Other', now())`,
)

const selectHeld = statement<
  { amount: bigint; count: number; version: number; window_starts: WindowStarts },
  { account_id: string; intent_id: string }
>(
  '',
  `select amount, count::int as count, version, window_starts from policy_reservations
   where account_id = $account_id and mode = 'test' and intent_id = $intent_id`,
)

const heldBy = (intentId: string) => pools.read(selectHeld({ account_id: accountId, intent_id: intentId }))

/** What came of it: the cap that is held, null when it has to be found under lock, or the database's refusal. */
function told(admitted: ReturnType<typeof admitUnchanged>): Promise<bigint | string | null> {
  return admitted.then(
    (verdict) => verdict?.cap ?? null,
    (error: unknown) => sqlState(error) ?? String(error),
  )
}

test('counters and reservations are those of a decision under lock, in every window and when windows end', async () => {
  const policy = await givenPolicy({ ...unattended, limits: dayLimit(10_000) })
  const days = [
    '2026-07-15T12:00:00.000Z',
    '2026-07-15T23:59:59.999Z',
    '2026-07-16T00:00:00.000Z',
    // A process whose clock is a moment behind.
    '2026-07-15T23:59:59.998Z',
    '2026-07-20T00:00:00.000Z',
    '2026-08-01T09:00:00.000Z',
    '2027-01-01T00:00:00.000Z',
  ]
  for (const [index, day] of days.entries()) {
    const [now, intentId] = [new Date(day), `pi_${index}`]
    const cap = 100n + BigInt(index)
    const expected = withHeld(rollTo(await storedWindows(policy), now, policy.zone), cap, 1)
    expect(await told(admitUnchanged(request(intentId, { cap }), { now }))).toBe(cap)
    expect(rollTo(await storedWindows(policy), now, policy.zone)).toMatchObject({
      ...expected,
      created: expect.anything(),
    })
    expect(await heldBy(intentId)).toEqual([
      { amount: cap, count: 1, version: 1, window_starts: startsOf(expected) },
    ])
    if (index % 2 === 0) await inUnit((ctx) => settleReservation(ctx, { intentId, actual: 40n }), now)
    await expectM7()
  }
})

test('a policy of the same id, in another account or in the other mode, makes no decision old', async () => {
  const policy = await givenPolicy({ ...unattended, limits: dayLimit(10_000), scope: { default: true } })
  const changed = { ...policy, version: 2 }
  await pools.single(insertAccount({ id: `${accountId}_other` }))
  await pools.single(insertPolicy({ ...changed, account_id: `${accountId}_other`, mode: 'test' }))
  await pools.single(insertPolicy({ ...changed, account_id: accountId, mode: 'live' }))
  expect(await told(admitUnchanged(request('pi_1')))).toBe(100n)
})

test('the count of a purchase for the day stays beside its windows', async () => {
  const policy = await givenPolicy({ ...unattended, limits: { max_intents_per_day: 5, ...dayLimit(1_000) } })
  expect((await inUnit((ctx) => admit(ctx, request('pi_1')))).result).toBe('allow')
  const next = { ...unattended, limits: { max_intents_per_day: null, ...dayLimit(1_000) } }
  await inUnit(async (ctx) => writeVersion(ctx, await lock(ctx, policy), next))
  expect(await told(admitUnchanged(request('pi_2')))).toBe(100n)
  expect((await storedWindows(policy)).created).toMatchObject({ start: '2026-07-15', count: 1 })
  await expectM7()
})

test.each([
  ['asks', { limits: dayLimit(1_000) }],
  ['denies', { ...unattended, limits: dayLimit(50) }],
  ['counts the intents of a day', { ...unattended, limits: { max_intents_per_day: 5 } }],
  ['leaves a policy out', { valid_from: '2027-01-01T00:00:00Z' }],
])('a verdict that %s has to be found under lock', async (_, written) => {
  if ('valid_from' in written) await givenPolicy(unattended)
  await givenPolicy(written)
  expect(await told(admitUnchanged(request('pi_1')))).toBeNull()
  expect(await heldBy('pi_1')).toEqual([])
})

const changes: [string, (policy: PolicyRow) => Promise<unknown>][] = [
  [
    'the policy has another version',
    (policy) =>
      inUnit(async (ctx) => writeVersion(ctx, await lock(ctx, policy), { limits: dayLimit(900_000) })),
  ],
  ['another policy applies', () => givenPolicy({ limits: dayLimit(900_000) })],
  [
    'the policy is archived',
    ({ id }) =>
      pools.single({ name: '', text: 'update policies set archived_at = now() where id = $1', values: [id] }),
  ],
  ['the window has no room left for the cap', () => inUnit((ctx) => reserve(ctx, request('pi_other')))],
  [
    'as many purchases as may be have been made',
    () => inUnit((ctx) => reserve(ctx, request('pi_other', { expected: 0n, cap: 0n }))),
  ],
  [
    'the account is frozen',
    () => pools.single(insertControl({ account_id: accountId, frozen: true, profiles: [] })),
  ],
  [
    'the profile is frozen',
    () => pools.single(insertControl({ account_id: accountId, frozen: false, profiles: ['prof_any'] })),
  ],
]

test.each(changes)('nothing is held when %s by now', async (_, meanwhile) => {
  const limits = { intervals: [{ interval: 'day' as const, max_amount: 199, max_count: 1 }] }
  const policy = await givenPolicy({ ...unattended, limits })
  const outcome = await told(admitUnchanged(request('pi_1'), { meanwhile: () => meanwhile(policy) }))
  expect(outcome).toBe('40001')
  expect(await heldBy('pi_1')).toEqual([])
  await expectM7()
})

test('a key that is not live holds nothing', async () => {
  await givenPolicy({ ...unattended, limits: dayLimit(1_000) })
  expect(
    await told(admitUnchanged({ ...request('pi_1'), agentId: 'agent_gone' }, { keyId: 'key_gone' })),
  ).toBe('40001')
  expect(await heldBy('pi_1')).toEqual([])
})

test('a transaction that waits for a counter behind a new version of its policy holds no locks', async () => {
  const policy = await givenPolicy({ ...unattended, limits: dayLimit(1_000) })
  let waiting: Promise<unknown> = Promise.resolve()
  await inUnit(async (ctx) => {
    const row = await lock(ctx, policy)
    waiting = told(admitUnchanged(request('pi_1')))
    await somebodyWaits()
    writeVersion(ctx, row, { limits: dayLimit(50) })
  })
  expect(await waiting).toBe('40001')
  await expectM7()
})

test('of 100 parallel purchases under two policies with room for ten exactly ten are held, beside those decided under lock', async () => {
  const month = { intervals: [{ interval: 'month' as const, max_count: 10 }] }
  const policies = [
    await givenPolicy({ ...unattended, limits: dayLimit(5_000) }),
    await givenPolicy({ limits: month }),
  ]
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const hold = request(`pi_${index}`)
      if (index % 4 === 0) return (await inUnit((ctx) => reserve(ctx, hold))).ok
      const outcome = await told(admitUnchanged(hold))
      if (outcome !== '40001') return outcome === 100n
      return (await inUnit((ctx) => admit(ctx, hold))).result === 'allow'
    }),
  )
  expect(outcomes.filter((isHeld) => isHeld)).toHaveLength(10)
  for (const policy of policies) {
    expect((await storedWindows(policy)).all_time).toMatchObject({ reserved: '1000', spent: '0', count: 10 })
  }
  await expectM7()
})
