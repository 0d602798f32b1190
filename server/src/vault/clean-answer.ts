import { looksLikeCardNumber } from '../schema/card-number.ts'
import { partNames } from './part-names.ts'

/** What went into a call or came out of its answer, and must be nowhere in what the caller gets. */
export type Known = { readonly numbers: readonly string[]; readonly codes: readonly string[] }

const masked = '[redacted]'

/**
 * An answer of a rail without what the vault put into the call or took out of the answer, without any other text that looks like a number
 * of a card, and without what is called a security code: whoever asks for a number in plain words gets none.
 */
export function cleanAnswer(body: unknown, known: Known): unknown {
  const clean = (value: unknown, name: string): unknown => {
    if (typeof value === 'string' || typeof value === 'number')
      return partNames.security_code.test(name) || holds(String(value), known) ? masked : value
    if (Array.isArray(value)) return value.map((member) => clean(member, name))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [holds(key, known) ? masked : key, clean(member, key)]),
    )
  }
  return clean(body, '')
}

/** Ids look like numbers of cards by chance, and are needed whole. */
const id = /^[a-z]{1,16}_[0-9A-Za-z_-]+$/

function holds(text: string, { numbers, codes }: Known): boolean {
  if (codes.includes(text)) return true
  if (!id.test(text) && looksLikeCardNumber(text)) return true
  // Written in groups it is the same number.
  const digits = text.replace(/\D/g, '')
  return numbers.some((number) => digits.includes(number))
}
