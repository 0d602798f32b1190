import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'

/** What is refused here, beyond what every operation may refuse. */
export const problems = defineProblems({
  code_in_use: { status: 409, retryable: false, message: 'Another market has this code. Send another one.' },
  market_overlap: {
    status: 409,
    retryable: false,
    message:
      'Another market includes the same region at the same priority, or is the fallback already. Change priority or regions.',
  },
  market_archived: { status: 409, retryable: false, message: 'The market is archived. Use another one.' },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}
