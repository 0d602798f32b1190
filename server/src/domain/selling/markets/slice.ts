import { defineIds } from '../../../contract/ids.ts'
import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { archiveMarket } from './archive-market.ts'
import { createMarket } from './create-market.ts'
import { marketEvents } from './events.ts'
import { getMarket, listMarkets } from './get-markets.ts'
import { marketInvariants } from './invariants.sql.ts'
import { updateMarket } from './update-market.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  mkt: { names: 'a market' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  code_in_use: { status: 409, retryable: false, message: 'Another market has this code. Send another one.' },
  market_overlap: {
    status: 409,
    retryable: false,
    message:
      'Another market includes the same region at the same priority, or is the fallback already. Change priority or regions.',
  },
  market_archived: { status: 409, retryable: false, message: 'The market is archived. Use another one.' },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
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
  operations: [createMarket, listMarkets, getMarket, updateMarket, archiveMarket],
  invariants: marketInvariants,
})
