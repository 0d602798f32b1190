import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  armFor,
  decidePromotion,
  type PromotionFacts,
  type RefusalReason,
  refusalReasons,
} from './decide-promotion.ts'
import { type Arm, armKinds, identityRules } from './promotion.ts'

const now = new Date('2026-06-01T00:00:00.000Z')
const percent: Arm = { id: 'ten', kind: 'percent', value: 1000, ttl_minutes: 30, weight: 1 }

type Changes = {
  promotion?: Partial<PromotionFacts['promotion']>
  taken?: PromotionFacts['taken']
  cart?: Partial<PromotionFacts['cart']>
  identity?: PromotionFacts['identity']
}

/** Ten per cent off two things of 10.00 and one of 5.55. */
function facts({ promotion, taken, cart, identity }: Changes = {}): PromotionFacts {
  return {
    now,
    promotion: {
      id: 'promo_1',
      status: 'active',
      starts_at: now,
      ends_at: null,
      market_id: null,
      currency: 'EUR',
      identity_rule: 'any',
      arms: [percent],
      caps: { total_uses: null, uses_per_identity: null, budget_amount: null },
      targets: { catalog_item_ids: [], categories: [], min_subtotal_amount: null },
      code: null,
      ...promotion,
    },
    taken: taken ?? { uses: 0, discountAmount: 0n },
    cart: {
      lines: [
        { itemId: 'cat_1', categories: ['tea', 'gifts'], unitAmount: 1000n, quantity: 2 },
        { itemId: 'cat_2', categories: ['cups'], unitAmount: 555n, quantity: 1 },
      ],
      subtotal: 2555n,
      fulfillment: 490n,
      currency: 'EUR',
      marketId: null,
      ...cart,
    },
    identity: identity === undefined ? { key: 'ada', uses: 0 } : identity,
  }
}

const targets = (more: Partial<PromotionFacts['promotion']['targets']>) => ({
  targets: { ...facts().promotion.targets, ...more },
})
const caps = (more: Partial<PromotionFacts['promotion']['caps']>) => ({
  caps: { ...facts().promotion.caps, ...more },
})
const arm = (more: Partial<Arm>) => ({ arms: [{ ...percent, ...more }] })

test.each<[string, Partial<PromotionFacts['promotion']>, bigint, bigint]>([
  ['a percentage is rounded down once for the whole', {}, 255n, 0n],
  ['a percentage of the items it is for', targets({ catalog_item_ids: ['cat_2'] }), 55n, 0n],
  [
    'a percentage of a category or an item',
    targets({ categories: ['tea'], catalog_item_ids: ['cat_2'] }),
    255n,
    0n,
  ],
  ['all of it', arm({ value: 10_000 }), 2555n, 0n],
  ['an amount', arm({ kind: 'amount', value: 300 }), 300n, 0n],
  ['an amount above the price', arm({ kind: 'amount', value: 9999 }), 2555n, 0n],
  [
    'an amount above the price of what it is for',
    { ...arm({ kind: 'amount', value: 9999 }), ...targets({ categories: ['cups'] }) },
    555n,
    0n,
  ],
  ['a price for each unit, where it is lower', arm({ kind: 'fixed_price', value: 600 }), 800n, 0n],
  ['the fee', arm({ kind: 'free_fulfillment', value: null }), 0n, 490n],
  ['a cart of exactly the least that it needs', targets({ min_subtotal_amount: 2555 }), 255n, 0n],
  ['the last use', caps({ total_uses: 5 }), 255n, 0n],
  ['the rest of a budget', caps({ budget_amount: 1255 }), 255n, 0n],
])('applies: %s', (_, promotion, merchandise, fulfillment) => {
  const verdict = decidePromotion(facts({ promotion, taken: { uses: 4, discountAmount: 1000n } }))
  expect(verdict).toEqual({
    kind: 'applies',
    armId: 'ten',
    merchandise,
    fulfillment,
    heldUntil: new Date('2026-06-01T00:30:00.000Z'),
  })
})

const refusals: Record<RefusalReason, Changes> = {
  not_active: { promotion: { status: 'paused' } },
  code_not_named: { promotion: { code: 'SPRING' }, cart: { codes: ['SUMMER'] } },
  wrong_currency: { promotion: { currency: 'USD' } },
  wrong_market: { promotion: { market_id: 'mkt_1' } },
  identity_not_eligible: { identity: null },
  not_targeted: { promotion: targets({ categories: ['hats'] }) },
  below_min_subtotal: { promotion: targets({ min_subtotal_amount: 2556 }) },
  no_discount: { promotion: arm({ kind: 'fixed_price', value: 1000 }) },
  total_uses_reached: { promotion: caps({ total_uses: 3 }), taken: { uses: 3, discountAmount: 0n } },
  identity_uses_reached: { promotion: caps({ uses_per_identity: 2 }), identity: { key: 'ada', uses: 2 } },
  budget_reached: { promotion: caps({ budget_amount: 1254 }), taken: { uses: 3, discountAmount: 1000n } },
}

test.each(refusalReasons)('does not apply, and says just why: %s', (reason) => {
  expect(decidePromotion(facts(refusals[reason]))).toEqual({ kind: 'refused', reasons: [reason] })
})

test('every reason is said at once', () => {
  const all = {
    promotion: { currency: 'USD', status: 'ended', ...targets({ min_subtotal_amount: 9999 }) },
  } as const
  expect(decidePromotion(facts(all))).toEqual({
    kind: 'refused',
    reasons: ['not_active', 'wrong_currency', 'below_min_subtotal'],
  })
})

