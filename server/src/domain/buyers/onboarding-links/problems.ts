import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'

/** What is refused here, beyond what every operation may refuse. */
export const problems = defineProblems({
  onboarding_link_used: {
    status: 409,
    retryable: false,
    message: 'The form of this onboarding link has been sent. Create another link.',
  },
  onboarding_link_expired: {
    status: 409,
    retryable: false,
    message: 'The onboarding link has expired. Create another link.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}
