import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { createStandingBudget } from './create-standing-budget.ts'

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  client_secret_required: {
    status: 403,
    retryable: false,
    message:
      'The page has to open this component with a client secret. Have your server ask for one with v1_create_element_client_secret.',
  },
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