test('a promotion is applied from its begin and not after its end, even if its status is written later', () => {
  expect(decidePromotion(facts({ promotion: { ends_at: now } })).kind).toBe('refused')
  expect(decidePromotion(facts({ promotion: { status: 'scheduled' } })).kind).toBe('applies')
  const later = new Date(now.getTime() + 1)
  expect(decidePromotion(facts({ promotion: { status: 'scheduled', starts_at: later } })).kind).toBe(
    'refused',
  )
})

test('a first purchase is made once, without a cap that says so', () => {
  const promotion = { identity_rule: 'first_purchase' } as const
  expect(decidePromotion(facts({ promotion, identity: { key: 'ada', uses: 1 } }))).toMatchObject({
    reasons: ['identity_uses_reached'],
  })
})

test('each arm is given to its share of the identities, always the same arm to the same one', () => {
  const arms = [
    { ...percent, id: 'a', weight: 1 },
    { ...percent, id: 'b', weight: 3 },
    { ...percent, id: 'never', weight: 0 },
  ]
  const given = Array.from(
    { length: 4000 },
    (_, index) => armFor({ id: 'promo_1', arms }, `person ${index}`)?.id,
  )
  const share = (id: string) => given.filter((one) => one === id).length / given.length
  expect(share('a')).toBeGreaterThan(0.22)
  expect(share('a')).toBeLessThan(0.28)
  expect(share('a') + share('b')).toBe(1)
  expect(given).toEqual(given.map((_, index) => armFor({ id: 'promo_1', arms }, `person ${index}`)?.id))
  // Another promotion does not favour the same people.
  const others = given.map((_, index) => armFor({ id: 'promo_2', arms }, `person ${index}`)?.id)
  expect(others).not.toEqual(given)
})

const anyAmount = fc.bigInt({ min: 0n, max: 10n ** 12n })
const anyCap = (arbitrary: fc.Arbitrary<number>) => fc.option(arbitrary, { nil: null })
const anyArm: fc.Arbitrary<Arm> = fc.record({
  id: fc.string(),
  kind: fc.constantFrom(...armKinds),
  value: fc.option(fc.oneof(fc.nat(10_000), fc.nat(10 ** 9)), { nil: null, freq: 9 }),
  ttl_minutes: fc.integer({ min: 1, max: 43_200 }),
  weight: fc.integer({ min: 0, max: 1000 }),
})
const anyFacts = fc.record({
  arms: fc.array(anyArm, { minLength: 1, maxLength: 4 }),
  rule: fc.constantFrom(...identityRules),
  caps: fc.record({
    total_uses: anyCap(fc.integer({ min: 1, max: 5 })),
    uses_per_identity: anyCap(fc.integer({ min: 1, max: 3 })),
    budget_amount: anyCap(fc.integer({ min: 0, max: 10 ** 12 })),
  }),
  taken: fc.record({ uses: fc.nat(6), discountAmount: fc.bigInt({ min: 0n, max: 10n ** 6n }) }),
  lines: fc.array(
    fc.record({
      itemId: fc.constantFrom('cat_1', 'cat_2', 'cat_3'),
      categories: fc.subarray(['tea', 'cups']),
      unitAmount: fc.bigInt({ min: 0n, max: 10n ** 9n }),
      quantity: fc.integer({ min: 1, max: 1000 }),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  fulfillment: anyAmount,
  identity: fc.option(fc.record({ key: fc.string(), uses: fc.nat(2) }), { nil: null, freq: 9 }),
  targets: fc.record({
    catalog_item_ids: fc.subarray(['cat_1', 'cat_2']),
    categories: fc.subarray(['tea']),
    min_subtotal_amount: anyCap(fc.nat(10 ** 6)),
  }),
})

test('a discount is above nothing, at most what it is taken off, within every cap, and the same when asked again', () => {
  let applied = 0
  fc.assert(
    fc.property(anyFacts, ({ lines, fulfillment, identity, taken, rule, ...terms }) => {
      const subtotal = lines.reduce((sum, line) => sum + line.unitAmount * BigInt(line.quantity), 0n)
      const given = facts({
        promotion: { ...terms, identity_rule: rule },
        cart: { lines, subtotal, fulfillment },
        taken,
        identity,
      })
      const verdict = decidePromotion(given)
      expect(decidePromotion(structuredClone(given))).toEqual(verdict)
      if (verdict.kind === 'refused') {
        expect(verdict.reasons.length).toBeGreaterThan(0)
        return
      }
      applied += 1
      const discount = verdict.merchandise + verdict.fulfillment
      expect(discount > 0n && verdict.merchandise >= 0n && verdict.fulfillment >= 0n).toBe(true)
      expect(verdict.merchandise <= subtotal && verdict.fulfillment <= fulfillment).toBe(true)
      expect(verdict.heldUntil > now).toBe(true)
      expect(terms.arms.find(({ id, weight }) => id === verdict.armId && weight > 0)).toBeDefined()
      const { total_uses, uses_per_identity, budget_amount } = terms.caps
      if (total_uses !== null) expect(taken.uses + 1).toBeLessThanOrEqual(total_uses)
      if (uses_per_identity !== null)
        expect((identity?.uses ?? 99) + 1).toBeLessThanOrEqual(uses_per_identity)
      if (budget_amount !== null) expect(taken.discountAmount + discount <= BigInt(budget_amount)).toBe(true)
    }),
    { numRuns: 3000 },
  )
  expect(applied).toBeGreaterThan(100)
})
