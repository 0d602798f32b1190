import { defineIds } from '../../../contract/ids.ts'
import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { sweepCardSetups } from './card-setups.sql.ts'
import { createCardSetup } from './create-card-setup.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  cset: { names: 'a card that a person enters at the payment processor' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  cards_not_collected: {
    status: 409,
    retryable: false,
    message: 'The payment processor collects no cards here: leave the card with the vault.',
  },
  card_not_entered: {
    status: 409,
    retryable: true,
    message:
      'The person has not entered the card yet, or their bank has not agreed to it. Try again once they have.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}

export const cardSetups = defineSlice({
  name: 'buyers/card-setups',
  about: 'Has people enter cards at the payment rail that keeps and charges them.',
  needs: ['buyers/profiles'],
  tables: ['rail_customers', 'card_setups'],
  ids,
  problems,
  operations: [createCardSetup],
  sweeps: [sweepCardSetups],
})
