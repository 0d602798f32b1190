import type { ShopRequest } from '../../channels/browser/shopping-words.ts'
import { readPhone } from '../reading/dial-codes.ts'
import type { Field } from '../reading/words/shop-words.ts'
import { mailable } from './buyer-values.ts'

/** Whether what stands in a field is what was typed there: shops write phones in their own way, codes without spaces, names in capitals. */
export function isSame(
  field: Field,
  [standing, typed]: readonly [string, string],
  { buyer }: ShopRequest,
): boolean {
  switch (field) {
    case 'phone':
      return digitsOf(standing) === digitsOf(typed) || isPhone(standing, typed, buyer.phone)
    case 'postal_code':
      return plain(standing).replaceAll('-', '') === plain(typed).replaceAll('-', '')
    case 'email':
      return plain(mailable(standing)) === plain(mailable(typed))
    default:
      return plain(standing) === plain(typed)
  }
}

/** The whole number in any of its forms, where the whole number was typed. */
function isPhone(standing: string, typed: string, phone: string | null): boolean {
  const number = phone === null ? null : readPhone(phone)
  if (number === null) return false
  const forms = [number.e164, number.national, number.significant, `00${number.e164.slice(1)}`].map(digitsOf)
  return forms.includes(digitsOf(standing)) && forms.includes(digitsOf(typed))
}

export function digitsOf(text: string): string {
  return text.normalize('NFKC').replaceAll(/\D/gu, '')
}

/** Without case and spaces. */
export function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, '')
}
