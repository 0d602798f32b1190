import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'

/** What is refused here, beyond what every operation may refuse. */
export const problems = defineProblems({
  frozen: {
    status: 409,
    retryable: false,
    message:
      'Purchases are frozen for this account, profile or agent, so nothing is bought. Only a person may end that, with v1_unfreeze_controls: tell them, and do not try again before.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}
