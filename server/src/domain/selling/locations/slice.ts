import { defineSlice } from '../../../platform/slices/slice.ts'
import { locationEvents } from './events.ts'
import { ids } from './ids.ts'
import { locationOperations } from './operations.ts'
import { problems } from './problems.ts'

export const locations = defineSlice({
  name: 'selling/locations',
  about: "Keeps the places that a merchant's goods leave from.",
  needs: ['accounts/api-keys'],
  ids,
  problems,
  tags: {
    'Business locations': 'Where goods leave from or are picked up.',
  },
  events: locationEvents,
  operations: locationOperations,
})
