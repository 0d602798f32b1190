import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CountedPromotion } from './best-discount.ts'
import type { PromotedCart } from './decide-promotion.ts'
import type { Arm } from './promotion.ts'
import { stackDiscounts } from './stack-discounts.ts'

const now = new Date('2026-06-01T00:00:00.000Z')

function promotion(
  id: string,
  arm: Partial<Arm>,
  code: string | null,
  items: string[] = [],
): CountedPromotion {
  return {
    promotion: {
      id: `promo_${id}`,
      status: 'active',
      starts_at: now,
      ends_at: null,
      market_id: null,
      currency: 'USD',
      identity_rule: 'any',
      arms: [{ id: 'one', kind: 'percent', value: null, ttl_minutes: 5, weight: 1, ...arm }],
      caps: { total_uses: null, uses_per_identity: null, budget_amount: null },
      targets: { catalog_item_ids: items, categories: [], min_subtotal_amount: null },
      code,
    },
    taken: { uses: 0, discountAmount: 0n },
    identity: { key: 'ada', uses: 0 },
  }
}

const ten = promotion('ten', { value: 1000 }, '10OFF')
const welcome = promotion('welcome', { value: 2000 }, 'WELCOME20')
const free = promotion('free', { kind: 'free_fulfillment' }, 'FREESHIP')
const always = promotion('always', { value: 500 }, null)
const cart: PromotedCart = {
  lines: [
    { itemId: 'cat_1', categories: [], unitAmount: 1001n, quantity: 3 },
    { itemId: 'cat_2', categories: [], unitAmount: 497n, quantity: 1 },
  ],
  subtotal: 3500n,
  fulfillment: 500n,
  currency: 'USD',
  marketId: null,
}

const offs = (codes: string[], counted = [ten, welcome, free, always]) =>
  stackDiscounts(counted, cart, { codes, now }).discounts.map(({ code, merchandise, fulfillment }) => [
    code,
    merchandise,
    fulfillment,
  ])

test('a promotion with a code is for the carts that name it, in any case of letters', () => {
  expect(offs([], [ten])).toEqual([])
  expect(offs(['10off'], [ten])).toEqual([['10off', 350n, 0n]])
})

test('each discount is computed on what those before it have left, the one without a code first', () => {
  expect(offs(['10OFF', 'WELCOME20', 'FREESHIP'], [ten, welcome, free])).toEqual([
    ['10OFF', 350n, 0n],
    ['WELCOME20', 630n, 0n],
    ['FREESHIP', 0n, 500n],
  ])
  expect(offs(['10OFF'])).toEqual([
    [null, 175n, 0n],
    ['10OFF', 332n, 0n],
  ])
})

test('a code that is unknown, named twice or takes nothing off is rejected with its place', () => {
  const other = promotion('other', { value: 1000 }, 'HATS', ['cat_9'])
  const { rejected } = stackDiscounts([ten, other], cart, {
    codes: ['10OFF', 'nothing', '10off', 'HATS'],
    now,
  })
  expect(rejected).toEqual([
    { index: 1, why: 'unknown' },
    { index: 2, why: 'twice' },
    { index: 3, why: 'not_targeted' },
  ])
})

test('whatever is stacked, a line never costs less than nothing, and the lines have the whole of each discount', () => {
  const arms = fc.array(
    fc.record({
      kind: fc.constantFrom<Arm['kind'][]>('percent', 'amount', 'fixed_price', 'free_fulfillment'),
      value: fc.integer({ min: 0, max: 10_000 }),
      items: fc.subarray(['cat_1', 'cat_2']),
    }),
    { minLength: 1, maxLength: 6 },
  )
  let stacked = 0
  fc.assert(
    fc.property(arms, (given) => {
      const counted = given.map(({ items, ...arm }, index) => promotion(`${index}`, arm, `C${index}`, items))
      const codes = given.map((_, index) => `c${index}`)
      const { discounts } = stackDiscounts(counted, cart, { codes, now })
      if (discounts.length > 1) stacked++
      for (const [line, { unitAmount, quantity }] of cart.lines.entries()) {
        const taken = discounts.map(({ ofLines }) => ofLines[line] ?? 0n)
        expect(taken.every((one) => one >= 0n)).toBe(true)
        expect(taken.reduce((all, one) => all + one, 0n)).toBeLessThanOrEqual(unitAmount * BigInt(quantity))
      }
      for (const { ofLines, merchandise } of discounts)
        expect(ofLines.reduce((all, one) => all + one, 0n)).toBe(merchandise)
      expect(discounts.reduce((all, one) => all + one.fulfillment, 0n)).toBeLessThanOrEqual(cart.fulfillment)
    }),
    { numRuns: 500 },
  )
  expect(stacked).toBeGreaterThan(0)
})
