import type { CardBrand } from '../../../contract/card-brands.ts'
import type { TestCardName } from '../../../contract/test-card-numbers.ts'

export type StepUp = 'none' | 'cvc' | 'otp' | 'passkey' | 'popup'
export type EnrollmentStep = 'otp' | 'passkey' | 'popup'

/** How a test card behaves, from the table of the public documentation. */
export type TestCard = {
  brand: CardBrand
  last4: string
  /** The result when enrollment is requested: a status at once, or the steps that it waits for. */
  enrollment: 'active' | 'rejected' | 'ineligible' | readonly EnrollmentStep[]
  /** The step-up of an enrolled card at an approval. Cards that are not enrolled need the security code each time. */
  stepUp: Exclude<StepUp, 'cvc'>
  /** Every one-time password is refused. */
  refusesOtp?: true
}

/** Test-mode identifiers, sent instead of a vault token; a typed number of one behaves like it. All expire 01/2030 and have the security code 111. */
export const testCards = {
  visa_auto_approved: { brand: 'visa', last4: '4242', enrollment: 'active', stepUp: 'none' },
  mastercard_auto_approved: { brand: 'mastercard', last4: '4444', enrollment: 'active', stepUp: 'none' },
  visa_otp_required: { brand: 'visa', last4: '1091', enrollment: ['otp'], stepUp: 'otp' },
  mastercard_otp_required: { brand: 'mastercard', last4: '1096', enrollment: ['otp'], stepUp: 'otp' },
  visa_otp_passkey: { brand: 'visa', last4: '1109', enrollment: ['otp', 'passkey'], stepUp: 'passkey' },
  mastercard_popup: { brand: 'mastercard', last4: '1112', enrollment: ['popup'], stepUp: 'popup' },
  visa_otp_invalid: { brand: 'visa', last4: '1125', enrollment: ['otp'], stepUp: 'otp', refusesOtp: true },
  visa_rejected: { brand: 'visa', last4: '0002', enrollment: 'rejected', stepUp: 'none' },
  mastercard_rejected: { brand: 'mastercard', last4: '0010', enrollment: 'rejected', stepUp: 'none' },
  visa_ineligible: { brand: 'visa', last4: '0028', enrollment: 'ineligible', stepUp: 'none' },
  mastercard_ineligible: { brand: 'mastercard', last4: '0036', enrollment: 'ineligible', stepUp: 'none' },
  amex_ineligible: { brand: 'amex', last4: '0005', enrollment: 'ineligible', stepUp: 'none' },
  discover_ineligible: { brand: 'discover', last4: '1117', enrollment: 'ineligible', stepUp: 'none' },
  visa_issuer_declined: { brand: 'visa', last4: '0119', enrollment: 'active', stepUp: 'none' },
  mastercard_issuer_declined: { brand: 'mastercard', last4: '0127', enrollment: 'active', stepUp: 'none' },
  visa_3ds_required: { brand: 'visa', last4: '3220', enrollment: 'active', stepUp: 'none' },
  visa_insufficient_funds: { brand: 'visa', last4: '9995', enrollment: 'active', stepUp: 'none' },
} as const satisfies Record<TestCardName, TestCard>

export const testCvcs = ['cvc_3_digit', 'cvc_4_digit'] as const

/** The one-time password that test cards accept. */
export const testOtp = '123456'

export const testCardExpiry = { month: 1, year: 2030 } as const

/** Whether this is one of the identifiers of test mode, of a card or of a security code: live mode accepts none of them anywhere. */
export function isTestIdentifier(token: string): boolean {
  return testCardOf(token) !== null || testCvcs.some((listed) => listed === token)
}

export function testCardOf(identifier: string): TestCard | null {
  return Object.hasOwn(testCards, identifier) ? testCards[identifier as keyof typeof testCards] : null
}
