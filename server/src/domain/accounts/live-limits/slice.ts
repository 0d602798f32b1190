import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { checkLiveDays } from './live-limits.sql.ts'

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  operator_limit_reached: {
    status: 409,
    retryable: false,
    message:
      "The operator's limit for today is reached in live mode, so nothing more is bought in this currency. The operator can let this purchase pass (`prokura rail allow`); otherwise approve it tomorrow (UTC).",
  },
  person_required: {
    status: 403,
    retryable: false,
    message:
      'The account is new in live mode, so a person releases its first ten purchases: by a page of ours (v1_create_approval_link), or by proving the card to a component.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}

export const liveLimits = defineSlice({
  name: 'accounts/live-limits',
  about: 'Bounds what live mode spends: a day of all accounts, and the first purchases of each.',
  needs: [],
  tables: ['live_days', 'live_holds', 'live_allowances'],
  problems,
  invariants: [
    {
      id: 'M7-live',
      title: 'What live mode has used of a day is what its purchases hold and have cost',
      statement: checkLiveDays({}),
    },
  ],
})
