import { BadRequest, type Fields, isObject } from '../fields.ts'

/** `asks`: it asks the holder of the card first, on a page of its own. */
type IssuerAnswer = { kind: 'approved' } | { kind: 'asks' } | { kind: 'declined'; code: string }

/** `card` as sent: a test identifier, or an object that carries one. Kept by name only when it is a known one. */
export type Card = { name: string; issuer: IssuerAnswer }

const approved = [
  'visa_auto_approved',
  'mastercard_auto_approved',
  'visa_otp_required',
  'mastercard_otp_required',
  'visa_otp_passkey',
  'mastercard_popup',
  'visa_otp_invalid',
  'visa_rejected',
  'mastercard_rejected',
  'visa_ineligible',
  'mastercard_ineligible',
  'amex_ineligible',
  'discover_ineligible',
] as const

const issuerAnswers = new Map<string, IssuerAnswer>([
  ...approved.map((name): [string, IssuerAnswer] => [name, { kind: 'approved' }]),
  ['visa_3ds_required', { kind: 'asks' }],
  ['visa_issuer_declined', { kind: 'declined', code: 'do_not_honor' }],
  ['mastercard_issuer_declined', { kind: 'declined', code: 'do_not_honor' }],
  ['visa_insufficient_funds', { kind: 'declined', code: 'insufficient_funds' }],
])

export function cardOf(body: Fields): Card {
  const given = isObject(body.card) ? body.card.test_card : body.card
  if (typeof given !== 'string') throw new BadRequest('card must be a test-card identifier or {test_card}')
  const issuer = issuerAnswers.get(given)
  // An unknown card could be a real number that someone pasted here: its text never reaches the log.
  return issuer === undefined
    ? { name: 'unknown', issuer: { kind: 'declined', code: 'invalid_card' } }
    : { name: given, issuer }
}
