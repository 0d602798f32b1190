import { dialCodeOf, type PhoneNumber, readPhone } from '../reading/dial-codes.ts'

/** What a field for a phone number says about the form that it wants. */
export type PhoneField = {
  readonly maxLength: number | null
  /** Of `pattern`; empty where there is none. */
  readonly pattern: string
  readonly isNumber: boolean
  /** The code of the country has a field of its own, or the field asks for a number as it is dialed at home. */
  readonly isWithoutCode: boolean
  readonly hasDialField: boolean
}

/**
 * A phone number in the forms that a field may want, the best first. As it is dialed at home it is understood only where the address is:
 * elsewhere it would be somebody else's number. Empty: no form fits, and nothing is cut.
 */
export function phoneForms(phone: string, country: string | null, field: PhoneField): string[] {
  const number = readPhone(phone)
  if (number === null) return fits(phone, field) ? [phone] : []
  return formsOf(number, country, field).filter(
    (text, at, all) => fits(text, field) && all.indexOf(text) === at,
  )
}

function formsOf(number: PhoneNumber, country: string | null, field: PhoneField): string[] {
  const { e164, national, significant, dialCode } = number
  if (field.hasDialField) return [significant, national]
  const isAtHome = country !== null && dialCodeOf(country) === dialCode
  const home = isAtHome ? [national] : []
  if (field.isWithoutCode) return home
  const abroad = field.isNumber ? [] : [e164, `00${e164.slice(1)}`]
  return field.isNumber ? home : [...abroad, ...home]
}

function fits(text: string, { maxLength, pattern, isNumber }: PhoneField): boolean {
  if (maxLength !== null && text.length > maxLength) return false
  if (isNumber && !/^\d+$/u.test(text)) return false
  return matches(text, pattern)
}

/** As the browser reads `pattern`; one that it cannot read says nothing. */
export function matches(text: string, pattern: string): boolean {
  if (pattern === '' || pattern.length > 300) return true
  try {
    return new RegExp(`^(?:${pattern})$`, 'v').test(text)
  } catch {
    return true
  }
}

/** A phone number for boxes of these lengths: `415 | 555 | 0132`. Null: nobody can tell where it is cut. */
export function phoneParts(
  phone: string,
  country: string | null,
  lengths: readonly (number | null)[],
): string[] | null {
  const number = readPhone(phone)
  if (number === null || country === null || dialCodeOf(country) !== number.dialCode) return null
  const cuts = cutsOf(number, lengths)
  if (cuts === null || cuts.length !== lengths.length) return null
  const parts: string[] = []
  let at = 0
  for (const length of cuts) {
    parts.push(number.national.slice(at, at + length))
    at += length
  }
  const isWhole = at === number.national.length && parts.every((part) => part !== '')
  const hasRoom = parts.every((part, index) => part.length <= (lengths[index] ?? part.length))
  return isWhole && hasRoom ? parts : null
}

function cutsOf({ dialCode, national }: PhoneNumber, lengths: readonly (number | null)[]): number[] | null {
  if (dialCode === '1') return lengths.length === 3 ? [3, 3, 4] : lengths.length === 2 ? [3, 7] : null
  if (dialCode === '81' && lengths.length === 3) return japanese(national)
  // Three, three and four digits are those of American numbers, and make one of any other.
  if (lengths.join() === '3,3,4') return null
  const known = lengths.filter((length) => length !== null)
  const sum = known.reduce((all, length) => all + length, 0)
  return known.length === lengths.length && sum === national.length ? known : null
}

/** How long the code of the place is says its beginning; where that is not known, nobody can tell. */
function japanese(national: string): number[] | null {
  if (/^0[5789]0\d{8}$/u.test(national)) return [3, 4, 4]
  if (/^0(?:120|800)/u.test(national)) return [4, 3, 3]
  if (!/^0\d{9}$/u.test(national)) return null
  if (/^0[36]/u.test(national)) return [2, 4, 4]
  return /^0(?:11|22|25|42|43|44|45|46|48|49|52|53|54|58|59|72|73|75|76|77|78|79|82|84|86|87|92|93|95|96|97|98|99)/u.test(
    national,
  )
    ? [3, 3, 4]
    : null
}
