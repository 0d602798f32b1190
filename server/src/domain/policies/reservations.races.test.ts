import { expect, test } from 'vitest'
import {
  admit,
  capOf,
  dayLimit,
  expectM7,
  givenPolicy,
  inUnit,
  lock,
  request,
  somebodyWaits,
  usage,
  usePolicyDatabase,
  writeVersion,
} from '../../../test/harness/policy-units.ts'
import type { Result } from '../../core/result.ts'
import type { PolicyVerdict } from './decide-purchase.ts'
import {
  exchangeReservation,
  type HoldRefusal,
  releaseReservation,
  reserve,
  settleReservation,
} from './reservations.ts'

usePolicyDatabase()

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

test('reserving, exchanging, settling and giving back in parallel leave the windows equal to their reservations', async () => {
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
  let waiting: Promise<Result<PolicyVerdict, HoldRefusal>> | undefined
  await inUnit(async (ctx) => {
    const row = await lock(ctx, policy)
    waiting = inUnit((other) => reserve(other, request('pi_1')))
    await somebodyWaits()
    writeVersion(ctx, row, { limits: dayLimit(50) })
  })
  expect(await waiting?.then(capOf)).toBe('policy_limit_exceeded')
  await expectM7()
})

test('of 40 parallel creates under three intents a day exactly three are not denied', async () => {
  await givenPolicy({ limits: { max_intents_per_day: 3 } })
  const verdicts = await Promise.all(
    Array.from({ length: 40 }, (_, index) => inUnit((ctx) => admit(ctx, request(`pi_${index}`)))),
  )
  expect(verdicts.filter(({ result }) => result !== 'deny')).toHaveLength(3)
})
