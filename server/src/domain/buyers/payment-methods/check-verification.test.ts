import { expect, test } from 'vitest'
import { checkVerification, stepUpOf } from './check-verification.ts'
import { isProven } from './decide-enrollment.ts'
import type { PaymentMethodRow } from './payment-method.ts'
import { testCardOf, testCards } from './test-cards.ts'

const at = new Date('2026-01-01T00:00:00Z')

function card(
  identifier: keyof typeof testCards,
  status: PaymentMethodRow['agentic_status'],
): PaymentMethodRow {
  const { brand, last4 } = testCards[identifier]
  return {
    id: 'pm_1',
    profile_id: 'prof_1',
    type: 'card',
    is_default: true,
    label: null,
    billing_address_id: null,
    card_kind: 'existing',
    card_brand: brand,
    card_last4: last4,
    card_exp_month: 1,
    card_exp_year: 2030,
    vault_token: 'pr_vt_test_x',
    test_card: identifier,
    enrollment_requested: status !== 'not_requested',
    agentic_status: status,
    pending_steps: [],
    failed_verifications: 0,
    added_in: null,
    proven_there: false,
    seq: 1,
    created_at: at,
    updated_at: at,
    deleted_at: null,
    added_by: 'account',
    kept_by: null,
    kept_customer: null,
    kept_method: null,
  }
}

test.each([
  ['visa_auto_approved', 'none'],
  ['mastercard_auto_approved', 'none'],
  ['visa_otp_required', 'otp'],
  ['mastercard_otp_required', 'otp'],
  ['visa_otp_passkey', 'passkey'],
  ['mastercard_popup', 'popup'],
  ['visa_issuer_declined', 'none'],
  ['visa_insufficient_funds', 'none'],
] as const)('%s, enrolled, asks for %s at approval', (identifier, stepUp) => {
  expect(stepUpOf(card(identifier, 'active'))).toBe(stepUp)
})

test('a card that is not enrolled asks for its security code each time, an enrolled one when the buyer prefers so', () => {
  for (const status of [
    'not_requested',
    'pending_verification',
    'ineligible',
    'rejected',
    'suspended',
  ] as const) {
    expect(stepUpOf(card('visa_auto_approved', status))).toBe('cvc')
  }
  expect(stepUpOf(card('visa_auto_approved', 'active'), 'never')).toBe('cvc')
})

test('American Express needs four digits and everybody else three', () => {
  const visa = card('visa_ineligible', 'ineligible')
  const amex = card('amex_ineligible', 'ineligible')
  expect(checkVerification(visa, { temporary_cvc_token_id: 'cvc_3_digit' }).ok).toBe(true)
  expect(checkVerification(amex, { temporary_cvc_token_id: 'cvc_4_digit' }).ok).toBe(true)
  expect(checkVerification(visa, { temporary_cvc_token_id: 'cvc_4_digit' }).ok).toBe(false)
  expect(checkVerification(amex, { temporary_cvc_token_id: 'cvc_3_digit' }).ok).toBe(false)
})

test('a step-up takes the right method with the right proof and nothing else, and says what it needs', () => {
  const otp = card('visa_otp_required', 'active')
  expect(checkVerification(otp, { payment_verification: { method: 'otp', code: '123456' } }).ok).toBe(true)
  for (const input of [
    {},
    { payment_verification: { method: 'otp', code: '000000' } },
    { payment_verification: { method: 'popup', assertion: 'ok' } },
    { temporary_cvc_token_id: 'cvc_3_digit' },
  ] as const) {
    expect(checkVerification(otp, input)).toMatchObject({
      ok: false,
      refusal: { type: 'verify_payment', method: 'otp' },
    })
  }
})

test('a passkey or a popup is proven by what it produced, and by nothing that says that it failed', () => {
  const passkey = card('visa_otp_passkey', 'active')
  const proven = (assertion?: string) =>
    checkVerification(passkey, {
      payment_verification: { method: 'passkey', ...(assertion === undefined ? {} : { assertion }) },
    }).ok
  expect([proven('made'), proven('invalid'), proven()]).toEqual([true, false, false])
})

test('nothing proves a card that no network is asked about', () => {
  for (const method of ['otp', 'passkey', 'popup'] as const)
    expect(isProven(null, { method, code: '123456', assertion: 'made' })).toBe(false)
})

test('requiring agentic credentials refuses a card that has none, even with its security code', () => {
  const plain = card('visa_rejected', 'rejected')
  const input = { agentic_credentials_preference: 'require', temporary_cvc_token_id: 'cvc_3_digit' } as const
  expect(checkVerification(plain, input).ok).toBe(false)
})

test('identifiers are looked up by own names only', () => {
  expect(testCardOf('constructor')).toBeNull()
  expect(testCardOf('visa_auto_approved')).not.toBeNull()
})
