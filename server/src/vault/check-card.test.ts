import fc from 'fast-check'
import { expect, test } from 'vitest'
import { looksLikeCardNumber } from '../schema/card-number.ts'
import { checkCard, isSecurityCode } from './check-card.ts'

const today = { year: 2026, month: 11 }
const good = { number: '4242424242424242', expMonth: 11, expYear: 2026, holder: 'Jane Roe' }

test.each([
  ['4242424242424242', 'visa', '4242'],
  ['5555555555554444', 'mastercard', '4444'],
  ['2223003122003222', 'mastercard', '3222'],
  ['378282246310005', 'amex', '0005'],
  ['6011111111111117', 'discover', '1117'],
  ['38520000023237', 'diners', '3237'],
  ['3566002020360505', 'jcb', '0505'],
  ['6200000000000005', 'unionpay', '0005'],
])('%s is a number of %s', (number, brand, last4) => {
  expect(checkCard({ ...good, number }, today)).toEqual({ brand, last4 })
})

test.each([
  [{ number: '4242424242424241' }, 'number'],
  [{ number: '424242424242424' }, 'number'],
  [{ number: '9999999999999995' }, 'number'],
  [{ number: '4242 4242 4242 4242' }, 'number'],
  [{ number: '' }, 'number'],
  [{ number: '4'.repeat(1_000_000) }, 'number'],
  [{ number: '\u0664242424242424242' }, 'number'],
  [{ expMonth: 0 }, 'expiry'],
  [{ expMonth: 13 }, 'expiry'],
  [{ expMonth: 10 }, 'expiry'],
  [{ expMonth: 1.5 }, 'expiry'],
  [{ expMonth: Number.NaN }, 'expiry'],
  [{ expYear: 2025 }, 'expiry'],
  [{ expYear: 26 }, 'expiry'],
  [{ expYear: 2057 }, 'expiry'],
  [{ expYear: Number.POSITIVE_INFINITY }, 'expiry'],
  [{ holder: '' }, 'holder'],
  [{ holder: 'Jane\nRoe' }, 'holder'],
  [{ holder: 'x'.repeat(101) }, 'holder'],
])('%j is at fault: %s', (change, fault) => {
  expect(checkCard({ ...good, ...change }, today)).toBe(fault)
})

test('a card is good to the end of its month', () => {
  expect(checkCard(good, today)).toMatchObject({ brand: 'visa' })
  expect(checkCard(good, { year: 2026, month: 12 })).toBe('expiry')
})

test('codes have four digits at American Express and three elsewhere', () => {
  expect([isSecurityCode('1234', 'amex'), isSecurityCode('123', 'amex')]).toEqual([true, false])
  expect([isSecurityCode('123', 'visa'), isSecurityCode('1234', 'visa')]).toEqual([true, false])
  expect(['', '12', '12a', ' 123', '123\n'].filter((code) => isSecurityCode(code, 'visa'))).toEqual([])
})

test('of random digits it takes none that the guard of free text would not see', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 11, maxLength: 20 })
  fc.assert(
    fc.property(digits, (number) => {
      const taken = typeof checkCard({ ...good, number }, today) !== 'string'
      // Barcodes pass by chance; a rail issues no such numbers.
      expect(taken && number.length !== 13 && !looksLikeCardNumber(number)).toBe(false)
    }),
    { numRuns: 1_000 },
  )
})
