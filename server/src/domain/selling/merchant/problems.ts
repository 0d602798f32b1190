import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'

/** What is refused here, beyond what every operation may refuse. */
export const problems = defineProblems({
  slug_in_use: {
    status: 409,
    retryable: false,
    message: 'Another merchant has this slug. Send another one.',
  },
  domain_in_use: {
    status: 409,
    retryable: false,
    message: 'Another merchant has this domain. Send the domain of your own shop.',
  },
  domain_taken: {
    status: 409,
    retryable: false,
    message: 'Another account holds this test domain, or it is reserved. Use another name.',
  },
  domain_missing: {
    status: 409,
    retryable: false,
    message: 'The merchant has no domain. Set `domain` with v1_update_merchant first.',
  },
  merchant_setup_incomplete: {
    status: 409,
    retryable: false,
    message: 'The merchant has not finished its setup. If it is yours, v1_get_merchant says what is missing.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}
