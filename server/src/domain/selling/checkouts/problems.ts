import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'

/** What is refused here, beyond what every operation may refuse. */
export const problems = defineProblems({
  checkout_not_open: {
    status: 409,
    retryable: false,
    message: 'The checkout does not change any more.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}
