import { defineSlice } from '../../../platform/slices/slice.ts'
import { rateCardEvents } from './events.ts'
import { ids } from './ids.ts'
import { rateCardInvariants } from './invariants.sql.ts'
import { rateCardOperations } from './operations.ts'

export const rateCards = defineSlice({
  name: 'selling/rate-cards',
  needs: ['accounts/api-keys', 'selling/catalog', 'selling/locations', 'selling/markets', 'selling/merchant'],
  ids,
  tags: {
    'Rate cards': 'What fulfillment costs, and where.',
  },
  events: rateCardEvents,
  operations: rateCardOperations,
  invariants: rateCardInvariants,
})
