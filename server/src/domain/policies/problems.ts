import { defineProblems, type ProblemFacts } from '../../contract/problem-codes.ts'

/** What is refused here, beyond what every operation may refuse. */
export const problems = defineProblems({
  policy_archived: { status: 409, retryable: false, message: 'The policy is archived. Unarchive it first.' },
  policy_denied: {
    status: 409,
    retryable: false,
    message:
      'A policy denies this purchase: `policy_decision` says which rule. Tell a person, who can change the purchase or the policy. Do not try it again unchanged.',
  },
  policy_limit_exceeded: {
    status: 409,
    retryable: false,
    message:
      'A policy window has no room for this purchase: `policy_decision` says which limit. Nothing has changed. Tell a person, who can raise the limit, or try again when the window begins anew.',
  },
  agents_are_one: { status: 409, retryable: false, message: 'Both are the same agent.' },
  join_widens: {
    status: 409,
    retryable: false,
    message: 'Joined, the agents could do more than each could before.',
  },
})

declare module '../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}
