import type { CallContext } from '../../../contract/context.ts'
import { neededFor, stepUpOf, type VerificationInput, type VerificationNeeded } from './check-verification.ts'
import { afterRefusal, isProven } from './decide-enrollment.ts'
import type { PaymentMethodRow } from './payment-method.ts'
import { testCardOf } from './test-cards.ts'
import { writeMethod } from './write-payment-method.ts'

/**
 * Tries the proof that came with an approval, of a card that is locked, and counts it as enrolment does: the third in a row that is
 * refused ends the enrolment, and the card asks for its security code from then on. Answers what the buyer has to do where it was
 * refused, which is to be committed with the count; null where it proved the card, or none was asked for.
 */
export function tryStepUp(
  ctx: CallContext,
  row: PaymentMethodRow,
  input: VerificationInput,
): VerificationNeeded | null {
  const given = input.payment_verification
  // A proof of another kind is a misunderstanding, and no guess.
  if (!given || given.method !== stepUpOf(row, input.agentic_credentials_preference)) return null
  if (isProven(row.test_card === null ? null : testCardOf(row.test_card), given)) {
    if (row.failed_verifications > 0)
      writeMethod(ctx, row, 'payment_method.verified', { failed_verifications: 0 })
    return null
  }
  const changes = afterRefusal(row)
  writeMethod(ctx, row, 'payment_method.verification_refused', changes)
  return neededFor({ ...row, ...changes }, input.agentic_credentials_preference)
}
