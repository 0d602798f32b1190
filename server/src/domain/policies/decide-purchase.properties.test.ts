import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decide, now, policy, starts } from '../../../test/fixtures/policy-decisions.ts'
import type { ApplicablePolicy } from './policy.ts'
import { intervals, type PolicyTerms } from './policy-terms.ts'
import type { Purchase } from './purchase.ts'

const amount = fc.integer({ min: 0, max: 400 })
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const listOf = (...values: string[]) => fc.subarray(values)

const anyTerms: fc.Arbitrary<PolicyTerms> = fc.record({
  limits: fc.record({
    per_transaction_max: maybe(amount),
    intervals: fc.uniqueArray(
      fc.record({
        interval: fc.constantFrom(...intervals),
        max_amount: maybe(amount),
        max_count: maybe(fc.integer({ min: 0, max: 4 })),
      }),
      { selector: ({ interval }) => interval },
    ),
    max_intents_per_day: maybe(fc.integer({ min: 0, max: 4 })),
    max_fulfillment_fee: maybe(amount),
  }),
  mcc: fc.record({ allow: listOf('5411', '5999'), block: listOf('5411', '7995') }),
  merchants: fc.record({ allow: listOf('shop.example', 'other.example'), block: listOf('other.example') }),
  countries: fc.record({ allow: listOf('DE', 'AT'), block: listOf('AT') }),
  approval: maybe(
    fc.oneof(
      fc.record({
        mode: fc.constantFrom('always' as const, 'never' as const),
        auto_approve_up_to: fc.constant(null),
        expires_after_minutes: fc.integer({ min: 1, max: 99 }),
      }),
      fc.record({
        mode: fc.constant('above_threshold' as const),
        auto_approve_up_to: amount,
        expires_after_minutes: fc.integer({ min: 1, max: 99 }),
      }),
    ),
  ),
  price_drift: fc.record({
    tolerance_percent: maybe(fc.integer({ min: 0, max: 9 })),
    on_exceed: fc.constantFrom('reapprove' as const, 'fail' as const),
  }),
})
const anyUse = fc.record({
  start: fc.constantFrom(starts.day, '2026-07-14'),
  reserved: amount.map(String),
  spent: amount.map(String),
  count: fc.integer({ min: 0, max: 4 }),
})
const anyPolicy: fc.Arbitrary<ApplicablePolicy> = fc
  .record({
    terms: anyTerms,
    currency: fc.constantFrom('EUR', 'EUR', 'USD', null),
    windows: fc.record({ day: anyUse }),
    attached: fc.boolean(),
    valid_from: fc.constantFrom(null, new Date('2026-01-01'), new Date('2027-01-01')),
    archived_at: fc.constantFrom(null, null, null, now),
  })
  .map((more) => policy({}, { ...more, named: !more.attached }))
const anyPolicies = fc.array(anyPolicy, { maxLength: 4 })
const anyPurchase: fc.Arbitrary<Partial<Purchase>> = fc.record({
  expected: amount.map(BigInt),
  cap: amount.map(BigInt),
  feeAllowance: amount.map(BigInt),
  currency: fc.constantFrom('EUR', 'USD'),
  merchants: fc.array(
    fc.record({
      domain: fc.constantFrom('shop.example', 'www.shop.example', 'other.example'),
      mcc: fc.constantFrom('5411', '5999', '7995', null),
      country: fc.constantFrom('DE', 'AT', null),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  shippingCountry: fc.constantFrom('DE', 'AT', null),
})
const anyOccasion = fc.record({
  occasion: fc.constantFrom('create' as const, 'approve' as const),
  stepUp: fc.boolean(),
})
const rank = { allow: 0, require_approval: 1, deny: 2 }
const runs = { numRuns: 2000 }

test('adding a policy never changes a denial, and never raises the cap for the same approval', () => {
  fc.assert(
    fc.property(anyPolicies, anyPolicy, anyPurchase, anyOccasion, (policies, added, bought, how) => {
      const before = decide(policies, bought, how)
      const after = decide([...policies, added], bought, how)
      if (before.result === 'deny') expect(after.result).toBe('deny')
      // Who asks a person instead of nobody lifts the threshold for nobody; among equals the cap only falls.
      if (before.result === after.result) expect(after.cap <= before.cap).toBe(true)
      expect(after.cap <= (bought.cap ?? 0n)).toBe(true)
      expect(after.feeAllowance <= before.feeAllowance).toBe(true)
      expect(after.evaluated).toEqual(expect.arrayContaining(before.evaluated))
    }),
    runs,
  )
})

test('a policy that is only named never makes anything easier', () => {
  fc.assert(
    fc.property(anyPolicies, anyPolicy, anyPurchase, anyOccasion, (policies, added, bought, how) => {
      const before = decide(policies, bought, how)
      const after = decide([...policies, { ...added, attached: false, named: true }], bought, how)
      expect(rank[after.result]).toBeGreaterThanOrEqual(rank[before.result])
      expect(after.tolerancePercent).toBeLessThanOrEqual(before.tolerancePercent)
    }),
    runs,
  )
})

test('the order of policies does not matter', () => {
  fc.assert(
    fc.property(anyPolicies, anyPurchase, anyOccasion, (policies, bought, how) => {
      const [forth, back] = [decide(policies, bought, how), decide(policies.toReversed(), bought, how)]
      expect({ ...back, evaluated: [], judged: [] }).toEqual({ ...forth, evaluated: [], judged: [] })
    }),
    runs,
  )
})

test('an unattended purchase fits every limit, window and threshold with its whole cap', () => {
  fc.assert(
    fc.property(anyPolicies, anyPurchase, (policies, bought) => {
      const verdict = decide(policies, bought)
      if (verdict.result !== 'allow') return
      for (const { terms, currency, windows } of verdict.judged) {
        if (currency !== (bought.currency ?? 'EUR')) continue
        const { day: use } = windows
        const inDay = use && use.start === starts.day ? BigInt(use.reserved) + BigInt(use.spent) : 0n
        for (const limit of [terms.limits.per_transaction_max, terms.approval?.auto_approve_up_to ?? null]) {
          if (limit !== null) expect(verdict.cap <= BigInt(limit)).toBe(true)
        }
        for (const { interval, max_amount } of terms.limits.intervals) {
          if (max_amount !== null)
            expect(verdict.cap + (interval === 'day' ? inDay : 0n) <= BigInt(max_amount)).toBe(true)
        }
      }
    }),
    runs,
  )
})
