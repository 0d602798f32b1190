import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tenthInGate } from '../../../test/gate/tenth-in-gate.ts'
import { pools, request, usePolicyDatabase } from '../../../test/harness/policy-units.ts'
import { statement } from '../../contract/statement.ts'
import { decidePurchase } from './decide-purchase.ts'
import type { ApplicablePolicy } from './policy.ts'
import { termsOf } from './policy-terms.ts'
import { exceeds } from './reservations.sql.ts'
import { windowStarts } from './windows.ts'

usePolicyDatabase()

const cases = tenthInGate(100_000)
const inOneStatement = 5_000
const now = new Date('2026-07-15T12:00:00.000Z')
const { day: start } = windowStarts(now, 'UTC')

/** Small ones meet each other's bounds; the largest are those that the contract allows. */
const amount = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 1_000_000_000_000 }))

const anyCase = fc.record({
  reserved: amount,
  spent: amount,
  count: fc.integer({ min: 0, max: 6 }),
  expected: amount,
  /** How much more the purchase may cost than it is expected to. */
  drift: fc.integer({ min: 0, max: 8 }),
  adds: fc.constantFrom(0, 1),
  max_amount: fc.option(fc.oneof(fc.integer({ min: 0, max: 40 }), amount)),
  max_count: fc.option(fc.integer({ min: 1, max: 7 })),
})
type Case = typeof anyCase extends fc.Arbitrary<infer Value> ? Value : never

function verdictOn(one: Case) {
  const { reserved, spent, count, expected, drift, adds, max_amount, max_count } = one
  const policy: ApplicablePolicy = {
    id: 'pol_any',
    name: 'Any',
    description: null,
    currency: 'EUR',
    scope_default: true,
    scope_profile_ids: [],
    scope_agent_ids: [],
    scope_payment_method_ids: [],
    terms: termsOf({ limits: { intervals: [{ interval: 'day', max_amount, max_count }] } }, null),
    timezone: null,
    zone: 'UTC',
    valid_from: null,
    valid_until: null,
    metadata: {},
    approved_by: null,
    version: 1,
    seq: 1,
    created_at: now,
    updated_at: now,
    archived_at: null,
    windows: { day: { start, reserved: String(reserved), spent: String(spent), count } },
    attached: true,
    named: false,
    counts: adds,
  }
  const { purchase } = request('pi_any', { expected: BigInt(expected), cap: BigInt(expected + drift) })
  return decidePurchase({
    policies: [policy],
    purchase,
    occasion: 'approve',
    tolerancePercent: 5,
    stepUp: false,
    now,
  })
}

const judgeEach = statement<
  { is_full: boolean },
  {
    reserved: bigint[]
    spent: bigint[]
    counts: number[]
    max_amounts: (bigint | null)[]
    max_counts: (number | null)[]
  }
>(
  '',
  `select coalesce(${exceeds}, false) as is_full
   from unnest($reserved::bigint[], $spent::bigint[], $counts::int[], $max_amounts::bigint[], $max_counts::int[])
     with ordinality as given(reserved, spent, count, max_amount, max_count, place)
   cross join lateral (select given.reserved, given.spent, given.count) used
   cross join lateral (select given.max_amount, given.max_count) most
   order by given.place`,
)

test('the statement that reserves finds no room exactly where the code that decides denies', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const given = fc.sample(anyCase, { numRuns: cases, seed })
  let denials = 0
  for (let done = 0; done < given.length; done += inOneStatement) {
    const some = given.slice(done, done + inOneStatement)
    const verdicts = some.map(verdictOn)
    // With the cap that the verdict gives; a purchase that is denied would have to be held with what it is expected to cost.
    const held = some.map(({ expected }, index) => {
      const verdict = verdicts[index]
      return verdict && verdict.result !== 'deny' ? verdict.cap : BigInt(expected)
    })
    const judged = await pools.read(
      judgeEach({
        reserved: some.map(({ reserved }, index) => BigInt(reserved) + (held[index] ?? 0n)),
        spent: some.map(({ spent }) => BigInt(spent)),
        counts: some.map(({ count, adds }) => count + adds),
        max_amounts: some.map(({ max_amount }) => (max_amount === null ? null : BigInt(max_amount))),
        max_counts: some.map(({ max_count }) => max_count),
      }),
    )
    expect(judged).toHaveLength(some.length)
    const denied = verdicts.map(({ result }) => result === 'deny')
    const place = judged.findIndex(({ is_full }, index) => is_full !== denied[index])
    // The first that differs, with what it was made of.
    if (place >= 0) expect.fail(`seed ${seed}: ${JSON.stringify(some[place])}, denied: ${denied[place]}`)
    denials += denied.filter((isDenied) => isDenied).length
  }
  // Neither answer is rare.
  expect(Math.min(denials, cases - denials)).toBeGreaterThan(cases / 10)
})
