import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'

/** What is refused here, beyond what every operation may refuse. */
export const problems = defineProblems({
  test_mode_required: {
    status: 409,
    retryable: false,
    message: 'Integration checks run in test mode. Use a test key.',
  },
  check_already_running: {
    status: 409,
    retryable: true,
    message: 'A check of this kind is running for this destination. Read it until it has finished.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}
