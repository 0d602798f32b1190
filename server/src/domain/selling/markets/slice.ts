import { defineSlice } from '../../../platform/slices/slice.ts'
import { marketInvariants } from './invariants.sql.ts'
import { marketOperations } from './operations.ts'

export const markets = defineSlice({
  name: 'selling/markets',
  needs: [],
  operations: marketOperations,
  invariants: marketInvariants,
})
