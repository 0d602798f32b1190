import type { PaymentMethodRow } from './payment-method.ts'
import { type EnrollmentStep, type TestCard, testOtp } from './test-cards.ts'

type Enrollment = Pick<PaymentMethodRow, 'agentic_status' | 'pending_steps' | 'failed_verifications'>

/** How many refused proofs in a row, at enrollment or at approvals, end an enrollment. */
export const failedVerificationsMax = 3

type Enrolling = {
  readonly requested: boolean
  /** Null: it is none of test mode. */
  readonly testCard: TestCard | null
  /** Its rail keeps it, and its bank has agreed to payments without its holder. */
  readonly isKept: boolean
}

/** The first status of a card's enrollment for agentic credentials. */
export function startEnrollment({ requested, testCard: card, isKept }: Enrolling): Enrollment {
  const nothingPending = { pending_steps: [], failed_verifications: 0 }
  if (!requested) return { agentic_status: 'not_requested', ...nothingPending }
  if (isKept) return { agentic_status: 'active', ...nothingPending }
  // Cards of the component are enrolled by their network, to which this installation has no connection.
  if (!card) return { agentic_status: 'ineligible', ...nothingPending }
  if (typeof card.enrollment === 'string') return { agentic_status: card.enrollment, ...nothingPending }
  return {
    agentic_status: 'pending_verification',
    pending_steps: [...card.enrollment],
    failed_verifications: 0,
  }
}

export type VerificationAttempt = { method: EnrollmentStep; code?: string; assertion?: string }

type VerificationVerdict =
  | { kind: 'accepted'; enrollment: Enrollment }
  | { kind: 'refused'; enrollment: Enrollment }
  | { kind: 'not_pending' }

/** What one attempt at a step makes of a pending enrollment. */
export function verifyEnrollment(
  row: PaymentMethodRow,
  attempt: { readonly method: EnrollmentStep; readonly isProven: boolean },
): VerificationVerdict {
  const [expected, ...rest] = row.pending_steps
  // guard steps-of-an-enrolment: no step of an enrolment is skipped
  if (row.agentic_status !== 'pending_verification' || expected !== attempt.method)
    return { kind: 'not_pending' }
  if (attempt.isProven) {
    const agentic_status = rest.length === 0 ? 'active' : 'pending_verification'
    return { kind: 'accepted', enrollment: { agentic_status, pending_steps: rest, failed_verifications: 0 } }
  }
  return { kind: 'refused', enrollment: afterRefusal(row) }
}

/** One more refused proof: the third in a row ends the enrollment. */
export function afterRefusal(row: PaymentMethodRow): Enrollment {
  const failed_verifications = row.failed_verifications + 1
  // guard passwords-are-counted: a one-time password is guessed three times and not once more
  return failed_verifications >= failedVerificationsMax
    ? { agentic_status: 'rejected', pending_steps: [], failed_verifications }
    : { agentic_status: row.agentic_status, pending_steps: row.pending_steps, failed_verifications }
}

/**
 * Whether a code or assertion proves the cardholder. A test card accepts one password and any assertion but `invalid`; for any other card
 * we could ask nobody who knows, so nothing proves it.
 */
export function isProven(card: TestCard | null, { method, code, assertion }: VerificationAttempt): boolean {
  // guard only-test-cards-are-proven: nothing proves a card that no network is asked about
  if (card === null) return false
  if (method === 'otp') return card.refusesOtp !== true && code === testOtp
  // guard step-up-is-proven: a step-up needs its proof
  return assertion !== undefined && assertion !== 'invalid'
}
