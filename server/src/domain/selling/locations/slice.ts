import { defineSlice } from '../../../platform/slices/slice.ts'
import { locationEvents } from './events.ts'
import { ids } from './ids.ts'
import { locationOperations } from './operations.ts'

export const locations = defineSlice({
  name: 'selling/locations',
  needs: ['accounts/api-keys'],
  ids,
  tags: {
    'Business locations': 'Where goods leave from or are picked up.',
  },
  events: locationEvents,
  operations: locationOperations,
})
