import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'

/** What is refused here, beyond what every operation may refuse. */
export const problems = defineProblems({
  promotion_not_publishable: {
    status: 409,
    retryable: false,
    message: 'The promotion lacks what publishing needs.',
  },
  promotion_not_editable: {
    status: 409,
    retryable: false,
    message: 'This field of the promotion can no longer be changed in its status.',
  },
  promotion_state_conflict: {
    status: 409,
    retryable: false,
    message: 'The promotion cannot go from its status to that one.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}
