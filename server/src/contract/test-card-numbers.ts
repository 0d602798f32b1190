/**
 * The numbers that a person types in test mode, by the test card that each stands for. Live mode takes none of them, and test mode none
 * besides them.
 */
export const testCardNumbers = {
  visa_auto_approved: '4242424242424242',
  mastercard_auto_approved: '5555555555554444',
  visa_otp_required: '4000000000001091',
  mastercard_otp_required: '5200000000001096',
  visa_otp_passkey: '4000000000001109',
  mastercard_popup: '5200000000001112',
  visa_otp_invalid: '4000000000001125',
  visa_rejected: '4000000000000002',
  mastercard_rejected: '5200000000050010',
  visa_ineligible: '4000000000000028',
  mastercard_ineligible: '5200000000050036',
  amex_ineligible: '378282246310005',
  discover_ineligible: '6011111111111117',
  visa_issuer_declined: '4000000000000119',
  mastercard_issuer_declined: '5200000000050127',
  visa_3ds_required: '4000000000003220',
  visa_insufficient_funds: '4000000000009995',
} as const

export type TestCardName = keyof typeof testCardNumbers

const named = new Map<string, TestCardName>(
  Object.entries(testCardNumbers).map(([name, number]) => [number, name as TestCardName]), // the keys of a constant
)

/** The test card that a number stands for; null: it is the number of none. */
export function testCardNumbered(number: string): TestCardName | null {
  return named.get(number) ?? null
}
