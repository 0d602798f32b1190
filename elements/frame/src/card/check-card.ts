import { brandOf } from './brands.ts'
import { isNumberWhole } from './card-number.ts'
import { digitsIn } from './digits.ts'
import { hasExpired, readExpiry } from './expiry.ts'

/** As the fields hold it. */
export type CardDraft = {
  readonly number: string
  readonly expiry: string
  readonly code: string
  readonly name: string
}

/** In the order of the form. */
export const cardFields = ['number', 'expiry', 'code', 'name'] as const
export type CardField = (typeof cardFields)[number]

export type CardFault =
  | 'numberMissing'
  | 'numberWrong'
  | 'expiryMissing'
  | 'expiryWrong'
  | 'expiryPast'
  | 'codeMissing'
  | 'codeWrong'
  | 'nameIsNumber'

type CardFaults = { readonly [Field in CardField]?: CardFault }

/** As the vault takes it. */
export type Card = {
  readonly number: string
  readonly exp_month: number
  readonly exp_year: number
  readonly cardholder_name: string | null
  readonly cvc: string
}

export const emptyDraft: CardDraft = { number: '', expiry: '', code: '', name: '' }

export function checkCard(
  draft: CardDraft,
  now: Date,
): { readonly card: Card; readonly faults: null } | { readonly card: null; readonly faults: CardFaults } {
  const number = digitsIn(draft.number)
  const cvc = digitsIn(draft.code)
  const name = draft.name.trim()
  const expiry = readExpiry(draft.expiry)
  const found: Record<CardField, CardFault | undefined> = {
    number: number === '' ? 'numberMissing' : isNumberWhole(number) ? undefined : 'numberWrong',
    expiry:
      draft.expiry.trim() === ''
        ? 'expiryMissing'
        : expiry === null
          ? 'expiryWrong'
          : hasExpired(expiry, now)
            ? 'expiryPast'
            : undefined,
    code: cvc === '' ? 'codeMissing' : isCodeWhole(cvc, number) ? undefined : 'codeWrong',
    // A number in the wrong field would be kept as a name, which is no secret.
    name: digitsIn(name).length >= 8 ? 'nameIsNumber' : undefined,
  }
  const faults = Object.fromEntries(Object.entries(found).filter(([, fault]) => fault !== undefined))
  if (expiry === null || Object.keys(faults).length > 0) return { card: null, faults }
  const { month: exp_month, year: exp_year } = expiry
  return {
    card: { number, exp_month, exp_year, cardholder_name: name === '' ? null : name, cvc },
    faults: null,
  }
}

function isCodeWhole(code: string, number: string): boolean {
  const length = brandOf(number)?.codeLength
  return length === undefined ? code.length === 3 || code.length === 4 : code.length === length
}
