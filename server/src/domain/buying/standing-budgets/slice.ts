import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { createStandingBudget } from './create-standing-budget.ts'

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  card_not_proven: {
    status: 409,
    retryable: false,
    message:
      'The card was not added and proven in this component. Add it again, with its security code and the steps that it asks for.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}

export const standingBudgets = defineSlice({
  name: 'buying/standing-budgets',
  about: 'Lets the holder of a card approve in a component what agents may spend with it.',
  needs: ['buyers/payment-methods', 'buying/intents', 'policies'],
  tables: ['standing_budgets'],
  problems,
  operations: [createStandingBudget],
})
