import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'

/** What is refused here, beyond what every operation may refuse. */
export const problems = defineProblems({
  mpp_api_archived: {
    status: 409,
    retryable: false,
    message: 'The custom MPP API is archived. Create another one.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}
