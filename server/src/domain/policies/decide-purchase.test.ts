import { expect, test } from 'vitest'
import { decide, now, policy, shop, starts } from '../../../test/fixtures/policy-decisions.ts'
import { isOnlyFull } from './decide-purchase.ts'
import type { ApplicablePolicy } from './policy.ts'
import type { Purchase } from './purchase.ts'
import type { CounterWindows } from './windows.ts'

const used = (use: { reserved?: string; spent?: string; count?: number }): CounterWindows => ({
  day: { start: starts.day, reserved: '0', spent: '0', count: 0, ...use },
})
const never = { mode: 'never' as const }
const limited = { per_transaction_max: 1000 }
const day = (limit: { max_amount?: number; max_count?: number }) => ({
  intervals: [{ interval: 'day' as const, ...limit }],
})

test('without a policy that decides, a person approves', () => {
  expect(decide([])).toMatchObject({
    result: 'require_approval',
    cap: 150n,
    evaluated: [],
    tolerancePercent: 5,
  })
  expect(decide([policy({ limits: limited })]).result).toBe('require_approval')
  expect(decide([policy({ limits: limited, approval: never })]).result).toBe('allow')
})

const denials: [string, ApplicablePolicy, Partial<Purchase>, string][] = [
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
    'a merchant of unknown country, wherever the goods go',
    policy({ countries: { allow: ['DE'] } }),
    { merchants: [{ ...shop, country: null }] },
    'countries.allow',
  ],
  [
    'one merchant of unknown country',
    policy({ countries: { block: ['KP'] } }),
    { merchants: [shop, { ...shop, country: null }] },
    'countries.block',
  ],
  [
    'a domain that is only claimed',
    policy({ merchants: { allow: ['shop.example'] } }),
    { merchants: [{ ...shop, domain: null, claims: ['shop.example'] }] },
    'merchants.allow',
  ],
  [
    'a blocked domain that is only claimed',
    policy({ merchants: { block: ['shop.example'] } }),
    { merchants: [{ ...shop, domain: null, claims: ['www.other.example', 'de.shop.example'] }] },
    'merchants.block',
  ],
  [
    'a blocked domain that a merchant goes by beside the known one',
    policy({ merchants: { block: ['shop.example'] } }),
    { merchants: [{ ...shop, domain: 'other.example', claims: ['shop.example'] }] },
    'merchants.block',
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

const passes: [string, ApplicablePolicy, Partial<Purchase>][] = [
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
    'an allowed country where nothing is shipped',
    policy({ countries: { allow: ['DE'] } }),
    { shippingCountry: null },
  ],
  [
    'a domain that is only claimed, where nothing blocks it',
    policy({ merchants: { block: ['other.example'] } }),
    { merchants: [{ ...shop, domain: null, claims: ['shop.example'] }] },
  ],
  ['empty lists', policy({ mcc: { allow: [], block: [] } }), { merchants: [{ ...shop, mcc: null }] }],
  [
    'a policy outside its period that is not named',
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

test('an approval does not ask again and does not count the day’s intents again, but all other rules hold', () => {
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

test('every rule of a policy is listed with its limit and the observed value', () => {
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
