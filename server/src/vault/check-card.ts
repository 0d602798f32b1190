import { brandOf } from '../schema/card-brands.ts'

/** What is typed into a form of a shop. It is never shown, logged or put into an error. */
export type CardSecrets = {
  readonly number: string
  readonly expMonth: number
  readonly expYear: number
  readonly holder: string | null
}

export type CardFault = 'number' | 'expiry' | 'security_code' | 'holder'

type CheckedCard = { readonly brand: string; readonly last4: string }

/** Whether this can be the card that it says. A fault names the field and never its value. */
export function checkCard(
  { number, expMonth, expYear, holder }: CardSecrets,
  today: { readonly year: number; readonly month: number },
): CheckedCard | CardFault {
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) return 'number'
  const brand = brandOf(number)
  if (brand === null) return 'number'
  if (!Number.isInteger(expMonth) || expMonth < 1 || expMonth > 12) return 'expiry'
  if (!Number.isInteger(expYear) || expYear > today.year + yearsAheadMax) return 'expiry'
  // A card is good to the last day of its month, wherever that ends last.
  if (expYear < today.year || (expYear === today.year && expMonth < today.month)) return 'expiry'
  if (holder !== null && !/^[^\p{Cc}]{1,100}$/u.test(holder)) return 'holder'
  return { brand, last4: number.slice(-4) }
}

/** American Express has four digits, all others three. */
export function isSecurityCode(code: string, brand: string): boolean {
  return brand === 'amex' ? /^\d{4}$/.test(code) : /^\d{3}$/.test(code)
}

const yearsAheadMax = 30

function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 0x30
    const doubled = at % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
