import { defineIds } from '../../../contract/ids.ts'
import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { archiveRateCard } from './archive-rate-card.ts'
import { calculateRateCard } from './calculate-rate-card.ts'
import { createRateCard } from './create-rate-card.ts'
import { rateCardEvents } from './events.ts'
import { getRateCard, listRateCards } from './get-rate-cards.ts'
import { rateCardInvariants } from './invariants.sql.ts'
import { updateRateCard } from './update-rate-card.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  rc: { names: 'a rate card' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  rate_card_archived: {
    status: 409,
    retryable: false,
    message: 'The rate card is archived. Create another one.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}

export const rateCards = defineSlice({
  name: 'selling/rate-cards',
  about: 'Decides what delivery costs, and when it arrives.',
  needs: ['accounts/api-keys', 'selling/catalog', 'selling/locations', 'selling/markets', 'selling/merchant'],
  tables: ['rate_card_zones', 'rate_cards'],
  ids,
  problems,
  tags: {
    'Rate cards': 'What fulfillment costs, and where.',
  },
  events: rateCardEvents,
  operations: [
    createRateCard,
    listRateCards,
    getRateCard,
    updateRateCard,
    archiveRateCard,
    calculateRateCard,
  ],
  invariants: rateCardInvariants,
})
