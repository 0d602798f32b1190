import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'

/** What is refused here, beyond what every operation may refuse. */
export const problems = defineProblems({
  location_archived: {
    status: 409,
    retryable: false,
    message: 'The business location is archived. Use another one.',
  },
  field_owned_by_provider: {
    status: 409,
    retryable: false,
    message: 'A connected provider owns this field. Change it there, or disconnect the provider first.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}
