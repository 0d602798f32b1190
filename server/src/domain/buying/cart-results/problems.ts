import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'

/** What the operations of this slice refuse with, besides what any operation can answer. */
export const problems = defineProblems({
  cart_result_gone: {
    status: 410,
    retryable: false,
    message: 'The result was kept for its time, and is deleted. The purchase itself still stands.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}
