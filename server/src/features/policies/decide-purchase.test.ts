import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DecisionInput, decidePurchase, isOnlyFull } from './decide-purchase.ts'
import type { ApplicablePolicyRow } from './policy.ts'
import { intervals, type PolicyTerms, termsOf } from './policy-terms.ts'
import type { Purchase } from './purchase.ts'
import { type CounterWindows, windowStarts } from './windows.ts'

const now = new Date('2026-07-15T12:00:00.000Z')
const starts = windowStarts(now)

type Written = Parameters<typeof termsOf>[0]

function policy(written: Written, more: Partial<ApplicablePolicyRow> = {}): ApplicablePolicyRow {
  return {
    id: 'pol_a',
    name: 'Policy',
    description: null,
    currency: 'EUR',
    scope_default: true,
    scope_profile_ids: [],
    scope_key_ids: [],
    terms: termsOf(written, null),
    valid_from: null,
    valid_until: null,
    metadata: {},
    version: 3,
    seq: 3,
    created_at: now,
    updated_at: now,
    archived_at: null,
    windows: {},
    attached: true,
    named: false,
    ...more,
  }
}

const shop = { domain: 'shop.example', mcc: '5411', country: 'DE' }
const purchase: Purchase = {
  currency: 'EUR',
  expected: 100n,
  cap: 150n,
  feeAllowance: 30n,
  merchants: [shop],
  shippingCountry: 'DE',
}

function decide(
  policies: ApplicablePolicyRow[],
  bought: Partial<Purchase> = {},
  more: Partial<DecisionInput> = {},
) {
  return decidePurchase({
    policies,
    purchase: { ...purchase, ...bought },
    occasion: 'create',
    tolerancePercent: 5,
    stepUp: false,
    now,
    ...more,
  })
}

const used = (use: { reserved?: string; spent?: string; count?: number }): CounterWindows => ({
  day: { start: starts.day, reserved: '0', spent: '0', count: 0, ...use },
})
const never = { mode: 'never' as const }
const limited = { per_transaction_max: 1000 }
const day = (limit: { max_amount?: number; max_count?: number }) => ({
  intervals: [{ interval: 'day' as const, ...limit }],
})

test('without a policy, or with none that has an opinion, somebody approves', () => {
  expect(decide([])).toMatchObject({
    result: 'require_approval',
    cap: 150n,
    evaluated: [],
    tolerancePercent: 5,
  })
  expect(decide([policy({ limits: limited })]).result).toBe('require_approval')
  expect(decide([policy({ limits: limited, approval: never })]).result).toBe('allow')
})

const denials: [string, ApplicablePolicyRow, Partial<Purchase>, string][] = [
  ['another currency than its amounts', policy({ limits: limited }), { currency: 'USD' }, 'currency'],
  [
    'another currency than its threshold',
    policy({ approval: { mode: 'above_threshold', auto_approve_up_to: 1 } }),
    { currency: 'USD' },
    'currency',
  ],
  [
    'more than one purchase may cost',
    policy({ limits: { per_transaction_max: 99 } }),
    {},
    'limits.per_transaction_max',
  ],
  [
    'more than a window has left',
    policy({ limits: day({ max_amount: 300 }) }, { windows: used({ reserved: '101', spent: '100' }) }),
    {},
    'limits.intervals.day.max_amount',
  ],
  [
    'one more than a window counts',
    policy({ limits: day({ max_count: 2 }) }, { windows: used({ count: 2 }) }),
    {},
    'limits.intervals.day.max_count',
  ],
  [
    'one intent too many today',
    policy({ limits: { max_intents_per_day: 1 } }, { windows: { created: { start: starts.day, count: 1 } } }),
    {},
    'limits.max_intents_per_day',
  ],
  ['a blocked category', policy({ mcc: { block: ['5411'] } }), {}, 'mcc.block'],
  ['a category that is not allowed', policy({ mcc: { allow: ['5999'] } }), {}, 'mcc.allow'],
  [
    'an unknown category where some are blocked',
    policy({ mcc: { block: ['7995'] } }),
    { merchants: [{ ...shop, mcc: null }] },
    'mcc.block',
  ],
  [
    'an unknown category where some are allowed',
    policy({ mcc: { allow: ['5411'] } }),
    { merchants: [{ ...shop, mcc: null }] },
    'mcc.allow',
  ],
  [
    'one unknown category among known ones',
    policy({ mcc: { allow: ['5411'] } }),
    { merchants: [shop, { ...shop, mcc: null }] },
    'mcc.allow',
  ],
  [
    'a category that is allowed and blocked',
    policy({ mcc: { allow: ['5411'], block: ['5411'] } }),
    {},
    'mcc.block',
  ],
  ['a blocked domain', policy({ merchants: { block: ['shop.example'] } }), {}, 'merchants.block'],
  [
    'a subdomain of a blocked domain',
    policy({ merchants: { block: ['shop.example'] } }),
    { merchants: [{ ...shop, domain: 'DE.shop.example' }] },
    'merchants.block',
  ],
  [
    'a domain that only ends like an allowed one',
    policy({ merchants: { allow: ['shop.example'] } }),
    { merchants: [{ ...shop, domain: 'notshop.example' }] },
    'merchants.allow',
  ],
  [
    'the parent of an allowed domain',
    policy({ merchants: { allow: ['de.shop.example'] } }),
    {},
    'merchants.allow',
  ],
  [
    'one merchant that is not allowed',
    policy({ merchants: { allow: ['shop.example'] } }),
    { merchants: [shop, { ...shop, domain: 'other.example' }] },
    'merchants.allow',
  ],
  [
    'a blocked country of the merchant',
    policy({ countries: { block: ['DE'] } }),
    { shippingCountry: 'AT' },
    'countries.block',
  ],
  [
    'a blocked country of the address',
    policy({ countries: { block: ['AT'] } }),
    { shippingCountry: 'AT' },
    'countries.block',
  ],
  [
    'an address outside the allowed countries',
    policy({ countries: { allow: ['DE'] } }),
    { shippingCountry: 'AT' },
    'countries.allow',
  ],
  [
    'no known country at all',
    policy({ countries: { block: ['KP'] } }),
    { merchants: [{ ...shop, country: null }], shippingCountry: null },
    'countries.block',
  ],
  [
    'a named policy that is not valid yet',
    policy({}, { named: true, valid_from: new Date('2026-07-16') }),
    {},
    'valid_from',
  ],
  ['a named policy that has ended', policy({}, { named: true, valid_until: now }), {}, 'valid_until'],
]

