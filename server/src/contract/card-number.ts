/**
 * Whether a text holds something that is, in all likelihood, a payment card number: digits (spaces and dashes between groups
 * allowed) with a known brand's prefix and length that pass the Luhn check. Used to refuse card data in free text, where it
 * would end up in logs and exports; identifiers and barcodes are exempt because some of them pass by chance.
 */
export function looksLikeCardNumber(text: string): boolean {
  if (text.length < DIGITS_MIN) return false
  for (const run of text.matchAll(DIGIT_RUN)) {
    if (runHoldsCardNumber(run[0])) return true
  }
  return false
}

const DIGITS_MIN = 13
const DIGITS_MAX = 19

const SEPARATORS = '[\\s\\u2010-\\u2015\\u2212-]'
// At least 13 digits; at most three separators in a row, as in "4111 - 1111".
const DIGIT_RUN = new RegExp(`\\d(?:${SEPARATORS}{0,3}\\d){${DIGITS_MIN - 1},}`, 'g')
const SEPARATOR_RUN = new RegExp(`${SEPARATORS}+`)

/** Tries every stretch of whole groups, so that "4111 1111 1111 1111 12" with an expiry month behind it is still seen. */
function runHoldsCardNumber(run: string): boolean {
  const groups = run.split(SEPARATOR_RUN)
  for (let first = 0; first < groups.length; first++) {
    let digits = ''
    for (let last = first; last < groups.length; last++) {
      digits += groups[last] ?? ''
      if (digits.length > DIGITS_MAX) break
      if (digits.length >= DIGITS_MIN && isBrandNumber(digits) && passesLuhn(digits)) return true
    }
  }
  return false
}

type Brand = { name: string; prefix: RegExp; lengths: ReadonlySet<number> }

const BRANDS: readonly Brand[] = [
  { name: 'visa', prefix: /^4/, lengths: new Set([13, 16, 19]) },
  {
    name: 'mastercard',
    prefix: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    lengths: new Set([16]),
  },
  { name: 'amex', prefix: /^3[47]/, lengths: new Set([15]) },
  { name: 'discover', prefix: /^(?:6011|64[4-9]|65)/, lengths: new Set([16, 17, 18, 19]) },
  { name: 'diners', prefix: /^(?:30[0-5]|309|36|38|39)/, lengths: new Set([14, 15, 16, 17, 18, 19]) },
  { name: 'jcb', prefix: /^35(?:2[89]|[3-8])/, lengths: new Set([16, 17, 18, 19]) },
  { name: 'unionpay', prefix: /^(?:62|81)/, lengths: new Set([16, 17, 18, 19]) },
]

function isBrandNumber(digits: string): boolean {
  return BRANDS.some((brand) => brand.lengths.has(digits.length) && brand.prefix.test(digits))
}

function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let fromRight = 0; fromRight < digits.length; fromRight++) {
    const digit = digits.charCodeAt(digits.length - 1 - fromRight) - 0x30
    const doubled = fromRight % 2 === 0 ? digit : digit * 2
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
