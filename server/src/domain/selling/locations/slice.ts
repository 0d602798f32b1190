import { defineSlice } from '../../../platform/slices/slice.ts'
import { locationEvents } from './events.ts'
import { locationOperations } from './operations.ts'

export const locations = defineSlice({
  name: 'selling/locations',
  needs: ['accounts/api-keys'],
  events: locationEvents,
  operations: locationOperations,
})
