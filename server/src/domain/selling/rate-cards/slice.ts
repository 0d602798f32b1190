import { defineIds } from '../../../contract/ids.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { rateCardEvents } from './events.ts'
import { rateCardInvariants } from './invariants.sql.ts'
import { rateCardOperations } from './operations.ts'
import { problems } from './problems.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  rc: { names: 'a rate card' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
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
  operations: rateCardOperations,
  invariants: rateCardInvariants,
})
