import { codes, data } from 'currency-codes'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allocate, formatMoney, minorPerMajor, percentFloor } from './money.ts'

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

test('minor units follow the currency, by ISO 4217 and not by how people write it', () => {
  expect(['EUR', 'JPY', 'KWD', 'HUF', 'IQD', 'CLF'].map(minorPerMajor)).toEqual([
    100n,
    1n,
    1000n,
    100n,
    1000n,
    10_000n,
  ])
})

test('an amount is written in full, with the decimals of its currency', () => {
  const written = (amount: bigint) =>
    ['USD', 'EUR', 'JPY', 'KWD', 'HUF'].map((code) => formatMoney(amount, code))
  expect(written(1134n)).toEqual(['$11.34', '€11.34', '¥1,134', 'KWD 1.134', 'HUF 11.34'])
  expect(written(0n)).toEqual(['$0.00', '€0.00', '¥0', 'KWD 0.000', 'HUF 0.00'])
  expect(formatMoney(10n ** 12n, 'USD')).toBe('$10,000,000,000.00')
  expect(formatMoney(-5n, 'USD')).toBe('-$0.05')
})

test('the decimals of every currency are those that ISO 4217 lists', () => {
  for (const { code, digits } of data) {
    // Gold, drawing rights and the like are no money that anybody is charged in.
    if (/^X(?!AF|CD|CG|OF|PF)/.test(code)) continue
    expect([code, minorPerMajor(code)]).toEqual([code, 10n ** BigInt(digits)])
  }
})

test('every currency that the interface takes is written so that its digits are those of the amount', () => {
  for (const code of codes()) {
    expect(formatMoney(1_234_567n, code).replace(/[^\d]/g, ''), code).toBe('1234567')
  }
})
