import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'

/** What is refused here, beyond what every operation may refuse. */
export const problems = defineProblems({
  request_too_large: {
    status: 400,
    retryable: false,
    message: 'The request names too much at once. Send several requests.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}
