import { defineSlice } from '../../../platform/slices/slice.ts'
import { locationOperations } from './operations.ts'

export const locations = defineSlice({
  name: 'selling/locations',
  needs: [],
  operations: locationOperations,
})
