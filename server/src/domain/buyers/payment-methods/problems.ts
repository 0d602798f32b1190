import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'

/** What is refused here, beyond what every operation may refuse. */
export const problems = defineProblems({
  test_card_identifier_not_allowed_in_live_mode: {
    status: 400,
    retryable: false,
    message: 'Test cards and test security codes work in test mode only. Use the token of a card.',
  },
  payment_method_required: {
    status: 409,
    retryable: false,
    message:
      'The profile has no usable payment method. Ask a person to add one (v1_create_profile_payment_method), or name another in `profile_payment_method_id`.',
  },
  enrollment_not_pending: {
    status: 409,
    retryable: false,
    message: 'The card does not wait for a verification: see `agentic_credentials_status`.',
  },
  verification_failed: {
    status: 409,
    retryable: false,
    message: 'The code or assertion was refused. Ask the person for a new one; the third refusal is final.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}
