import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computingMs } from '../../test/gate/pace.ts'
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
  ['mir', '2200000000000053'],
  ['mir of 19 digits', '2204240000000000121'],
  ['elo', '5066991111111118'],
  ['elo of 636', '6362970000457013'],
  ['maestro', '6759649826438453'],
  ['maestro of 50', '5018000000000009'],
  ['maestro of 19 digits', '6799990100000000019'],
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
  '4242.4242.4242.4242',
  '4242_4242_4242_4242',
  '4242/4242/4242/4242',
  '4242:4242:4242:4242',
  '4242,4242,4242,4242',
  '4242|4242|4242|4242',
  '(4242)(4242)(4242)(4242)',
  '4242    4242    4242    4242',
  '4242 -- 4242 -- 4242 -- 4242',
  '4.2.4.2.4.2.4.2.4.2.4.2.4.2.4.2',
  '42 42 42 42 42 42 42 42',
  '424242424242 4242',
  '4242 424242424242',
  '424242 4242424242',
  '37828224631 0005',
  '4242\u00ad4242\u00ad4242\u00ad4242',
  '4242\u200b4242\u200d4242\u20604242',
  '4\ufeff242424242424242',
  '\uff14\uff12\uff14\uff12 \uff14\uff12\uff14\uff12 4242 4242',
  '\u0664\u0662\u0664\u0662\u0664\u0662\u0664\u0662\u0664\u0662\u0664\u0662\u0664\u0662\u0664\u0662',
  '\u06f4\u06f2\u06f4\u06f2 \u06f4\u06f2\u06f4\u06f2 \u06f4\u06f2\u06f4\u06f2 \u06f4\u06f2\u06f4\u06f2',
  '\u096a\u0968\u096a\u0968\u096a\u0968\u096a\u0968\u096a\u0968\u096a\u0968\u096a\u0968\u096a\u0968',
  '\u{1d7d2}\u{1d7d0}42424242424242',
  '4\ufe0f\u20e32\ufe0f\u20e3424242 42424242',
  'card 4242, 4242, 4242, 4242',
  'cvc 123, number 42:42:42:42:42:42:42:42',
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
  ['a UUID with the digits of a card', '39660479-5844-415e-a384-4e7ce6dfc000'],
  ['such a UUID in an address', 'a8f20b35-c82a-4194-9232-65869bbc3a92@example.com'],
  ['such a UUID after the word', 'card 62002710-3213-4544-87b7-1dc6453a79b2'],
  ['a time', '2026-03-14T15:09:26.535Z'],
  ['no digits', 'Two shirts in size L, please'],
  ['sizes', 'In 36 37 38 39 40 41 42 43 44 45 46'],
  ['sizes in a list', '36, 37, 38, 39, 40, 41, 42, 43, 44'],
  ['sizes with slashes', '36/37/38/39/40/41/42/43/44/45/46'],
  ['prices', 'from 4999, 5499, 5999, 6499 or 51.00, 52.00, 53.00, 54.00'],
  ['a barcode', 'EAN 4006381333931'],
  ['a barcode that passes the Luhn check, too', '4000000000006'],
  ['a mobile phone', 'ring +49 151 23456789 or +49 (151) 23456780'],
  ['a date and time', '23.11.2026 17:26:46.53'],
  ['a short number without a word', '6759 0000 0000'],
  ['addresses of machines', '192.168.100.200 and 10.20.30.40'],
])('%s is not taken for a card', (_, text) => {
  expect(looksLikeCardNumber(text)).toBe(false)
})

test.each([
  '39660479-5844-415e-a384-4e7ce6dfc000 4242424242424242',
  '39660479-5844-415e-a384-4242424242424242',
  '42424242-4242-4242-a',
])('a card number beside a UUID, or in what is almost one, is still seen: %s', (text) => {
  expect(looksLikeCardNumber(text)).toBe(true)
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

test.each([
  'Maestro 6759 0000 0000',
  'Karte: 675900000000',
  'tarjeta 675900000000, cvv 123',
  'карта 675900000000',
  '675900000000 exp 12/30',
  'カード675900000000',
])('beside a word that says so a shorter number is one, too: %s', (text) => {
  expect(looksLikeCardNumber(text)).toBe(true)
})

test('the word stands beside the number, not somewhere', () => {
  expect(looksLikeCardNumber(`card ${'x'.repeat(60)} 675900000000`)).toBe(false)
})

/** How many of these are refused by chance, of a thousand. */
function refusedOf(texts: fc.Arbitrary<string>): number {
  const runs = 5_000
  return (fc.sample(texts, { numRuns: runs, seed: 11 }).filter(looksLikeCardNumber).length / runs) * 1000
}

const digits = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
    .map((all) => all.join(''))

function withCheckDigit(twelve: string): string {
  const sum = [...twelve].reduce((all, digit, at) => all + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return twelve + ((10 - (sum % 10)) % 10)
}

test.each<[string, fc.Arbitrary<string>, number]>([
  ['barcodes of 13 digits', digits(12).map((twelve) => `EAN ${withCheckDigit(twelve)}`), 0],
  ['order numbers of 6 to 12 digits', fc.integer({ min: 6, max: 12 }).chain(digits), 0],
  ['German mobile numbers', digits(9).map((rest) => `+49 15 ${rest}`), 0],
  [
    'North American numbers',
    digits(10).map((ten) => `+1 (${ten.slice(0, 3)}) ${ten.slice(3, 6)}-${ten.slice(6)}`),
    0,
  ],
  ['tracking numbers of 12 digits', digits(12), 0],
  ['tracking numbers that begin with 1Z', digits(16).map((rest) => `1Z${rest}`), 35],
  ['parcels of 14 digits', digits(14), 10],
  ['numbers of 16 digits', digits(16), 35],
  [
    'dates and times',
    fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString()),
    0,
  ],
  [
    'four prices',
    fc
      .array(fc.integer({ min: 1, max: 9999 }), { minLength: 4, maxLength: 4 })
      .map((all) => all.map((one) => (one / 100).toFixed(2)).join(', ')),
    0,
  ],
])('of %s few enough are refused by chance', (_, texts, perThousandMax) => {
  expect(refusedOf(texts)).toBeLessThanOrEqual(perThousandMax)
})

test.each(['4 ', '4', '4, ', '42 ', '6759 0000 0000 ', 'card ', '\u0664', '\ufdfa', '\u200b4'])(
  'the time it takes grows with the length of the text only: %j',
  (part) => {
    const text = part.repeat(Math.ceil((256 * 1024) / Buffer.byteLength(part)))
    expect(computingMs(() => looksLikeCardNumber(text))).toBeLessThan(1_000)
  },
)
