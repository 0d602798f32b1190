import { defineSlice } from '../../../platform/slices/slice.ts'
import { marketEvents } from './events.ts'
import { ids } from './ids.ts'
import { marketInvariants } from './invariants.sql.ts'
import { marketOperations } from './operations.ts'
import { problems } from './problems.ts'

export const markets = defineSlice({
  name: 'selling/markets',
  about: 'Decides which market a delivery address belongs to.',
  needs: ['accounts/api-keys'],
  ids,
  problems,
  tags: {
    Markets: 'The parts of the world the merchant sells to, with their currency and languages.',
  },
  events: marketEvents,
  operations: marketOperations,
  invariants: marketInvariants,
})
