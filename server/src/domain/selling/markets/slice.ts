import { defineSlice } from '../../../platform/slices/slice.ts'
import { marketEvents } from './events.ts'
import { ids } from './ids.ts'
import { marketInvariants } from './invariants.sql.ts'
import { marketOperations } from './operations.ts'

export const markets = defineSlice({
  name: 'selling/markets',
  needs: ['accounts/api-keys'],
  ids,
  tags: {
    Markets: 'The parts of the world the merchant sells to, with their currency and languages.',
  },
  events: marketEvents,
  operations: marketOperations,
  invariants: marketInvariants,
})
