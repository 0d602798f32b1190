import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'

/** What is refused here, beyond what every operation may refuse. */
export const problems = defineProblems({
  profile_not_active: {
    status: 409,
    retryable: false,
    message:
      'The profile is not active, so nothing is bought for it. `status` of v1_get_profile says how it stands.',
  },
  profile_archived: {
    status: 409,
    retryable: false,
    message: 'The profile is archived and no longer changes. Use another profile, or create one.',
  },
  issuing_not_available: {
    status: 409,
    retryable: false,
    message: 'Identity verification cannot be started for this profile: see `issuing.state` and `status`.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}
