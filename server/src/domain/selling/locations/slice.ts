import { defineIds } from '../../../contract/ids.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { locationEvents } from './events.ts'
import { locationOperations } from './operations.ts'
import { problems } from './problems.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  loc: { names: 'a business location' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

export const locations = defineSlice({
  name: 'selling/locations',
  about: "Keeps the places that a merchant's goods leave from.",
  needs: ['accounts/api-keys'],
  tables: ['business_locations'],
  ids,
  problems,
  tags: {
    'Business locations': 'Where goods leave from or are picked up.',
  },
  events: locationEvents,
  operations: locationOperations,
})
