import fc from 'fast-check'
import { expect, test } from 'vitest'
import { patientMs } from '../../test/gate/pace.ts'
import { looksLikeCardNumber } from './card-number.ts'

const CARDS = [
  ['visa', '4242424242424242'],
  ['visa of 13 digits', '4222222222222'],
  ['mastercard', '5555555555554444'],
  ['mastercard of the 2 series', '2223003122003222'],
  ['amex', '378282246310005'],
  ['discover', '6011111111111117'],
  ['diners of 14 digits', '38520000023237'],
  ['jcb', '3566002020360505'],
  ['unionpay', '6200000000000005'],
] as const

test.each(CARDS)('a %s number is seen, alone and inside a sentence', (_, digits) => {
  expect(looksLikeCardNumber(digits)).toBe(true)
  expect(looksLikeCardNumber(`charge ${digits}, please`)).toBe(true)
})

test.each([
  '4242 4242 4242 4242',
  '4242-4242-4242-4242',
  '4242 - 4242 - 4242 - 4242',
  '4242\u00a04242\u20114242\u20134242',
  '3782 822463 10005',
  'exp 4242 4242 4242 4242 12/30 cvc 123',
  '12 4242 4242 4242 4242',
  'Jane4242424242424242Doe',
  `${'x'.repeat(5000)} 4242424242424242`,
])('spacing, dashes and text around do not hide a card number: %#', (text) => {
  expect(looksLikeCardNumber(text)).toBe(true)
})

test.each([
  ['a Luhn check that fails', '4242424242424241'],
  ['a prefix of no brand', '1111111111111117'],
  ['a brand with a length it does not have', '424242424242426'],
  ['too few digits', '424242424242'],
  ['a longer number that contains one', '42424242424242420000'],
  ['digits kept apart by letters', '4242 4242 and 4242 4242'],
  ['a phone number', '+1 (415) 555-2671'],
  ['a UUID', '0190163d-8694-739b-aea5-966c26f8ad91'],
  ['a time', '2026-03-14T15:09:26.535Z'],
  ['no digits', 'Two shirts in size L, please'],
])('%s is not taken for a card', (_, text) => {
  expect(looksLikeCardNumber(text)).toBe(false)
})

test('changing any one digit of a card number makes it an ordinary number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 6, max: 15 }), fc.integer({ min: 1, max: 9 }), (at, by) => {
      const card = '4242424242424242'
      const digit = (Number(card[at]) + by) % 10
      expect(looksLikeCardNumber(card.slice(0, at) + digit + card.slice(at + 1))).toBe(false)
    }),
  )
})

test('the time it takes grows with the length of the text only', () => {
  const started = performance.now()
  looksLikeCardNumber('1 '.repeat(20_000))
  looksLikeCardNumber('1'.repeat(40_000))
  expect(performance.now() - started).toBeLessThan(patientMs(2_000))
})
