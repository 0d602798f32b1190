import { defineIds } from '../../../contract/ids.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { marketEvents } from './events.ts'
import { marketInvariants } from './invariants.sql.ts'
import { marketOperations } from './operations.ts'
import { problems } from './problems.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  mkt: { names: 'a market' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

export const markets = defineSlice({
  name: 'selling/markets',
  about: 'Decides which market a delivery address belongs to.',
  needs: ['accounts/api-keys'],
  tables: ['market_regions', 'markets'],
  ids,
  problems,
  tags: {
    Markets: 'The parts of the world the merchant sells to, with their currency and languages.',
  },
  events: marketEvents,
  operations: marketOperations,
  invariants: marketInvariants,
})