test.each(denials)('denied: %s', (_, one, bought, rule) => {
  const verdict = decide([policy({ limits: limited, approval: never }, { id: 'pol_b' }), one], bought)
  expect(verdict.result).toBe('deny')
  const denying = verdict.evaluated.filter(
    ({ result, policy_id }) => result === 'deny' && policy_id === 'pol_a',
  )
  expect(denying.map(({ rule: name }) => name)).toEqual([rule])
  expect(denying[0]).toMatchObject({ version: 3 })
})

const passes: [string, ApplicablePolicyRow, Partial<Purchase>][] = [
  ['exactly what one purchase may cost', policy({ limits: { per_transaction_max: 100 } }), {}],
  [
    'exactly what a window has left',
    policy({ limits: day({ max_amount: 300 }) }, { windows: used({ reserved: '100', spent: '100' }) }),
    {},
  ],
  [
    'a window that was full yesterday',
    policy(
      { limits: day({ max_amount: 100, max_count: 1 }) },
      { windows: { day: { start: '2026-07-14', reserved: '100', spent: '0', count: 1 } } },
    ),
    {},
  ],
  [
    'intents of yesterday',
    policy(
      { limits: { max_intents_per_day: 1 } },
      { windows: { created: { start: '2026-07-14', count: 9 } } },
    ),
    {},
  ],
  ['another currency where there are no amounts', policy({ mcc: { allow: ['5411'] } }), { currency: 'USD' }],
  [
    'a subdomain of an allowed domain',
    policy({ merchants: { allow: ['shop.example'] } }),
    { merchants: [{ ...shop, domain: 'www.shop.example' }] },
  ],
  [
    'an allowed country where the other one is unknown',
    policy({ countries: { allow: ['DE'] } }),
    { merchants: [{ ...shop, country: null }] },
  ],
  ['empty lists', policy({ mcc: { allow: [], block: [] } }), { merchants: [{ ...shop, mcc: null }] }],
  [
    'a policy outside its period that nobody names',
    policy({ limits: { per_transaction_max: 1 } }, { valid_until: now }),
    {},
  ],
  ['the first moment of a period', policy({}, { named: true, valid_from: now }), {}],
  [
    'an archived policy, even named',
    policy({ limits: { per_transaction_max: 1 } }, { named: true, archived_at: now }),
    {},
  ],
  [
    'a fee allowance above the limit, which is lowered instead',
    policy({ limits: { max_fulfillment_fee: 7 } }),
    {},
  ],
]

test.each(passes)('not denied: %s', (_, one, bought) => {
  expect(decide([one], bought).result).toBe('require_approval')
})

const threshold = (amount: number) => ({
  approval: { mode: 'above_threshold' as const, auto_approve_up_to: amount },
})

