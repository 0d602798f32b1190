import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'

/** What is refused here, beyond what every operation may refuse. */
export const problems = defineProblems({
  key_revoked: { status: 409, retryable: false, message: 'The key is revoked.' },
  key_expired: { status: 409, retryable: false, message: 'The key has expired.' },
  scopes_exceed_agent: {
    status: 409,
    retryable: false,
    message: 'The key could do more than the other keys of its agent.',
  },
  agent_bound: {
    status: 409,
    retryable: false,
    message: 'The agent is bound to one profile, which never changes.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}
