import type { PaymentMethodRow } from './payment-method.ts'
import { type EnrollmentStep, type TestCard, testOtp } from './test-cards.ts'

type Enrollment = Pick<PaymentMethodRow, 'agentic_status' | 'pending_steps' | 'failed_verifications'>

/** Refused proofs in a row, at enrolment or at approvals, after which an enrolment is rejected. */
export const failedVerificationsMax = 3

/** Where a card's enrolment for agentic credentials starts. */
export function startEnrollment(requested: boolean, card: TestCard | null): Enrollment {
  const nothingPending = { pending_steps: [], failed_verifications: 0 }
  if (!requested) return { agentic_status: 'not_requested', ...nothingPending }
  // Cards of the component are enrolled by their network, which this installation has no connection to.
  if (!card) return { agentic_status: 'ineligible', ...nothingPending }
  if (typeof card.enrollment === 'string') return { agentic_status: card.enrollment, ...nothingPending }
  return {
    agentic_status: 'pending_verification',
    pending_steps: [...card.enrollment],
    failed_verifications: 0,
  }
}

export type VerificationAttempt = { method: EnrollmentStep; code?: string; assertion?: string }

export type VerificationVerdict =
  | { kind: 'accepted'; enrollment: Enrollment }
  | { kind: 'refused'; enrollment: Enrollment }
  | { kind: 'not_pending' }

/** What one verification attempt does to a pending enrolment. */
export function verifyEnrollment(
  row: PaymentMethodRow,
  card: TestCard | null,
  attempt: VerificationAttempt,
): VerificationVerdict {
  const [expected, ...rest] = row.pending_steps
  if (row.agentic_status !== 'pending_verification' || expected !== attempt.method)
    return { kind: 'not_pending' }
  if (isProven(card, attempt)) {
    const agentic_status = rest.length === 0 ? 'active' : 'pending_verification'
    return { kind: 'accepted', enrollment: { agentic_status, pending_steps: rest, failed_verifications: 0 } }
  }
  return { kind: 'refused', enrollment: afterRefusal(row) }
}

/** One proof more that was refused: the third in a row ends the enrolment. */
export function afterRefusal(row: PaymentMethodRow): Enrollment {
  const failed_verifications = row.failed_verifications + 1
  return failed_verifications >= failedVerificationsMax
    ? { agentic_status: 'rejected', pending_steps: [], failed_verifications }
    : { agentic_status: row.agentic_status, pending_steps: row.pending_steps, failed_verifications }
}

/**
 * Whether a code or assertion proves the cardholder. A test card takes one password and any assertion but `invalid`; of any other card
 * nothing that we could ask would know, so nothing proves it.
 */
export function isProven(card: TestCard | null, { method, code, assertion }: VerificationAttempt): boolean {
  if (card === null) return false
  if (method === 'otp') return card.refusesOtp !== true && code === testOtp
  return assertion !== undefined && assertion !== 'invalid'
}
