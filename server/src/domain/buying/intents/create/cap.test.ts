import fc from 'fast-check'
import { expect, test } from 'vitest'
import { divideCap, feeAllowanceOf, fullCap, lowerCaps, reprice, taxAllowanceOf } from './cap.ts'

const settings = {
  tolerancePercent: 5,
  feePercent: 30,
  feeCapMajorUnits: 25,
  taxPercent: 12,
  timezone: 'UTC',
}

test.each([
  { expected: 1000n, currency: 'EUR', said: null, fee: 300n },
  { expected: 100_000n, currency: 'EUR', said: null, fee: 2500n },
  { expected: 100_000n, currency: 'JPY', said: null, fee: 25n },
  { expected: 1_000_000n, currency: 'KWD', said: null, fee: 25_000n },
  { expected: 1n, currency: 'EUR', said: null, fee: 0n },
  { expected: 1000n, currency: 'EUR', said: 0, fee: 0n },
  { expected: 1000n, currency: 'EUR', said: 9999, fee: 9999n },
])(
  'the fee allowance of $expected $currency, with $said from the caller, is $fee',
  ({ expected, currency, said, fee }) => {
    expect(feeAllowanceOf(expected, currency, said, settings)).toBe(fee)
  },
)

test('a cap is merchandise, fee, tax and tolerance, each rounded down', () => {
  const expected = 1999n
  const taxAllowance = taxAllowanceOf(expected, settings)
  expect(taxAllowance).toBe(239n)
  expect(fullCap({ expected, feeAllowance: 599n, taxAllowance, toleranceBasisPoints: 500 })).toBe(
    1999n + 599n + 239n + 99n,
  )
})

test('a cap is divided by merchandise, and its fee allowance in equal shares', () => {
  const intent = { expected: 3000n, feeAllowance: 301n, taxAllowance: 360n, toleranceBasisPoints: 500 }
  const shares = divideCap({ ...intent, cap: fullCap(intent) }, [1000n, 2000n])
  expect(shares).toEqual([
    { maxAllowed: 1000n + 151n + 120n + 50n, feeAllowance: 151n, taxAllowance: 120n },
    { maxAllowed: 2000n + 150n + 240n + 100n, feeAllowance: 150n, taxAllowance: 240n },
  ])
})

test('however a cap is divided, the shares sum to exactly the cap, and no lowering raises one', () => {
  const amount = fc.bigInt({ min: 0n, max: 1_000_000n })
  const purchase = fc.record({
    carts: fc.array(amount, { minLength: 1, maxLength: 8 }),
    feeAllowance: amount,
    taxAllowance: amount,
    toleranceBasisPoints: fc.integer({ min: 0, max: 10_000 }),
    lowering: fc.integer({ min: 0, max: 1000 }),
  })
  fc.assert(
    fc.property(purchase, ({ carts, lowering, ...allowances }) => {
      const intent = { ...allowances, expected: sum(carts) }
      const full = fullCap(intent)
      const cap = (full * BigInt(1000 - lowering)) / 1000n
      const undivided = divideCap({ ...intent, cap: full }, carts)
      const shares = divideCap({ ...intent, cap }, carts)
      expect(sum(shares.map(({ maxAllowed }) => maxAllowed))).toBe(cap)
      expect(sum(shares.map(({ feeAllowance }) => feeAllowance))).toBe(intent.feeAllowance)
      expect(sum(shares.map(({ taxAllowance }) => taxAllowance))).toBe(intent.taxAllowance)
      const raised = shares.filter(
        ({ maxAllowed }, index) => maxAllowed > (undivided[index]?.maxAllowed ?? 0n),
      )
      expect(raised).toEqual([])
    }),
  )
})

test('caps are lowered pro rata, and left alone when there is room', () => {
  expect(lowerCaps([100n, 200n], 300n)).toEqual([100n, 200n])
  expect(lowerCaps([100n, 200n], 150n)).toEqual([50n, 100n])
  expect(lowerCaps([1n, 1n, 1n], 2n)).toEqual([1n, 1n, 0n])
  expect(lowerCaps([100n, 200n], 0n)).toEqual([0n, 0n])
})

const cart = { expected: 1000n, tax: 120n, fee: 300n, toleranceBasisPoints: 500 }

test('a new price brings its own tax and tolerance, and leaves the other carts what they have', () => {
  expect(
    reprice({
      intent: { expected: 3000n, tax: 360n, most: null },
      cart,
      otherCaps: 2500n,
      newExpected: 1200n,
    }),
  ).toEqual({
    cartExpected: 1200n,
    cartTax: 144n,
    cartCap: 1200n + 300n + 144n + 60n,
    intentExpected: 3200n,
    intentTax: 384n,
    intentCap: 2500n + 1704n,
  })
})

test('a new price is never asked about above what the caller or a policy allows', () => {
  const input = { cart, otherCaps: 2500n, newExpected: 1200n }
  expect(reprice({ ...input, intent: { expected: 3000n, tax: 360n, most: 3700n } })?.intentCap).toBe(3700n)
  expect(reprice({ ...input, intent: { expected: 3000n, tax: 360n, most: 3699n } })).toBeNull()
})

function sum(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => a + b, 0n)
}
