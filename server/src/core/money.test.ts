import fc from 'fast-check'
import { expect, test } from 'vitest'
import { add, addAll, allocate, minorPerMajor, money, percentFloor, times } from './money.ts'

test('allocation keeps the sum to the minor unit and never strays a whole unit from its share', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 12n }),
      fc.array(fc.bigInt({ min: 0n, max: 10n ** 9n }), { minLength: 1, maxLength: 20 }),
      (total, weights) => {
        const shares = allocate(total, weights)
        expect(shares.reduce((a, b) => a + b, 0n)).toBe(total)
        const sum = weights.reduce((a, b) => a + b, 0n)
        shares.forEach((share, index) => {
          const exact = sum === 0n ? total : total * (weights[index] ?? 0n)
          const whole = sum === 0n ? BigInt(weights.length) : sum
          expect(share * whole > exact - whole && share * whole < exact + whole).toBe(true)
        })
      },
    ),
  )
})

test('the largest remainder gets the odd unit, ties go to the earlier share', () => {
  expect(allocate(10n, [1n, 1n, 1n])).toEqual([4n, 3n, 3n])
  expect(allocate(5n, [1n, 2n])).toEqual([2n, 3n])
  expect(allocate(7n, [])).toEqual([])
})

test('percentages are floored and take two decimals', () => {
  expect(percentFloor(999n, 5)).toBe(49n)
  expect(percentFloor(10_000n, 0.25)).toBe(25n)
})

test('minor units follow the currency', () => {
  expect([minorPerMajor('EUR'), minorPerMajor('JPY'), minorPerMajor('KWD')]).toEqual([100n, 1n, 1000n])
})

test('amounts of two currencies never combine', () => {
  expect(() => add(money(1n, 'EUR'), money(1n, 'USD'))).toThrow(TypeError)
  expect(addAll([times(money(150n, 'eur'), 3), money(1n, 'EUR')], 'EUR')).toEqual(money(451n, 'EUR'))
})
