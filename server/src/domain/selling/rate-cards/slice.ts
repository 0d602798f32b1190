import { defineSlice } from '../../../platform/slices/slice.ts'
import { rateCardEvents } from './events.ts'
import { ids } from './ids.ts'
import { rateCardInvariants } from './invariants.sql.ts'
import { rateCardOperations } from './operations.ts'
import { problems } from './problems.ts'

export const rateCards = defineSlice({
  name: 'selling/rate-cards',
  about: 'Decides what delivery costs, and when it arrives.',
  needs: ['accounts/api-keys', 'selling/catalog', 'selling/locations', 'selling/markets', 'selling/merchant'],
  ids,
  problems,
  tags: {
    'Rate cards': 'What fulfillment costs, and where.',
  },
  events: rateCardEvents,
  operations: rateCardOperations,
  invariants: rateCardInvariants,
})
