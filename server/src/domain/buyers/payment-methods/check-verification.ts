import { ok, type Result, refused } from '../../../core/result.ts'
import { isProven } from './decide-enrollment.ts'
import type { PayingMethod } from './payment-method.ts'
import { type EnrollmentStep, type StepUp, testCardOf } from './test-cards.ts'

type AgenticPreference = 'prefer' | 'require' | 'never'

/** What proves at an approval that the card is its holder's. */
export type VerificationInput = {
  temporary_cvc_token_id?: string
  agentic_credentials_preference?: AgenticPreference
  payment_verification?: { method: EnrollmentStep; code?: string; assertion?: string }
  /** What the vault tells of the code behind the token: nothing else knows it. */
  typedCode?: { readonly digits: 3 | 4; readonly isOfTestCards: boolean }
  /** The step-up that was proven to a component before. */
  provenBy?: EnrollmentStep
}

export type VerificationNeeded = {
  type: 'verify_payment'
  method: Exclude<StepUp, 'none'>
  element: string
  expires_at: null
}

/**
 * What a card needs before it is charged: an enrolled card its step-up; every other card, and an enrolled one that the buyer does not
 * want to use that way, the security code. Of a card that its rail keeps nobody here knows the code: there its bank is asked. The person of a
 * wallet is asked by the wallet, once it is asked for the money.
 */
export function stepUpOf(row: PayingMethod, preference: AgenticPreference = 'prefer'): StepUp {
  if (isWallet(row)) return 'none'
  if (row.agentic_status !== 'active' || preference === 'never') return row.kept_by === null ? 'cvc' : 'popup'
  return row.test_card === null ? 'none' : (testCardOf(row.test_card)?.stepUp ?? 'cvc')
}

/** Its person approves each payment at the wallet itself, whatever is released here. */
export function isWallet({ type }: Pick<PayingMethod, 'type'>): boolean {
  return type === 'link'
}

/** Whether the proof in an approval is enough for the card; otherwise what the buyer has to do. */
export function checkVerification(
  row: PayingMethod,
  input: VerificationInput,
): Result<null, VerificationNeeded> {
  const preference = input.agentic_credentials_preference ?? 'prefer'
  const stepUp = stepUpOf(row, preference)
  if (preference === 'require' && row.agentic_status !== 'active') return refused(neededFor(row))
  if (stepUp === 'none') return ok(null)
  const given = input.payment_verification
  // guard step-up-by-its-method: a step-up is proven by the method that the card asked for
  const isSatisfied =
    stepUp === 'cvc'
      ? isRightCvc(row, input)
      : input.provenBy === stepUp ||
        (given?.method === stepUp &&
          isProven(row.test_card === null ? null : testCardOf(row.test_card), given))
  return isSatisfied ? ok(null) : refused(needed(stepUp))
}

/** The proof that an approval of this card needs. */
export function neededFor(row: PayingMethod, preference?: AgenticPreference): VerificationNeeded {
  const stepUp = stepUpOf(row, preference)
  return needed(stepUp === 'none' ? (row.kept_by === null ? 'cvc' : 'popup') : stepUp)
}

/** Whether this is the security code of the card, as far as anybody here can say. */
export function isCodeOf(
  row: PayingMethod,
  shown: Pick<VerificationInput, 'temporary_cvc_token_id' | 'typedCode'>,
): boolean {
  return isRightCvc(row, shown)
}

/** American Express prints four digits, all others three. */
function isRightCvc(row: PayingMethod, { temporary_cvc_token_id, typedCode }: VerificationInput): boolean {
  const digits = row.card_brand === 'amex' ? 4 : 3
  // guard right-typed-code: a code that a person has typed has to be that of the card
  if (typedCode !== undefined)
    return typedCode.digits === digits && (row.test_card === null || typedCode.isOfTestCards)
  // guard right-security-code: a card that asks for its security code takes the right one only
  return temporary_cvc_token_id === `cvc_${digits}_digit`
}

function needed(method: VerificationNeeded['method']): VerificationNeeded {
  return { type: 'verify_payment', method, element: 'AddOrSelectPaymentMethod', expires_at: null }
}