test.each([
  ['never', [policy({ limits: limited, approval: never })], 'allow', 150n],
  ['at the threshold, with the cap lowered to it', [policy(threshold(100))], 'allow', 100n],
  ['above the threshold, with the cap as it was', [policy(threshold(99))], 'require_approval', 150n],
  [
    'always beats never',
    [policy({ limits: limited, approval: never }), policy({ approval: { mode: 'always' } })],
    'require_approval',
    150n,
  ],
  ['the lower of two thresholds', [policy(threshold(120)), policy(threshold(110))], 'allow', 110n],
  [
    'one threshold of two is passed',
    [policy(threshold(120)), policy(threshold(90))],
    'require_approval',
    150n,
  ],
  [
    'a policy that is only named does not allow',
    [policy({ limits: limited, approval: never }, { attached: false, named: true })],
    'require_approval',
    150n,
  ],
  [
    'a policy that is only named restricts',
    [policy(threshold(120)), policy(threshold(105), { attached: false, named: true })],
    'allow',
    105n,
  ],
] as const)('approval: %s', (_, policies, result, cap) => {
  expect(decide([...policies])).toMatchObject({ result, cap })
})

test('a step-up is never unattended, so thresholds do not lower its cap', () => {
  expect(decide([policy(threshold(100))], {}, { stepUp: true })).toMatchObject({
    result: 'require_approval',
    cap: 150n,
  })
})

test('at approval nobody is asked again and the day’s intents are not counted again, but everything else holds', () => {
  const asks = policy({ limits: { max_intents_per_day: 0 }, approval: { mode: 'always' } })
  expect(decide([asks], {}, { occasion: 'approve' })).toMatchObject({
    result: 'allow',
    cap: 150n,
    evaluated: [],
  })
  const full = policy({ limits: day({ max_amount: 99 }) })
  const verdict = decide([full], {}, { occasion: 'approve' })
  expect(verdict.result).toBe('deny')
  expect(isOnlyFull(verdict)).toBe(true)
  expect(isOnlyFull(decide([full, policy({ mcc: { block: ['5411'] } })]))).toBe(false)
})

test('the cap is lowered to the strictest of the maximum and what every window has left, and never below zero', () => {
  const windows = used({ reserved: '20', spent: '30' })
  expect(decide([policy({ limits: { per_transaction_max: 140 } })]).cap).toBe(140n)
  expect(
    decide([policy({ limits: { per_transaction_max: 140, ...day({ max_amount: 180 }) } }, { windows })]).cap,
  ).toBe(130n)
  expect(decide([policy({ limits: day({ max_amount: 10 }) }, { windows })])).toMatchObject({
    result: 'deny',
    cap: 0n,
  })
})

test('the fee allowance, the tolerance, the reaction to a price and the expiry are the strictest', () => {
  const policies = [
    policy({
      limits: { max_fulfillment_fee: 20 },
      price_drift: { tolerance_percent: 3 },
      approval: { mode: 'always' },
    }),
    policy({
      price_drift: { tolerance_percent: 8, on_exceed: 'fail' },
      approval: { mode: 'always', expires_after_minutes: 60 },
    }),
  ]
  expect(decide(policies)).toMatchObject({
    feeAllowance: 20n,
    tolerancePercent: 3,
    onExceed: 'fail',
    approvalExpiresMinutes: 60,
  })
  expect(decide([])).toMatchObject({
    feeAllowance: 30n,
    tolerancePercent: 5,
    onExceed: 'reapprove',
    approvalExpiresMinutes: 10_080,
  })
  const wide = { price_drift: { tolerance_percent: 8 } }
  expect(decide([policy(wide)]).tolerancePercent).toBe(8)
  expect(decide([policy(wide), policy({})]).tolerancePercent).toBe(5)
  expect(decide([policy(wide, { attached: false, named: true })]).tolerancePercent).toBe(5)
})

test('every rule that a policy has is listed with its limit and what was observed', () => {
  const all = policy({
    limits: {
      per_transaction_max: 500,
      max_intents_per_day: 5,
      max_fulfillment_fee: 40,
      ...day({ max_amount: 900, max_count: 9 }),
    },
    mcc: { allow: ['5411'], block: ['7995'] },
    merchants: { block: ['bad.example'] },
    countries: { allow: ['DE'] },
    ...threshold(200),
  })
  expect(
    decide([all]).evaluated.map(({ rule, result, limit, observed }) => [rule, result, limit, observed]),
  ).toEqual([
    ['currency', 'allow', 'EUR', 'EUR'],
    ['limits.per_transaction_max', 'allow', 500, 100],
    ['limits.intervals.day.max_amount', 'allow', 900, 100],
    ['limits.intervals.day.max_count', 'allow', 9, 1],
    ['limits.max_intents_per_day', 'allow', 5, 1],
    ['limits.max_fulfillment_fee', 'allow', 40, 30],
    ['mcc.block', 'allow', null, '5411'],
    ['mcc.allow', 'allow', null, '5411'],
    ['merchants.block', 'allow', null, 'shop.example'],
    ['countries.allow', 'allow', null, 'DE'],
    ['approval.auto_approve_up_to', 'allow', 200, 100],
  ])
})

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
const anyPolicy: fc.Arbitrary<ApplicablePolicyRow> = fc
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

test('adding a policy never turns a denial into anything else, nor raises the cap at which the same person or nobody acts', () => {
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

test('what is allowed unattended fits every limit, window and threshold with its whole cap', () => {
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
