import { defineSlice } from '../../../platform/slices/slice.ts'
import { marketEvents } from './events.ts'
import { marketInvariants } from './invariants.sql.ts'
import { marketOperations } from './operations.ts'

export const markets = defineSlice({
  name: 'selling/markets',
  needs: ['accounts/api-keys'],
  events: marketEvents,
  operations: marketOperations,
  invariants: marketInvariants,
})
